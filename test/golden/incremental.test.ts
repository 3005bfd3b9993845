import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../src/commands/environment.js";
import { generate } from "../../src/commands/generate.js";
import { nothingToDo } from "../../src/commands/nothing-to-do.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { randomProject } from "../support/random-schema.js";
import { readTree } from "../support/read-tree.js";
import { cases } from "../support/thorough.js";
import type { Texts } from "../support/render-files.js";
import { machine } from "../unit/apply/project.js";

const ROOT = "/project";

/** How many edited projects the law is tried on; the same ones in every run. */
const PROJECTS = cases({ usual: 12, long: 30 });

/** Counts how often what the last run wrote is taken up again. */
class WatchedFiles extends MemoryFiles {
  reused = 0;

  override readText(path: string): string {
    if (path === `${ROOT}/openapi/v1.json`) this.reused += 1;
    return super.readText(path);
  }
}

function environment(files: MemoryFiles): Environment {
  const run = machine("run", () => true);
  const cacheKey = () => Buffer.alloc(32, "key");
  return { files, root: ROOT, machine: run, version: "1.2.3", build: "this", cacheKey };
}

/** What a run answered: everything but the texts, which are compared on disk. */
async function run(files: MemoryFiles): Promise<unknown> {
  const result = await generate(environment(files), { dryRun: false, force: false });
  if (!result.ok) return result;
  const { changes, ...rest } = result.value;
  const lines = changes.map(({ kind, path }) => `${kind} ${path}`);
  return { ...rest, lines, diagnostics: result.diagnostics };
}

/** The project without what the generator remembers of it. */
function tree(files: MemoryFiles): Texts {
  const all = Object.entries(files.snapshot());
  return Object.fromEntries(all.filter(([path]) => !path.startsWith(`${ROOT}/.rulebound/`)));
}

function schemasIn(folder: string): Texts {
  const all = Object.entries(readTree(resolve(folder)));
  return Object.fromEntries(
    all.filter(([path]) => /^(?:service|resources\/.*)\.?.*yaml$/.test(path)),
  );
}

/** A change of one file that is picked by a number; null takes it away. */
type Edit = (text: string, seed: number) => string | null;

const onLines =
  (change: (lines: string[], at: number, seed: number) => void): Edit =>
  (text, seed) => {
    const lines = text.split("\n");
    change(lines, seed % lines.length, seed);
    return lines.join("\n");
  };

const NUMBER: Edit = (text, seed) => {
  const found = [...text.matchAll(/\b[1-9][0-9]*\b/g)];
  const one = found[seed % Math.max(found.length, 1)];
  if (one === undefined) return text;
  return (
    text.slice(0, one.index) + String(Number(one[0]) + 1) + text.slice(one.index + one[0].length)
  );
};

const WORD: Edit = (text, seed) => {
  const words = [...new Set(text.match(/\b[a-z][a-zA-Z]{2,}\b/g))];
  const at = (index: number): string => words[index % words.length] ?? "";
  return text.replace(new RegExp(`\\b${at(seed)}\\b`, "g"), at(seed >> 5));
};

const EDITS: readonly Edit[] = [
  NUMBER,
  NUMBER,
  WORD,
  WORD,
  onLines((lines, at) => lines.splice(at, 1)),
  onLines((lines, at) => lines.splice(at, 1)),
  onLines((lines, at, seed) => lines.splice(at, 0, lines[seed % 7] ?? "")),
  onLines((lines, at, seed) => lines.splice(at, 0, ...lines.splice((seed >> 4) % lines.length, 1))),
  (text) => `${text}description: Said otherwise.\n`,
  (text) => text.replace(/ required: true,?/, ""),
  (text) => text.replaceAll("\n", "\r\n"),
  (text, seed) => text.slice(0, seed % text.length),
  () => null,
];

