import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { compilerErrors, wholeService } from "../../support/compiled-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { cases } from "../../support/thorough.js";
import { Trials } from "../../random/trial-of-service.js";

const trials = new Trials(null);
afterAll(() => trials.stop());

/** Each schema of the cookbook, by the path in its first line. */
const BLOCKS: readonly (readonly [path: string, text: string])[] = [
  ...readFileSync("docs/modelling.md", "utf8").matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g),
].map(([, path = "", text = ""]) => [path, text]);

const ALL: Texts = Object.fromEntries(BLOCKS);

/** The code of its own that the cookbook shows, likewise. */
const CODE: Texts = Object.fromEntries(
  [...readFileSync("docs/modelling.md", "utf8").matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
    ([, path = "", text = ""]) => [path, text],
  ),
);

/** A schema with those that it names, and those that they name. */
function withNamed(path: string): Texts {
  const text = ALL[path] ?? "";
  const named = [...text.matchAll(/(?:reference|parent|represents): (\w+)/g)]
    .map(([, plural = ""]) => `resources/v1/${plural}.yaml`)
    .filter((other) => other !== path && other in ALL);
  return Object.assign({ [path]: text }, ...named.map(withNamed)) as Texts;
}

test("every block of the cookbook is a schema of its own", () => {
  const marked = readFileSync("docs/modelling.md", "utf8").match(/```yaml/g) ?? [];
  expect(BLOCKS).toHaveLength(marked.length);
  expect(Object.keys(ALL)).toHaveLength(BLOCKS.length);
});

/** Each is a service that keeps every rule; `npm test` tries some alone. */
const EACH = cases({ usual: 20, long: 1 });
const RECIPES = BLOCKS.map(([path]) => path).filter((path) => path !== "service.yaml");

test.each(RECIPES.filter((_, index) => index % EACH === 0))(
  "the service of the recipe in %s keeps every rule",
  async (path) => {
    const { "service.yaml": service = "" } = ALL;
    const schemas = { "service.yaml": service, ...withNamed(path) };
    const code = "resources/v1/orders.yaml" in schemas ? CODE : {};
    const name = `cookbook-${RECIPES.indexOf(path)}`;
    expect(
      await trials.failures({ schemas, code, isSecured: true }, { name, leave: true }),
    ).toEqual([]);
  },
);

test("all recipes together are a service that keeps every rule", async () => {
  const service = { schemas: ALL, code: CODE, isSecured: true };
  expect(await trials.failures(service, { name: "cookbook", leave: true })).toEqual([]);
});

test("all recipes together are a service that compiles, with the code that they show", async () => {
  expect(Object.keys(CODE)).toEqual(["src/custom/orders.ts"]);
  const service = await wholeService(await renderValid(ALL), CODE);
  expect(await compilerErrors("modelling", { modelling: service })).toBe("");
});
