import type { ResourceModel } from "../../model/resource-model.js";
import { askingAs } from "../asking.js";
import { isSameSubject, type Caller } from "../caller.js";
import { isWithin } from "../conditions.js";
import { makeAs } from "../make-as.js";
import { isObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";
import { fulfilling } from "./candidates.js";
import { inLists, operations } from "./entity-access.js";
import { collection, listed } from "./list-access.js";

/** AUT-2: an alias shows to each caller what its collection does, of what the caller has made and of what others have. */
export async function aliasAccess(
  trial: Trial,
  resource: ResourceModel,
  everybody: readonly Caller[],
): Promise<void> {
  if (resource.aliases.length === 0) return;
  for (const caller of everybody) {
    for (const owner of ownersFor(trial, { resource, caller, everybody })) {
      const made = await makeAs(trial, resource, owner);
      const entity = made === null ? undefined : trial.object(made, 201);
      if (entity !== undefined) await inLists(trial, resource, { entity, owner, caller });
    }
  }
}

/** AUT-2, REP-7: another name gives access to whom it says, whatever the original's own says. */
export async function representedAccess(
  trial: Trial,
  original: ResourceModel,
  everybody: readonly Caller[],
): Promise<void> {
  const shown = trial.session.everyResource.filter(
    ({ isRepresentation, entity, version }) =>
      isRepresentation && entity === original.entity && version === original.version,
  );
  for (const resource of shown) {
    for (const caller of everybody) await collection(trial, resource, caller);
    for (const caller of everybody) {
      const owners = ownersFor(trial, { resource: original, caller, everybody });
      for (const owner of owners) await seen(trial, { original, resource, owner, caller });
    }
    for (const caller of everybody) await listed(trial, resource, caller);
  }
}

interface Choice {
  readonly resource: ResourceModel;
  readonly caller: Caller;
  readonly everybody: readonly Caller[];
}

/** The caller itself and one other, as far as they may make an entity. */
function ownersFor({ session }: Trial, { resource, caller, everybody }: Choice): readonly Caller[] {
  const makers = everybody.filter((one) => session.mayMake(resource, one));
  const isOther = (one: Caller): boolean =>
    one !== caller && !isSameSubject(one, caller, session.model);
  return [...makers.filter((one) => one === caller), ...makers.filter(isOther).slice(0, 1)];
}

interface Pair {
  readonly original: ResourceModel;
  readonly resource: ResourceModel;
  readonly owner: Caller;
  readonly caller: Caller;
}

/** What somebody has made by the original's name, asked for by the other. */
async function seen(trial: Trial, { original, resource, owner, caller }: Pair): Promise<void> {
  const { conditions } = resource;
  const made = await makeAs(trial, original, owner, (body) =>
    fulfilling(original, conditions, { body, now: trial.session.options.now() }),
  );
  const entity = made?.answer.json;
  if (made?.answer.status !== 201 || !isObject(entity)) return;
  const asking = askingAs(trial.session, original, caller);
  const isThere = isWithin(original, conditions, entity, asking);
  if (isThere === null) return;
  const asked = { entity, owner, caller, isOutside: !isThere };
  await inLists(trial, resource, asked);
  await operations(trial, resource, asked);
}
