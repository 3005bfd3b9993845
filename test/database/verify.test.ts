import { afterAll, expect, inject, test } from "vitest";
import { CHECKS } from "../../src/verify/checks.js";
import { BODIES } from "../../src/verify/checks/bodies-on-the-wire.js";
import { ERRORS } from "../../src/verify/checks/errors.js";
import { LIMITS } from "../../src/verify/checks/limits.js";
import { METHODS } from "../../src/verify/checks/methods.js";
import { NAMING } from "../../src/verify/checks/naming.js";
import { PARAMETERS } from "../../src/verify/checks/parameters.js";
import { VALIDATION } from "../../src/verify/checks/validation.js";
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

/** Those that a service has to have something for. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  contract: ["QRY-1", "QRY-3", "QRY-5", "OPS-10"],
  secured: ["AUT-2", "AUT-3"],
  versions: ["VER-2", "EVT-1"],
};

/** What is answered before the database is asked, or the same whatever it answers, is tried on SQLite. */
const OF_NO_DATABASE = new Set(
  [NAMING, BODIES, METHODS, PARAMETERS, ERRORS, VALIDATION, LIMITS].flat().map(({ rule }) => rule),
);
const OF_DATABASES = CHECKS.map(({ rule }) => rule).filter((rule) => !OF_NO_DATABASE.has(rule));

/** Each service with the rules that are tried on it; none: all of them. Random access is tried by `aut-2-random-access`. */
const TRIED: Readonly<Record<string, readonly string[]>> = cases({
  usual: { contract: OF_DATABASES, versions: ["VER-2", "EVT-1"] },
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
