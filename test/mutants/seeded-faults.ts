import { afterAll, expect, test } from "vitest";
import { EventReceiver } from "../../src/verify/event-log.js";
import { ServiceHost } from "../support/service-host.js";
import { mutate } from "./mutated-services.js";
import { MUTANTS } from "./mutants.js";
import { fixtureModel, securedCallers, tenantCallers, verifyAt } from "./verifying.js";

/** Into so many files they are divided, which run side by side. */
const PARTS = 4;

/** Tries whether verify notices the seeded faults of one part, each in a service of its own. */
export async function noticesFaults(part: 0 | 1 | 2 | 3): Promise<void> {
  const host = new ServiceHost();
  afterAll(() => host.stop());
  const callersOf = {
    secured: await securedCallers(),
    tenants: await tenantCallers(),
  };
  const events = new EventReceiver();
  const webhook = await events.listen(0);
  afterAll(() => events.close());
  const models = {
    contract: await fixtureModel("contract"),
    deprecated: await fixtureModel("deprecated"),
    "golden/levels": await fixtureModel("golden/levels"),
    "golden/references": await fixtureModel("golden/references"),
    limited: await fixtureModel("limited"),
    secured: await fixtureModel("secured"),
    "small-limits": await fixtureModel("small-limits"),
    tenants: await fixtureModel("tenants"),
    versions: await fixtureModel("versions"),
  };
  const own = MUTANTS.filter((_, index) => index % PARTS === part);
  test.each(own)("$rule is found broken: $why", async (mutant) => {
    const { service = "contract", rule } = mutant;
    const isNamed = service === "secured" || service === "tenants";
    const { tokens = [], authentication } = isNamed ? callersOf[service] : {};
    const folder = await mutate(mutant, `mutant-${MUTANTS.indexOf(mutant)}`);
    const url = await host.start(
      folder,
      authentication === undefined ? {} : { authentication },
      webhook,
    );
    const asked = { tokens, rules: [rule], events, mostFailures: 1 };
    const found = await verifyAt(models[service], url, asked);
    expect(found.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
  });
}
