import { expect, test } from "vitest";
import { checkProject } from "../unit/validate/check-project.js";
import { textOf } from "./source-tree.js";

const PAGE = textOf("docs/schemas.md");

/** The files that the page shows, by path. */
const SHOWN = Object.fromEntries(
  [...PAGE.matchAll(/```yaml\n# (\S+)\n([^]*?)```/g)].map(([, path = "", text = ""]) => [
    path,
    text,
  ]),
);

/** The same with those of the next version that the page leaves to `generator version`. */
const FILES = {
  ...Object.fromEntries(
    Object.keys(SHOWN).flatMap((path): [string, string][] => {
      const [, name] = /^resources\/v1\/(.+)\.yaml$/.exec(path) ?? [];
      return name === undefined
        ? []
        : [[`resources/v2/${name}.yaml`, `resource: ${name}\nsameAs: v1\n`]];
    }),
  ),
  ...SHOWN,
};

test("the files that the page of the schemas shows make a project without a mistake", async () => {
  expect(Object.keys(FILES).length).toBeGreaterThan(5);
  expect(await checkProject(FILES)).toMatchObject({ ok: true, diagnostics: [] });
});

/** Every key that a JSON Schema has, at any depth. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (["examples", "default"].includes(keyword)) return [];
    if (keyword === "definitions") return Object.values(Object(value)).flatMap(keysOf);
    if (keyword !== "properties") return keysOf(value);
    return Object.entries(Object(value)).flatMap(([key, described]) => [key, ...keysOf(described)]);
  });
}

/** Said of a version that is more than a draft. */
const LATER = ["status", "deprecated", "sunset"];

test.each(["service", "resource"])("the page names every keyword of %s.schema.json", (name) => {
  const keys = keysOf(JSON.parse(textOf(`schemas/${name}.schema.json`)));
  const tables = PAGE.split("\n").filter((line) => /^(?:\||`where`)/.test(line));
  const code = [...tables.join("\n").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const named = new Set(code.flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? []));
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !named.has(key) && !LATER.includes(key))).toEqual([]);
});
