import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { FIXTURES, serviceFolder } from "../support/service-folders.js";
import { ownTests } from "../support/own-tests.js";
import { randomProject } from "../support/random-schema.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";

/** Of schemas that somebody could fulfil: a list of different values has to have enough of them. */
const SEED = 7;

test.each(FIXTURES)("%s passes its own tests on SQLite", async (name) => {
  const { passed, said } = await ownTests(name);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(0);
});

test("services of random schemas pass their own tests", async () => {
  for (const [index, files] of fc.sample(randomProject, { numRuns: 5, seed: SEED }).entries()) {
    const { outputs } = await renderValid(files);
    const name = `random/${index}`;
    const texts = outputs.map(({ path, text }) => [path, text ?? ""] as const);
    writeTree(serviceFolder(name), Object.fromEntries(texts));
    const { passed, said } = await ownTests(name);
    expect(said, files["service.yaml"]).toBe("");
    expect(passed).toBeGreaterThan(0);
  }
});

test("the shop passes its own tests on PostgreSQL", async () => {
  const { passed, said } = await ownTests("shop", {
    settings: { TEST_DATABASE_URL: inject("postgresUrl") },
    asShipped: true,
  });
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(0);
});

test("a database that is not there makes them fail", async () => {
  const { said } = await ownTests("small-limits", {
    settings: { TEST_DATABASE_URL: "postgres://127.0.0.1:1/none" },
  });
  expect(said).toContain("ECONNREFUSED");
});
