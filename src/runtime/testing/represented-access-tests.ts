import assert from "node:assert/strict";
import { test } from "node:test";

import { createdBy } from "./client.js";
import { allCallers, allRoles, entityStatuses } from "./reach.js";
import { canCreate, type ResourceFacts } from "./resource-facts.js";
import { assertStatusAmong } from "./status-among.js";
import { CREATOR, type Suite } from "./suite.js";

/** AUT-2, REP-7: another name for an entity shows it to whom that name is given, whatever the original's own says. */
export function representedAccessTests(suite: Suite, original: ResourceFacts): void {
  const { facts, client, headersOf } = suite;
  if (!canCreate(original) || !facts.operations.includes("read")) return;
  for (const [name, caller] of Object.entries(allCallers(facts))) {
    test(`AUT-2: what ${name} may read of what ${original.path} holds`, async () => {
      const creator = { subject: CREATOR, roles: allRoles(original) };
      const made = createdBy(
        await client()
          .as(await headersOf(creator), original)
          .create(),
      );
      const asking = client().as(caller === null ? {} : await headersOf(caller));
      const read = await asking.get(asking.pathOf(made));
      const wanted = entityStatuses(facts, "read", caller);
      // What its conditions leave out is not there.
      const isOutside = facts.isFiltered === true && wanted.includes(200);
      assertStatusAmong(read, isOutside ? [...wanted, 404] : wanted, "read");
      if (!facts.operations.includes("list")) return;
      for (const path of [
        facts.path,
        ...(facts.aliases ?? []).map((one) => `${facts.path}/${one}`),
      ]) {
        const listed = await asking.get(`${path}?sort=-createdDate`);
        const isShown = listed.status === 200 && asking.lists(listed, made);
        if (isShown || path === facts.path) assert.equal(isShown, read.status === 200, path);
      }
    });
  }
}
