import { afterAll, expect, inject, test } from "vitest";
import { compileService, MutantHost } from "../mutants/mutated-services.js";
import { fixtureModel, verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";

const host = new MutantHost();
afterAll(() => host.stop());

test("a service with PostgreSQL keeps every rule that can be seen from outside", async () => {
  const databaseUrl = schemaUrl(inject("postgresUrl"));
  await makeSchema(databaseUrl);
  const url = await host.start(compileService("contract"), { databaseUrl });
  const found = await verifyAt(await fixtureModel("contract"), url, { leave: false });
  expect(
    found.verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one }))),
  ).toEqual([]);
  expect(found.left).toEqual([]);
});
