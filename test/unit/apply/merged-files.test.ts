import { expect, test } from "vitest";
import { generate } from "../../../src/commands/generate.js";
import { codesOf, MemoryProject } from "../../support/memory-project.js";

const ENTITY = "src/generated/entities/notes/notes.entity.ts";

/** The text of a file, and the lines of the lock, with these properties. */
async function branch(properties: string): Promise<{ text: string; lock: string; yaml: string }> {
  const yaml = `resource: notes\nentity: note\nproperties: ${properties}\n`;
  const project = new MemoryProject({
    "service.yaml": "service: desk\n",
    "resources/v1/notes.yaml": yaml,
  });
  expect(codesOf(await project.generate())).toEqual([]);
  return { text: project.read(ENTITY), lock: project.read("generator.lock"), yaml };
}

/** A project in which git has merged two branches, and left this text; the lock has the lines of both. */
async function merged(
  text: (one: string, other: string) => string,
): Promise<{ project: MemoryProject; codes: readonly string[] }> {
  const [one, other, both] = [
    await branch("{ text: string, colour: string }"),
    await branch("{ text: string, rank: integer }"),
    await branch("{ text: string, colour: string, rank: integer }"),
  ];
  const own = other.lock.split("\n").filter((line) => line.endsWith(`  ${ENTITY}`));
  const project = new MemoryProject({
    "service.yaml": "service: desk\n",
    "resources/v1/notes.yaml": both.yaml,
    "generator.lock": `${one.lock}${own.join("\n")}\n`,
    [ENTITY]: text(one.text, other.text),
  });
  const textsOf = (_root: string, path: string): readonly string[] => {
    if (path === "generator.lock") return [one.lock, other.lock];
    return path === ENTITY ? [one.text, other.text] : [];
  };
  const changedFolders = () => [];
  const env = { ...project.env, merges: () => Promise.resolve({ textsOf, changedFolders }) };
  const result = await generate(env, { dryRun: false, force: false });
  if (result.ok) expect(project.read(ENTITY)).toBe(both.text);
  return { project, codes: codesOf(result) };
}

test("what git made of the generated texts of two branches is generated anew", async () => {
  const lines = (one: string, other: string): string =>
    [...one.split("\n").slice(0, 9), ...other.split("\n").slice(4)].join("\n");
  expect((await merged(lines)).codes).toEqual([]);
});

test("so is what git could not merge, with its markers", async () => {
  const conflicted = (one: string, other: string): string =>
    `<<<<<<< HEAD\n${one}=======\n${other}>>>>>>> other\n`;
  expect((await merged(conflicted)).codes).toEqual([]);
});

test("a line that is in neither of them is somebody's, and nothing is written", async () => {
  const edited = (one: string, other: string): string => `${one}${other}// mine\n`;
  const { project, codes } = await merged(edited);
  expect(codes).toEqual(["OWN-1"]);
  expect(project.read(ENTITY)).toContain("// mine");
});
