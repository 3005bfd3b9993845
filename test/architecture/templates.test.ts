import { expect, test } from "vitest";
import {
  RESOURCE_ARTIFACTS,
  SERVICE_ARTIFACTS,
  SETTINGS_ARTIFACTS,
  LIST_ARTIFACTS,
  PAIR_ARTIFACTS,
} from "../../src/artifacts/artifacts.js";
import {
  CLIENT_ARTIFACTS,
  CLIENT_RESOURCE_ARTIFACTS,
} from "../../src/artifacts/client/client-artifacts.js";
import { ENTITY_ARTIFACTS } from "../../src/artifacts/entity-artifacts.js";
import { SCAFFOLD_ARTIFACTS } from "../../src/artifacts/scaffold.js";
import { filesBelow, parsed, sample, textOf } from "./source-tree.js";
import { shapeFindings } from "./template-shape.js";
import { usageOf, viewName, viewsOf, type Usage } from "./view-fields.js";

const ARTIFACTS = [
  ...CLIENT_ARTIFACTS,
  ...CLIENT_RESOURCE_ARTIFACTS,
  ...ENTITY_ARTIFACTS,
  ...RESOURCE_ARTIFACTS,
  ...SERVICE_ARTIFACTS,
  ...SETTINGS_ARTIFACTS,
  ...LIST_ARTIFACTS,
  ...PAIR_ARTIFACTS,
  ...SCAFFOLD_ARTIFACTS,
].filter((artifact) => "template" in artifact);
const TEMPLATES = filesBelow("templates")
  .filter((path) => path.endsWith(".hbs"))
  .map((path) => ({ path, text: textOf(path) }));
const PARTIALS = new Map(
  TEMPLATES.filter(({ path }) => path.startsWith("templates/partials/")).map(({ path, text }) => [
    path.slice("templates/partials/".length, -".hbs".length),
    text,
  ]),
);
const SOURCES = parsed(["src/artifacts", "src/model"]);
const VIEWS = viewsOf(SOURCES);

test("every template stands in a table, and every entry of a table has a template", () => {
  const files = TEMPLATES.map(({ path }) => path).filter((path) => !path.includes("/partials/"));
  const entries = new Set(ARTIFACTS.map(({ template }) => `templates/${template}.hbs`));
  expect(files.sort()).toEqual([...entries].sort());
});

test("every partial is used", () => {
  const all = TEMPLATES.map(({ text }) => text).join("");
  expect([...PARTIALS.keys()].filter((name) => !all.includes(`{{> ${name}}}`))).toEqual([]);
});

test("templates are short, shallow, and decide nothing", () => {
  expect(TEMPLATES.flatMap(({ path, text }) => shapeFindings(path, text))).toEqual([]);
});

test("a template prints nothing that its view does not have", () => {
  expect(usages().flatMap(({ unknown }) => unknown)).toEqual([]);
});

test("every field of a view is used by its template, and a shared one by some template", () => {
  const used = new Set(usages().flatMap((usage) => [...usage.used]));
  const offered = new Set(usages().flatMap((usage) => [...usage.offered]));
  expect([...offered].filter((field) => !used.has(field))).toEqual([]);
});

test.each([
  { name: "a helper", text: "{{upper name}}\n" },
  { name: "a comparison", text: "{{#if (eq a b)}}\na\n{{/if}}\n" },
  { name: "another block", text: "{{#unless flag}}\na\n{{/unless}}\n" },
  { name: "an else", text: "{{#if flag}}\na\n{{else}}\nb\n{{/if}}\n" },
  { name: "a path of two steps", text: "{{name.first}}\n" },
  { name: "the element itself", text: "{{this}}\n" },
  { name: "a private variable", text: "{{@index}}\n" },
  { name: "an unescaped value", text: "{{{name}}}\n" },
  { name: "a comment", text: "{{! why }}\n" },
  { name: "a partial with arguments", text: "{{> header size=1}}\n" },
  { name: "a block tag beside text", text: "a {{#if flag}}\nb\n{{/if}}\n" },
  { name: "a block that ends in a blank line", text: "{{#if flag}}\na\n\n{{/if}}\n" },
  { name: "a block three deep", text: deep(3) },
  { name: "a long template", text: "a\n".repeat(121) },
])("$name is refused in a template", ({ text }) => {
  expect(shapeFindings("a.hbs", text)).not.toEqual([]);
});

test("a block two deep that begins with its separating blank line is fine", () => {
  expect(shapeFindings("a.hbs", deep(2))).toEqual([]);
});

test("a field that no template uses, and a name that no view has, are found", () => {
  const file = sample(
    "src/artifacts/a-view.ts",
    `interface Base { readonly shared: string }
     interface A extends Base { readonly list: readonly { readonly name: string }[]; readonly more: string }`,
  );
  const views = viewsOf([file]);
  const template = { path: "a.hbs", text: "{{#each list}}\n{{nam}} {{../shared}}\n{{/each}}\n" };
  const view = views.get("A");
  if (view === undefined) throw new Error("there is no A");
  const { used, offered, unknown } = usageOf(template, view, views, new Map());
  expect([...used]).toEqual(["A.list", "Base.shared"]);
  expect([...offered].filter((field) => !used.has(field))).toEqual(["A.list.name", "A.more"]);
  expect(unknown).toEqual(["a.hbs: no field for {{nam}}"]);
});

function usages(): Usage[] {
  return ARTIFACTS.map(({ template, view: makesView }) => {
    const path = `templates/${template}.hbs`;
    const view = VIEWS.get(viewName(SOURCES, makesView.name));
    if (view === undefined) throw new Error(`${path} has no view`);
    return usageOf({ path, text: textOf(path) }, view, VIEWS, PARTIALS);
  });
}

function deep(levels: number): string {
  const open = Array.from({ length: levels }, () => "{{#each list}}\n\n").join("");
  return `${open}{{name}}\n${"{{/each}}\n".repeat(levels)}`;
}
