import { afterAll, expect, inject, test } from "vitest";
import { compileService, MutantHost } from "../mutants/mutated-services.js";
import { fixtureModel, verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";

const host = new MutantHost();
afterAll(() => host.stop());

test.each(["contract", "golden/levels", "golden/references"])(
  "the service of fixtures/%s keeps every rule that can be seen from outside with PostgreSQL",
  async (fixture) => {
    const databaseUrl = schemaUrl(inject("postgresUrl"));
    await makeSchema(databaseUrl);
    const url = await host.start(compileService(fixture), { databaseUrl });
    const found = await verifyAt(await fixtureModel(fixture), url, { leave: false });
    expect(
      found.verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one }))),
    ).toEqual([]);
    expect(found.left).toEqual([]);
  },
);
