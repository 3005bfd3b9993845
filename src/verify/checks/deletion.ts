import type { ReferrerModel } from "../../model/entity-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { CannotMake, moment, pathOf, type Check } from "../check.js";
import { bring, deletable } from "../bring.js";
import { mayDo } from "../caller.js";
import { isSendable } from "../sendable.js";
import { fullBody } from "../bodies.js";
import { firstAt, withFirstAt } from "../places.js";
import { isList, isObject, type Json, type JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";
import { eachChild, makeIn, type Child } from "./children.js";

/** CHD-4: what becomes of those who refer to what is deleted, and of those who belong to it. */
export const DELETION: readonly Check[] = [
  {
    rule: "CHD-4",
    run: async (trial) => {
      await referrers(trial);
      await eachChild(trial, withParent);
    },
  },
];

async function referrers(trial: Trial): Promise<void> {
  const where = ({ entity }: ResourceModel): boolean => entity.referrers.length > 0;
  const otherwise = "nothing refers to a resource";
  await trial.each({ needs: ["create", "delete"], where, otherwise }, async (resource) => {
    for (const referrer of resource.entity.referrers) {
      await trial.attempt(async () => deletion(trial, resource, referrer));
    }
  });
}

/** A referrer keeps what it refers to, or lets go of it, as the schema says. */
async function deletion(
  trial: Trial,
  resource: ResourceModel,
  { name, property, onDelete }: ReferrerModel,
): Promise<void> {
  const other = trial.session.resources.find(
    ({ name: own, version }) => own.plural === name.plural && version === resource.version,
  );
  const needs =
    other === undefined ? "it is not served" : trial.session.obstacle(other, ["create"]);
  if (other === undefined || needs !== null) throw new CannotMake(`${name.plural}: ${needs}`);
  if (!isSendable(other.properties, property)) {
    throw new CannotMake(`${name.plural}: only the service writes ${property}`);
  }
  await trial.prepare(other);
  const { idProperty, typeName } = resource.name;
  const target = await trial.makeReferred(resource);
  const reference: Json = { [idProperty]: target[idProperty] ?? null };
  const body = fullBody(other, trial.session.nextSeed());
  const isInside = property.includes(".");
  if (isInside && firstAt(body, property) === null) {
    throw new CannotMake(`${name.plural}: it refers to nothing`);
  }
  const entity = await trial.make(other, withFirstAt(body, property, reference));
  await moment();
  // Own code may have led it to another state, now that something refers to it.
  const { answer } = await trial.get(pathOf(resource, target));
  await deletable(
    trial,
    resource,
    isObject(answer.json) && answer.status === 200 ? answer.json : target,
  );
  const deleted = await trial.send("DELETE", pathOf(resource, target));
  if (onDelete === "refuse") {
    trial.refusal(deleted, 409, `${typeName}InUseMessage`);
    return;
  }
  trial.status(deleted, 204);
  if (trial.session.obstacle(other, ["read"]) === null) {
    await letGo(trial, pathOf(other, entity), { entity, property });
  }
}

async function letGo(
  trial: Trial,
  path: string,
  { entity, property }: { entity: JsonObject; property: string },
): Promise<void> {
  const read = await trial.get(path);
  const after = trial.object(read, 200) ?? {};
  const value = after[property];
  trial.value(
    read,
    isList(value) ? value.length : (value ?? null),
    isList(value) ? 0 : null,
    property,
  );
  const isLater = String(after["lastModifiedDate"]) > String(entity["lastModifiedDate"]);
  trial.expect(read, isLater, "a later lastModifiedDate");
}

/** A parent takes its own children with it, and no others; one that must stay keeps it. */
async function withParent(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  if (trial.session.obstacle(above, ["delete"]) !== null || isUpToCode(trial, child)) return;
  await kept(trial, child);
  const [parent, other] = [await trial.makeReferred(above), await trial.makeReferred(above)];
  const own = await trial.lead(resource, await makeIn(trial, child, parent));
  const stranger = await trial.lead(resource, await makeIn(trial, child, other));
  const levels = await belowBoth(trial, resource, { own, stranger });
  await deletable(trial, resource, own);
  await deletable(trial, above, parent);
  trial.status(await trial.send("DELETE", pathOf(above, parent)), 204);
  for (const level of levels) {
    trial.status(await trial.get(level.own), 404, " for a child of its child");
    trial.status(await trial.get(level.stranger), 200, " for a child of another parent's child");
  }
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const gone = await trial.get(pathOf(resource, own));
  trial.refusal(gone, 404, `${resource.name.typeName}NotFoundMessage`);
  trial.status(await trial.get(pathOf(resource, stranger)), 200, " for another parent's child");
}

/** AUT-2: whether the service's own code decides if a parent may take its children along. */
function isUpToCode({ session }: Trial, { resource, above }: Child): boolean {
  const caller = session.callerFor(above);
  const isOwn = session.callerFor(resource) === caller;
  return (["read", "delete"] as const).some(
    (operation) => mayDo(resource, operation, caller, { isOwn, isParentOwn: true }) === "perhaps",
  );
}

/** CHD-3: a child of a child goes with both. The paths of those that can be read. */
async function belowBoth(
  trial: Trial,
  above: ResourceModel,
  made: { readonly own: JsonObject; readonly stranger: JsonObject },
): Promise<readonly { readonly own: string; readonly stranger: string }[]> {
  const levels: { own: string; stranger: string }[] = [];
  for (const resource of trial.session.resources) {
    const { parent } = resource;
    if (parent?.path !== above.path) continue;
    if (trial.session.obstacle(resource, ["create", "read"]) !== null) continue;
    const child = { resource, parent, above };
    const own = await deletable(trial, resource, await makeIn(trial, child, made.own));
    const stranger = await makeIn(trial, child, made.stranger);
    levels.push({ own: pathOf(resource, own), stranger: pathOf(resource, stranger) });
  }
  return levels;
}

function isFixed({ session }: Trial, resource: ResourceModel): boolean {
  return session.obstacle(resource, ["update"], { inAnyState: true }) !== null;
}

/** A child in a state in which it may not be deleted keeps its parent. */
async function kept(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  const { states } = resource.entity;
  if (states === null || isFixed(trial, resource)) return;
  const parent = await trial.makeReferred(above);
  const entity = await makeIn(trial, child, parent);
  const held = await bring(
    trial,
    { resource, states, entity },
    (state) => !states.deletableIn.includes(state) && trial.session.mayEnter(resource, state),
  );
  if (held === null) return;
  await deletable(trial, above, parent);
  const deleted = await trial.send("DELETE", pathOf(above, parent));
  trial.refusal(deleted, 409, `${above.name.typeName}InUseMessage`);
}
