import type { ReferrerModel } from "../../model/entity-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { CannotMake, moment, pathOf, type Check } from "../check.js";
import { bring, deletable } from "../bring.js";
import type { Caller } from "../caller.js";
import { isSendable } from "../sendable.js";
import { fullBody } from "../bodies.js";
import { firstAt, withFirstAt } from "../places.js";
import { isList, isObject, type Json, type JsonObject } from "../../samples/json.js";
import { deletersOf, mayTakeAll, type Along } from "../taken-along.js";
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

/**
 * A parent takes what belongs to it along, at every level, and nothing else; a child that must stay keeps it, and so does
 * one that the caller may not delete.
 */
async function withParent(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  const { session } = trial;
  if (session.obstacle(above, ["delete"]) !== null) return;
  await kept(trial, child);
  const [parent, other] = [await trial.makeReferred(above), await trial.makeReferred(above)];
  const own = await trial.lead(resource, await makeIn(trial, child, parent));
  const stranger = await trial.lead(resource, await makeIn(trial, child, other));
  const along = alongOf(trial, child);
  const family = { child, parent, own, stranger };
  const levels = await belowBoth(trial, along, { own, stranger });
  await deletable(trial, resource, own);
  await deletable(trial, above, parent);
  await eachDeleter(trial, { ...family, levels: levels.slice().reverse() }, [
    along,
    ...levels.map((level) => level.along),
  ]);
}

/** A parent and its child, what belongs to the child, and another parent's child of the same kind. */
interface Family {
  readonly child: Child;
  readonly parent: JsonObject;
  readonly own: JsonObject;
  readonly stranger: JsonObject;
  /** From the lowest level up. */
  readonly levels: readonly Level[];
}

/** A child of a child, and one under another parent's. */
interface Level {
  readonly along: Along;
  readonly own: string;
  readonly stranger: string;
}

/** AUT-2: each caller who may delete the parent needs the right to all that goes along; the first who has it deletes it. */
async function eachDeleter(trial: Trial, family: Family, along: readonly Along[]): Promise<void> {
  const { session } = trial;
  const { above } = family.child;
  const path = pathOf(above, family.parent);
  const deleters = deletersOf(session, above).map((caller) => ({
    caller,
    verdict: mayTakeAll(session, along, caller),
  }));
  const refused = deleters.filter(({ verdict }) => verdict === "no");
  for (const { caller } of refused) await refusal(trial, path, caller);
  if (refused.length > 0) await stays(trial, family);
  const taker = deleters.find(({ verdict }) => verdict === "yes");
  if (taker !== undefined) {
    trial.status(await trial.send("DELETE", path, {}, taker.caller), 204);
    await goes(trial, family);
  } else if (refused.length === deleters.length) {
    const { plural } = above.name;
    trial.obstacles.add(
      `none of the given callers may delete ${plural} with what belongs to them, as far as the schema says`,
    );
  }
}

async function refusal(trial: Trial, path: string, caller: Caller): Promise<void> {
  const deleted = await trial.send("DELETE", path, {}, caller);
  if (caller.token === null) trial.refusal(deleted, 401, "UnauthorizedMessage");
  else trial.refusal(deleted, 403, "ForbiddenMessage");
}

async function stays(trial: Trial, { child, own, levels }: Family): Promise<void> {
  const { resource } = child;
  const note = " for what the caller may not delete";
  for (const level of levels) trial.status(await trial.get(level.own), 200, note);
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  trial.status(await trial.get(pathOf(resource, own)), 200, note);
}

async function goes(trial: Trial, { child, own, stranger, levels }: Family): Promise<void> {
  const { resource } = child;
  for (const level of levels) {
    trial.status(await trial.get(level.own), 404, " for a child of its child");
    trial.status(await trial.get(level.stranger), 200, " for a child of another parent's child");
  }
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const gone = await trial.get(pathOf(resource, own));
  trial.refusal(gone, 404, `${resource.name.typeName}NotFoundMessage`);
  trial.status(await trial.get(pathOf(resource, stranger)), 200, " for another parent's child");
}

/** The child of a parent, each made by the caller with the most access to it. */
function alongOf({ session }: Trial, { resource, above }: Child): Along {
  return { resource, maker: session.callerFor(resource), above: [session.callerFor(above)] };
}

/** CHD-3: a child of a child goes with both, and so do its own: those that can be made and read, the lowest last. */
async function belowBoth(
  trial: Trial,
  { resource: above, maker, above: makers }: Along,
  made: { readonly own: JsonObject; readonly stranger: JsonObject },
): Promise<readonly Level[]> {
  const { session } = trial;
  const levels: Level[] = [];
  for (const resource of session.resources) {
    const { parent } = resource;
    if (parent?.path !== above.path) continue;
    if (session.obstacle(resource, ["create", "read"]) !== null) continue;
    const child = { resource, parent, above };
    const own = await trial.lead(resource, await makeIn(trial, child, made.own));
    const stranger = await trial.lead(resource, await makeIn(trial, child, made.stranger));
    const along = { resource, maker: session.callerFor(resource), above: [maker, ...makers] };
    levels.push({ along, own: pathOf(resource, own), stranger: pathOf(resource, stranger) });
    levels.push(...(await belowBoth(trial, along, { own, stranger })));
    await deletable(trial, resource, own);
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
  const along = [alongOf(trial, child)];
  const taker = deletersOf(trial.session, above).find(
    (caller) => mayTakeAll(trial.session, along, caller) === "yes",
  );
  if (taker === undefined) return;
  await deletable(trial, above, parent);
  const deleted = await trial.send("DELETE", pathOf(above, parent), {}, taker);
  trial.refusal(deleted, 409, `${above.name.typeName}InUseMessage`);
}
