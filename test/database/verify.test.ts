import { afterAll, expect, inject, test } from "vitest";
import { EventReceiver } from "../../src/verify/event-log.js";
import { serviceFolder } from "../support/service-folders.js";
import { ServiceHost } from "../support/service-host.js";
import { fixtureModel, OF_DATABASES, securedCallers, verifyAt } from "../mutants/verifying.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { cases } from "../support/thorough.js";

const host = new ServiceHost();
afterAll(() => host.stop());
const events = new EventReceiver();
const webhook = await events.listen(0);
afterAll(() => events.close());

const { tokens, authentication } = await securedCallers();

/** Those that a service has to have something for. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  contract: ["QRY-1", "QRY-3", "QRY-5", "OPS-10"],
  secured: ["AUT-1", "AUT-3"],
  versions: ["VER-2", "EVT-1"],
};

/** Each service with the rules that are tried on it; none: all of them. AUT-2 is tried by `aut-2-random-access`. */
const TRIED: Readonly<Record<string, readonly string[]>> = cases({
  usual: {
    contract: OF_DATABASES,
    secured: ["AUT-1", "AUT-3"],
    versions: ["VER-2", "EVT-1"],
  },
  long: { contract: [], secured: [], versions: [], "golden/levels": [], "golden/references": [] },
});

test.each(Object.entries(TRIED))(
  "the service %s with PostgreSQL keeps every rule that can be seen from outside",
  async (name, rules) => {
    const databaseUrl = schemaUrl(inject("postgresUrl"));
    await makeSchema(databaseUrl);
    const isSecured = name === "secured";
    const options = { databaseUrl, ...(isSecured && { authentication }) };
    const url = await host.start(serviceFolder(name), options, webhook);
    const callers = isSecured ? tokens : [];
    const model = await fixtureModel(name);
    const found = await verifyAt(model, url, { leave: false, rules, tokens: callers, events });
    expect(
      found.verdicts.flatMap(({ rule, failures }) => failures.map((one) => ({ rule, ...one }))),
    ).toEqual([]);
    expect(found.left).toEqual([]);
    const passed = found.verdicts.filter(({ outcome }) => outcome === "pass");
    expect(passed.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([...(PASSED[name] ?? [])]),
    );
  },
);
