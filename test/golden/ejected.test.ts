import { join } from "node:path";
import { expect, test } from "vitest";
import { eject, ejectableTemplates } from "../../src/commands/eject.js";
import { ejectable, templateSource } from "../../src/render/template-sources.js";
import { MemoryProject, codesOf, told } from "../support/memory-project.js";
import { readTree } from "../support/read-tree.js";
import { emittedTexts, renderValid, type Texts } from "../support/render-files.js";
import { GOLDEN_CASES, goldenTexts } from "./golden-cases.js";

const ENTITY = "entity/entity.ts";
const COPY = `ejected/${ENTITY}.hbs`;
const EMITTED = "src/generated/entities/notes/notes.entity.ts";
const SCHEMAS = {
  "service.yaml": "service: desk\n",
  "resources/v1/notes.yaml": "resource: notes\nentity: note\nproperties: { text: string }\n",
};

const ALL_COPIES: Texts = Object.fromEntries(
  ejectable().map((name) => [`ejected/${name}.hbs`, templateSource(name) ?? ""]),
);

test.each(GOLDEN_CASES)("with a copy of every template %s is emitted as without", async (name) => {
  const tree = Object.entries(readTree(join("fixtures/golden", name)));
  const schemas = tree.filter(([path]) => !path.startsWith("expected/"));
  const texts = emittedTexts(
    await renderValid({ ...(Object.fromEntries(schemas) as Texts), ...ALL_COPIES }),
  );
  expect(texts).toMatchObject(await goldenTexts(name));
});

async function generated(): Promise<MemoryProject> {
  const project = new MemoryProject(SCHEMAS);
  expect(codesOf(await project.generate())).toEqual([]);
  return project;
}

test("a copy is used in place of the generator's template, and is never written again", async () => {
  const project = await generated();
  const before = project.read(EMITTED);
  expect(eject(project.env, ENTITY)).toMatchObject({ ok: true });
  await project.generate();
  expect(project.read(EMITTED)).toBe(before);
  const declared = "export interface {{typeName}} extends";
  project.edit(COPY, declared, `/** Ours. */\n${declared}`);
  const copy = project.read(COPY);
  await project.generate();
  expect(project.read(EMITTED)).toContain("/** Ours. */\nexport interface Note ");
  project.edit("resources/v1/notes.yaml", "text: string", "text: string, rank: integer");
  expect(codesOf(await project.generate())).toEqual([]);
  expect(project.read(EMITTED)).toContain("rank: number | null;");
  expect(project.read(EMITTED)).toContain("/** Ours. */");
  expect(project.read(COPY)).toBe(copy);
  project.remove(COPY);
  await project.generate();
  expect(project.read(EMITTED)).not.toContain("Ours");
});

test("a copy of a partial is used by all templates that have it", async () => {
  const project = await generated();
  eject(project.env, "partials/header");
  project.edit("ejected/partials/header.hbs", "DO NOT EDIT.", "DO NOT EDIT. (desk)");
  await project.generate();
  const texts = Object.values(project.tree()).filter((text) => text.includes("(desk)"));
  // The copy itself is one of them.
  expect(texts.length).toBeGreaterThan(8);
});

test("a copy of an older text warns on every run until somebody has taken over what has changed", async () => {
  const project = await generated();
  eject(project.env, ENTITY);
  const copy = project.read(COPY);
  project.write(COPY, copy.replace(/template [0-9a-f]{12}/, "template 000000000000"));
  for (let run = 0; run < 2; run += 1) {
    const result = await project.generate();
    expect(result.ok).toBe(true);
    expect(told(result)).toContain(`${COPY}:1:1  warning  SCH-267`);
  }
  expect(eject(project.env, ENTITY)).toMatchObject({
    value: { changes: [{ kind: "created", path: `${COPY}.new` }] },
  });
  expect(project.read(`${COPY}.new`)).toBe(copy);
  project.write(COPY, copy);
  project.remove(`${COPY}.new`);
  expect(codesOf(await project.generate())).toEqual([]);
});

test("a copy that is there is never replaced", async () => {
  const project = await generated();
  project.write(COPY, "mine\n");
  eject(project.env, ENTITY);
  expect(project.read(COPY)).toBe("mine\n");
  project.write(`${COPY}.new`, "mine as well\n");
  expect(() => eject(project.env, ENTITY)).toThrow("is there already");
  expect(project.read(`${COPY}.new`)).toBe("mine as well\n");
});

test.each([
  { path: "ejected/entity/entities.ts.hbs", text: "", want: "1:1  error  SCH-263" },
  { path: COPY, text: "a\n{{#if typeName}}\n", want: "error  SCH-264" },
  { path: COPY, text: "a\n  {{upper typeName}}\n", want: "2:3  error  SCH-265" },
  { path: COPY, text: "{{#with typeName}}x{{/with}}\n", want: "1:1  error  SCH-265" },
  { path: COPY, text: "{{> header}}\n{{typename}}\n", want: "2:1  error  SCH-266" },
  { path: COPY, text: "{{> haeder}}\n", want: "1:1  error  SCH-266" },
  { path: COPY, text: "{{constructor}}\n", want: "1:1  error  SCH-266" },
  { path: COPY, text: "{{#each fields}}{{../../name}}{{/each}}\n", want: "1:17  error  SCH-266" },
])("$text in $path is refused, and nothing is written", async ({ path, text, want }) => {
  const project = await generated();
  project.write(path, text);
  const before = project.tree();
  const result = await project.generate();
  expect(result.ok).toBe(false);
  expect(told(result)).toContain(want);
  expect(project.tree()).toEqual(before);
});

test("what is not a template is nobody's business, and what init makes once cannot be ejected", async () => {
  const project = await generated();
  project.write("ejected/README.md", "why\n");
  expect(codesOf(await project.generate())).toEqual([]);
  expect(() => eject(project.env, "scaffold/main.ts")).toThrow("no template");
  expect(() => eject(project.env, "entity/stor.ts")).toThrow('Did you mean "entity/store.ts"?');
  expect(ejectableTemplates().map(({ name }) => name)).toContain("resource/controller.ts");
});
