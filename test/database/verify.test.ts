import { afterAll, expect, inject, test } from "vitest";
import { EventReceiver } from "../../src/verify/event-log.js";
import { serviceFolder } from "../support/service-folders.js";
import { ServiceHost } from "../support/service-host.js";
import { fixtureModel, securedCallers, verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { cases } from "../support/thorough.js";

const host = new ServiceHost();
afterAll(() => host.stop());
const events = new EventReceiver();
const webhook = await events.listen(0);
afterAll(() => events.close());

const { tokens, authentication } = await securedCallers();

const TRIED = ["versions", "secured", "contract"];
const MORE = ["golden/levels", "golden/references"];

test.each(cases({ usual: TRIED, long: [...TRIED, ...MORE] }))(
  "the service %s with PostgreSQL keeps every rule that can be seen from outside",
  async (name) => {
    const databaseUrl = schemaUrl(inject("postgresUrl"));
    await makeSchema(databaseUrl);
    const isSecured = name === "secured";
    const options = { databaseUrl, ...(isSecured && { authentication }) };
    const url = await host.start(serviceFolder(name), options, webhook);
    const callers = isSecured ? tokens : [];
    const model = await fixtureModel(name);
    const found = await verifyAt(model, url, { leave: false, tokens: callers, events });
    expect(
      found.verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one }))),
    ).toEqual([]);
    expect(found.left).toEqual([]);
    const announced = found.verdicts.find(({ rule }) => rule === "EVT-1");
    expect(announced?.outcome).toBe(name === "versions" ? "pass" : "skipped");
  },
);
