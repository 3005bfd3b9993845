import { afterAll, expect, test } from "vitest";
import { compilerErrors, wholeService } from "../../support/compiled-service.js";
import { BLOCKS_OF_YAML, CODE, SCHEMAS } from "../../support/cookbook.js";
import { expectSuccess } from "../../support/expect-success.js";
import { renderValid, type Texts } from "../../support/render-files.js";
import { cases } from "../../support/thorough.js";
import type { Make } from "../../../src/verify/samples.js";
import { Trials } from "../../random/trial-of-service.js";
import { samplesIn } from "./sampled-projects.js";

const trials = new Trials(null);
afterAll(() => trials.stop());

/** A schema with those that it names, and those that they name. */
function withNamed(path: string): Texts {
  const text = SCHEMAS[path] ?? "";
  const named = [...text.matchAll(/(?:reference|parent|represents): (\w+)/g)]
    .map(([, plural = ""]) => `resources/v1/${plural}.yaml`)
    .filter((other) => other !== path && other in SCHEMAS);
  return Object.assign({ [path]: text }, ...named.map(withNamed)) as Texts;
}

test("every block of the cookbook is a schema of its own", () => {
  expect(Object.keys(SCHEMAS)).toHaveLength(BLOCKS_OF_YAML);
});

/** Each booking has a room of its own: the hook refuses one that overlaps another, or ends before it starts. */
const GIVEN = {
  bookings: async (make: Make) => ({
    room: await make("rooms"),
    start: "2026-03-02T09:00:00.000Z",
    end: "2026-03-02T10:00:00.000Z",
  }),
};

async function failures(schemas: Texts, name: string): Promise<readonly string[]> {
  const given = "resources/v1/bookings.yaml" in schemas ? GIVEN : {};
  const samples = expectSuccess(await samplesIn(given, schemas));
  const service = { schemas, code: CODE, isSecured: true };
  return trials.failures(service, { name, leave: true, samples });
}

/** Each is a service that keeps every rule; `npm test` tries some alone. */
const EACH = cases({ usual: 20, long: 1 });
const RECIPES = Object.keys(SCHEMAS).filter((path) => path !== "service.yaml");

test.each(RECIPES.filter((_, index) => index % EACH === 0))(
  "the service of the recipe in %s keeps every rule",
  async (path) => {
    const schemas = { ...withNamed("service.yaml"), ...withNamed(path) };
    expect(await failures(schemas, `cookbook-${RECIPES.indexOf(path)}`)).toEqual([]);
  },
);

test("all recipes together are a service that keeps every rule", async () => {
  expect(await failures(SCHEMAS, "cookbook")).toEqual([]);
});

test("all recipes together are a service that compiles, with the code that they show", async () => {
  expect(Object.keys(CODE)).toContain("src/custom/orders.ts");
  const service = await wholeService(await renderValid(SCHEMAS), CODE);
  expect(await compilerErrors("modelling", { modelling: service })).toBe("");
});
