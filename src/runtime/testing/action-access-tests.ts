import { test } from "node:test";

import type { AccessRules } from "../auth/access.js";
import { allCallers, entityStatuses, mayAny } from "./reach.js";
import type { ActionFacts, ResourceFacts } from "./resource-facts.js";
import { assertStatusAmong } from "./status-among.js";
import type { Suite } from "./suite.js";

/** What no action takes: who may do it is told so, and nothing is done. */
const UNKNOWN = JSON.stringify({ noSuchProperty: 1 });

/** AUT-2: who may do each action (OPS-11). */
export function actionAccessTests({ facts, client, headersOf }: Suite): void {
  for (const action of facts.actions ?? []) {
    for (const [name, caller] of Object.entries(allCallers(facts))) {
      test(`AUT-2: whether ${name} may do ${action.name}`, async () => {
        const asking = client().as(caller === null ? {} : await headersOf(caller));
        if (action.on === "collection") {
          const answer = await asking.send("POST", `${facts.path}/${action.name}`, UNKNOWN);
          const refused = caller === null ? 401 : 403;
          assertStatusAmong(answer, [mayAny(action.grants, caller) ? 400 : refused], action.name);
          return;
        }
        const made = await client().createIfOffered();
        if (made === null) return;
        const path = `${client().pathOf(made)}/${action.name}`;
        const statuses = entityStatuses(withGrants(facts, action), "update", caller);
        const wanted = statuses.map((status) => (status === 200 ? 400 : status));
        assertStatusAmong(await asking.send("POST", path, UNKNOWN), wanted, action.name);
      });
    }
  }
}

/** An action on an entity is asked about as a change of it is. */
function withGrants(facts: ResourceFacts, { grants }: ActionFacts): ResourceFacts {
  const access: AccessRules = { ...facts.access, update: grants };
  return { ...facts, access };
}
