import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { generate } from "../../src/commands/generate.js";
import { gaps, hostileCases, type Held } from "../support/hostile-cases.js";
import { codesOf, MemoryProject, told } from "../support/memory-project.js";
import {
  addProperty,
  copyOf,
  generator,
  minimalProject,
  ownProcess,
  treeOf,
} from "./command-line.js";

const NOTES = "resources/v1/notes.yaml";
const SCHEMAS = {
  "service.yaml": "service: desk\n",
  [NOTES]: "resource: notes\nentity: note\nproperties: { text: string }\n",
};

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

/** The cases that are tried here. */
const TRIED: Readonly<Record<string, () => Promise<void>>> = {
  "REG-003": () => keepsOwnTexts({ "src/custom/notes.ts": DIRECTIVES }),
  "REG-004": () => keepsOwnTexts({ "src/custom/notes.ts": ODD, "tools/odd.tsx": `\ufeff${ODD}` }),
  "REG-022": () =>
    keepsOwnTexts({ "test/generated/mine.test.ts": "// mine\n", "test/custom/a.test.ts": "//\n" }),
  "REG-012": async () => {
    const project = copyOf(made);
    for (const folder of [".", "/", "..", "resources"]) {
      expect(await generator(["generate", project, "--out", folder])).toMatchObject({
        exitCode: 2,
      });
    }
    expect(treeOf(project)).toEqual(treeOf(made));
  },
  "REG-029": async () => {
    const project = copyOf(made);
    const clean = ["generate", project, "--require-clean"];
    expect(await generator(clean)).toMatchObject({ exitCode: 2 });
    const git = (...asked: readonly string[]) => execFileSync("git", asked, { cwd: project });
    git("init", "--quiet");
    git("add", "--all");
    const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    git(...author, "commit", "--quiet", "--message", "All of it");
    expect(await generator(clean)).toMatchObject({ exitCode: 0, err: "" });
    writeFileSync(join(project, "notes.txt"), "not committed\n");
    addProperty(project);
    const before = treeOf(project);
    const refused = await generator(clean);
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toContain(" and 1 more), and --require-clean");
    expect(treeOf(project)).toEqual(before);
    // Without the flag nothing of it is touched, so that git has nothing to restore.
    expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
    expect(readFileSync(join(project, "notes.txt"), "utf8")).toBe("not committed\n");
  },
  "REG-048": () => editedMeanwhile((text) => text.replace("string }", "string, colour: string }")),
  "REG-049": () => editedMeanwhile(() => SCHEMAS[NOTES].replace("text:", "line:")),
  "REG-058": async () => {
    const project = copyOf(made);
    writeFileSync(join(project, ".prettierrc"), '{ "semi": false, "tabWidth": 8 }\n');
    writeFileSync(join(project, ".editorconfig"), "root = true\n[*]\nindent_style = tab\n");
    addProperty(project);
    const plain = copyOf(made);
    addProperty(plain);
    const env = { CI: "true", NO_COLOR: "1", HTTP_PROXY: "http://127.0.0.1:1", HOME: undefined };
    await ownProcess(["generate", project], { env: { ...env, FORCE_COLOR: "3" } });
    await generator(["generate", plain]);
    const { ".prettierrc": _own, ".editorconfig": _too, ...tree } = treeOf(project);
    expect(tree).toEqual(treeOf(plain));
  },
  "REG-062": async () => {
    const project = await desk();
    const labels = "resource: labels\nentity: label\nproperties: { title: string }\n";
    project.write("resources/v1/labels.yaml", labels);
    await project.generate();
    const before = generated(project);
    project.remove("resources/v1/labels.yaml");
    await project.generate();
    expect(generated(project)).not.toEqual(before);
    project.write("resources/v1/labels.yaml", labels);
    await project.generate();
    expect(generated(project)).toEqual(before);
  },
  "REG-071": async () => {
    const project = await desk();
    const name = `${"a".repeat(300)}s`;
    project.write(
      NOTES,
      SCHEMAS[NOTES].replace("notes", name).replace("note\n", `${"a".repeat(300)}\n`),
    );
    const before = project.tree();
    expect((await project.generate()).ok).toBe(false);
    expect(project.tree()).toEqual(before);
  },
  "REG-075": async () => {
    const project = await desk();
    project.write("service.yaml", "service: desk\nplugins: [./evil.js]\ntemplates: ./evil\n");
    project.write("generator.config.js", "throw new Error('loaded');\n");
    expect(codesOf(await project.generate())).toEqual(["SCH-7", "SCH-7"]);
    project.write("service.yaml", SCHEMAS["service.yaml"]);
    expect(codesOf(await project.generate())).toEqual([]);
  },
};

const APPLY = "test/unit/apply";
const CRASH = "test/golden/crash.test.ts";
const OWNERSHIP = "test/cli/ownership.test.ts";

