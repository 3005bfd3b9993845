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

/** The names of the resources of a version that the page shows. */
function shownIn(version: string): readonly string[] {
  return Object.keys(SHOWN).flatMap(
    (path) => new RegExp(`^resources/${version}/(.+)\\.yaml$`).exec(path)?.[1] ?? [],
  );
}

/** The same, where the next version has no others than those that the page shows. */
const removed = shownIn("v1").filter((name) => !shownIn("v2").includes(name));
const words = removed.map((name) => `${name}: not shown`).join(", ");
const service = SHOWN["service.yaml"] ?? "";
const FILES = {
  ...SHOWN,
  "service.yaml": service.replace("v2: draft", `v2: { status: draft, removed: { ${words} } }`),
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