/** Edits one file of the user's, or one that was generated. */
function edit(files: MemoryFiles, original: Texts, [which, how, seed]: readonly number[]): void {
  const paths = Object.keys(tree(files));
  const schemas = paths.filter((path) => path.endsWith(".yaml"));
  const isOther = (which ?? 0) % 11 === 0;
  const among = isOther ? paths : [...schemas, ...Object.keys(original)];
  const path = among[(which ?? 0) % among.length] ?? "";
  const change = EDITS[(how ?? 0) % EDITS.length];
  const before = files.exists(path) ? files.readText(path) : null;
  // What was taken away, or broken, comes back as it was.
  const back = before === original[path] ? null : (original[path] ?? null);
  const mend = back !== null && (before === null || (seed ?? 0) % 2 === 0);
  const after = mend ? back : (change?.(before ?? "", seed ?? 0) ?? null);
  if (after === null) files.remove(path);
  else files.writeFile(path, after);
}

const shop = schemasIn("templates/examples/shop");

/** The generator warns of each resource: its description looks like a secret. */
const warned: Texts = Object.fromEntries(
  Object.entries(shop).map(([path, text]) => [
    path,
    text.replace(/^description: .*$/m, "description: npm_0123456789abcdefghijABCDEFGHIJ456789"),
  ]),
);

const project = fc.oneof(
  { weight: 2, arbitrary: fc.constant(warned) },
  { weight: 2, arbitrary: fc.constant(shop) },
  { weight: 1, arbitrary: fc.constant(schemasIn("fixtures/contract")) },
  { weight: 2, arbitrary: randomProject },
);
const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 });

test(
  "a run that remembers the last one does, and says, what one does that remembers nothing",
  {
    timeout: 300_000,
  },
  async () => {
    const seen = { reused: 0, accepted: 0, refused: 0 };
    const law = fc.asyncProperty(project, steps, async (schemas, edits) => {
      const placed = Object.entries(schemas).map(([path, text]) => [`${ROOT}/${path}`, text]);
      const original = Object.fromEntries(placed) as Texts;
      const files = new WatchedFiles(original);
      await run(files);
      for (const step of edits) {
        edit(files, original, step);
        const forgetful = new MemoryFiles(tree(files));
        const before = files.reused;
        const [said, wanted] = [await run(files), await run(forgetful)];
        expect(said).toEqual(wanted);
        expect(tree(files)).toEqual(tree(forgetful));
        seen.reused += files.reused > before ? 1 : 0;
        const isRefused = typeof wanted === "object" && wanted !== null && "ok" in wanted;
        seen[isRefused ? "refused" : "accepted"] += 1;
      }
    });
    await fc.assert(law, { numRuns: PROJECTS, seed: 20_261_121 });
    expect(seen.refused).toBeGreaterThan(PROJECTS / 4);
    expect(seen.accepted).toBeGreaterThan(PROJECTS / 4);
    expect(seen.reused).toBeGreaterThan(PROJECTS / 4);
  },
);

test("what a run prints does not decide what the next one has to read", async () => {
  const placed = Object.entries(warned).map(([path, text]) => [`${ROOT}/${path}`, text]);
  const files = new MemoryFiles(Object.fromEntries(placed) as Texts);
  await run(files);
  const state = `${ROOT}/.rulebound/state.json`;
  const before = files.readText(state);
  const first = nothingToDo(environment(files));
  expect(first?.warnings).toHaveLength(Object.keys(warned).length - 1);
  expect(first?.warnings[0]?.source).toContain("npm_0123456789");
  // A warned file that is edited loses its old warning; the others keep theirs.
  const path = "resources/v1/orders.yaml";
  files.writeFile(`${ROOT}/${path}`, shop[path] ?? "");
  await run(files);
  expect(files.readText(state)).not.toBe(before);
  const second = nothingToDo(environment(files));
  expect(second?.warnings.map(({ span }) => span.file)).toEqual(
    first?.warnings.map(({ span }) => span.file).filter((file) => file !== path),
  );
});