/** The cases that are tried elsewhere. */
const HELD: Readonly<Record<string, Held>> = {
  // No file is of both: what a person adds to a generated one is a conflict.
  "REG-002": ["test/golden/user-edits.test.ts", "no byte that a person wrote is lost"],
  "REG-005": [OWNERSHIP, "until --force saves and replaces it"],
  "REG-007": [`${APPLY}/plan.test.ts`, "that were deleted are created again"],
  "REG-014": [`${APPLY}/plan.test.ts`, "with the command that moves it"],
  "REG-015": ["test/types/rename-code.test.ts", "without the flag not even that"],
  "REG-016": ["test/cli/upgrade.test.ts", "--dry-run tells the same, and writes nothing"],
  "REG-017": [OWNERSHIP, "files of a newer generator are refused unless forced"],
  // There are no regions: a marker is an edit like any other.
  "REG-018": ["test/golden/user-edits.test.ts", "no byte that a person wrote is lost"],
  "REG-020": ["test/cli/upgrade.test.ts", "the user's values stay"],
  "REG-023": [`${APPLY}/merged-files.test.ts`, "so is what git could not merge, with its markers"],
  "REG-025": [OWNERSHIP, "without generator.lock equal files are adopted"],
  "REG-026": [OWNERSHIP, "a generator.lock that is $name stops everything"],
  "REG-030": ["test/cli/generate.test.ts", "a second run touches no file"],
  "REG-031": [CRASH, "%s at any step leaves the old or the new tree"],
  "REG-032": [CRASH, "%s at any step of the recovery is recovered from"],
  "REG-034": [CRASH, "the torn journal %j counts as absent"],
  "REG-036": [CRASH, "%s at any step leaves the old or the new tree"],
  // Texts are staged below the project itself; a mount within it is an error of the operating system like any other.
  "REG-037": [CRASH, "%s at any step leaves the old or the new tree"],
  "REG-042": [CRASH, "edited after the journal was written is left alone"],
  "REG-045": [`${APPLY}/process-lock.test.ts`, "a dead holder's lock is taken over"],
  "REG-046": [`${APPLY}/process-lock.test.ts`, "a holder on another machine is alive"],
  "REG-050": [CRASH, "%s at any step leaves the old or the new tree"],
  "REG-054": ["test/golden/laws.test.ts", "the order in which files are found changes nothing"],
  "REG-057": ["test/golden/laws.test.ts", "in another folder, time zone and language"],
  "REG-059": ["docs/nodes.md", "npm run test:nodes"],
  "REG-063": ["test/cli/migrations.test.ts", "a second run finds nothing to do"],
  "REG-064": [OWNERSHIP, "a generated folder that links outside is refused"],
  "REG-065": [OWNERSHIP, "$name where a generated file belongs is reported"],
  "REG-067": [OWNERSHIP, 'name: "a pipe"'],
  "REG-070": ["test/unit/hostile-schemas.test.ts", '"SCH-067"'],
  "REG-072": ["test/cli/init.test.ts", "a folder with something in it is refused"],
  "REG-073": ["test/cli/init.test.ts", "a second init refuses, and changes nothing"],
  "REG-074": ["test/cli/init.test.ts", "%j cannot name a service"],
  "REG-076": ["test/cli/usage.test.ts", "is wrong usage: one clear message"],
};

test("every case of the corpus is tried, here or where it is said", () => {
  expect(gaps(hostileCases("regen"), Object.keys(TRIED), HELD)).toEqual([]);
});

const CASES = hostileCases("regen").flatMap(({ id, what }) => {
  const tried = TRIED[id];
  return tried === undefined ? [] : [{ id, what, tried }];
});
test.each(CASES)("$id $what", async ({ tried }) => {
  await tried();
});

const DIRECTIVES = `/* eslint-disable */
//nolint:all
// @ts-expect-error: on purpose
export const notes: number = "text";
// eslint-disable-next-line no-console
console.log(notes);
`;
const ODD = `#!/usr/bin/env node\r\n/* one\r\n * two */\r\nconst a = \`x\${1}\r\n\`;\r\n@decorated class B { c = /\\/[/]*/u; }\r\nconst d = <p>{a}</p>;\u2028`;

/** What a person wrote stays, byte for byte, whatever is generated anew, forced or not. */
async function keepsOwnTexts(texts: Readonly<Record<string, string>>): Promise<void> {
  const project = copyOf(made);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  addProperty(project);
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0 });
  rmSync(join(project, NOTES));
  writeFileSync(
    join(project, "resources/v1/labels.yaml"),
    "resource: labels\nentity: label\nproperties: { title: string }\n",
  );
  expect(await generator(["generate", project, "--force"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(project, "src/generated/v1/notes"))).toBe(false);
  for (const [path, text] of Object.entries(texts)) {
    expect(readFileSync(join(project, path), "utf8"), path).toBe(text);
  }
}

async function desk(): Promise<MemoryProject> {
  const project = new MemoryProject(SCHEMAS);
  const result = await project.generate();
  expect(result.ok, told(result)).toBe(true);
  return project;
}

/** What follows from the schemas alone. */
function generated(project: MemoryProject): Readonly<Record<string, string>> {
  const own = /\/(?:src\/generated|openapi|test\/generated|docs)\//;
  return Object.fromEntries(Object.entries(project.tree()).filter(([path]) => own.test(path)));
}

/** A schema that is saved after it was read and before the run writes: the run reads again, and writes what it says now. */
async function editedMeanwhile(edit: (text: string) => string): Promise<void> {
  class Interrupting extends MemoryFiles {
    isEdited = false;

    override createFile(path: string, text: string): boolean {
      if (!this.isEdited) {
        this.isEdited = true;
        this.writeFile(`/project/${NOTES}`, edit(this.readText(`/project/${NOTES}`)));
      }
      return super.createFile(path, text);
    }
  }
  const placed = Object.entries(SCHEMAS).map(([path, text]) => [`/project/${path}`, text] as const);
  const files = new Interrupting(Object.fromEntries(placed));
  const { env } = new MemoryProject({});
  const result = await generate({ ...env, files }, { dryRun: false, force: false });
  expect(result.ok, told(result)).toBe(true);
  const wanted = new MemoryProject({ ...SCHEMAS, [NOTES]: edit(SCHEMAS[NOTES]) });
  await wanted.generate();
  const path = "src/generated/entities/notes/notes.entity.ts";
  expect(files.readText(`/project/${path}`)).toBe(wanted.read(path));
}
