import { afterAll, expect, inject, test } from "vitest";
import { compileService, MutantHost } from "../mutants/mutated-services.js";
import { fixtureModel, verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";

const host = new MutantHost();
afterAll(() => host.stop());

test.each(["contract", "golden/levels", "golden/references", "versions"])(
  "the service %s with PostgreSQL keeps every rule that can be seen from outside",
  async (name) => {
    const databaseUrl = schemaUrl(inject("postgresUrl"));
    await makeSchema(databaseUrl);
    const url = await host.start(compileService(name), { databaseUrl });
    const found = await verifyAt(await fixtureModel(name), url, { leave: false });
    expect(
      found.verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one }))),
    ).toEqual([]);
    expect(found.left).toEqual([]);
  },
);
