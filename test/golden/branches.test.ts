import fc from "fast-check";
import { expect, test } from "vitest";
import { GitProject } from "../support/git-project.js";
import { codesOf, told } from "../support/memory-project.js";
import { renderFiles, type Texts } from "../support/render-files.js";
import { SMALL } from "../support/small-schemas.js";
import { edits, textsOf, type Schemas } from "../support/schema-walk.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** How many pairs of branches are merged: `npm run laws` merges 200. */
const PAIRS = Number(process.env["BRANCHES"] ?? 4);
const SEED = Number(process.env["LAWS_SEED"] ?? 20_261_122);

const branch = fc.array(edits, { minLength: 1, maxLength: 3 });

/** What is told where both branches changed what the same values are stored in: a person decides. */
const OF_MIGRATIONS = /^SCH-14\d$/;

test(
  `${PAIRS} pairs of branches merge, and generating ends as generating from the merged schemas does`,
  { timeout: 3_600_000 },
  async () => {
    const project = new GitProject(temporaryFolder());
    project.writeSchemas(textsOf(SMALL));
    expect(codesOf(await project.generate())).toEqual([]);
    project.commit("start");
    const seen = { merged: 0, byHand: 0, told: 0, resolved: 0 };
    for (const [one, other] of fc.sample(fc.tuple(branch, branch), {
      numRuns: PAIRS * 8,
      seed: SEED,
    })) {
      if (seen.merged === PAIRS) break;
      await mergePair(project, { one, other }, seen);
    }
    expect(seen.merged).toBe(PAIRS);
    if (PAIRS > 100) process.stdout.write(`${JSON.stringify(seen)}\n`);
  },
);

type Branch = typeof branch extends fc.Arbitrary<infer B> ? B : never;

interface Seen {
  merged: number;
  /** Git could not merge the schemas themselves. */
  byHand: number;
  /** The merged schemas, or the migrations, do not fit together. */
  told: number;
  /** Generated files that git could not merge. */
  resolved: number;
}

async function mergePair(
  project: GitProject,
  { one, other }: { readonly one: Branch; readonly other: Branch },
  seen: Seen,
): Promise<void> {
  const isMade =
    (await madeBranch(project, "other", other)) && (await madeBranch(project, "one", one));
  if (!isMade) return;
  const conflicts = project.merge("other");
  if (conflicts.some((path) => path.startsWith("resources/"))) seen.byHand += 1;
  else if (conflicts.some((path) => path.startsWith("migrations/"))) seen.told += 1;
  else {
    seen.resolved += conflicts.length;
    await generateMerged(project, seen);
  }
  project.git("reset", "--quiet", "--hard");
  // What was generated for the merged schemas alone; what the generator remembers is ignored, and stays.
  project.git("clean", "--quiet", "--force", "-d");
}

/** Edits, generates and commits on a branch of its own, off main; false where nothing could be edited. */
async function madeBranch(project: GitProject, name: string, steps: Branch): Promise<boolean> {
  project.git("checkout", "--quiet", "-B", name, "main");
  let schemas: Schemas = SMALL;
  for (const { edit, turn } of steps) {
    const edited = edit(schemas, turn);
    project.writeSchemas(textsOf(edited));
    if ((await project.generate()).ok) schemas = edited;
    // Nothing was written for what was refused.
    else project.writeSchemas(textsOf(schemas));
  }
  project.commit(name);
  return project.git("diff", "--name-only", "main", "--", "resources") !== "";
}

async function generateMerged(project: GitProject, seen: Seen): Promise<void> {
  const schemas = Object.fromEntries(
    Object.entries(project.tree()).filter(([path]) => /^(?:service\.yaml|resources\/)/.test(path)),
  );
  const fresh = await renderFiles(schemas);
  const result = await project.generate();
  if (!result.ok) {
    const isExplained = !fresh.ok || codesOf(result).every((code) => OF_MIGRATIONS.test(code));
    expect(isExplained, told(result)).toBe(true);
    seen.told += 1;
    return;
  }
  seen.merged += 1;
  expect(fresh.ok).toBe(true);
  const wanted = fresh.ok ? fresh.value.outputs : [];
  const emitted = wanted.map(({ path, text }) => [path, text ?? ""] as const);
  expect(generatedTexts(project.tree())).toEqual(
    generatedTexts(Object.fromEntries(emitted) as Texts),
  );
  // Nothing is left to do, and no migration is missing.
  const again = await project.generate();
  const kinds = again.ok ? again.value.changes.map(({ kind }) => kind) : codesOf(again);
  expect(new Set(kinds)).toEqual(new Set(["unchanged"]));
}

/** What the schemas alone lead to: which migrations there are follows from the branches. */
function generatedTexts(texts: Texts): Texts {
  const own = /^(?:src\/generated|openapi|test\/generated|docs|src\/custom)\//;
  return Object.fromEntries(Object.entries(texts).filter(([path]) => own.test(path)));
}
