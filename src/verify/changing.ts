import type { ResourceModel } from "../model/resource-model.js";
import { difference, isEqual, mergedWith, type JsonObject } from "../samples/json.js";
import { clientPart, settablePart } from "./bodies.js";
import type { Caller } from "./caller.js";
import { pathOf } from "./check.js";
import { errorsOf, fieldsOf, isInvalid, type Answer, type Exchange } from "./exchange.js";
import type { Trial } from "./trial.js";

/** A change that the schema allows, and the service's own code perhaps does not. */
export interface Change {
  readonly resource: ResourceModel;
  /** As it is stored. */
  readonly entity: JsonObject;
  /** What is sent first, where that is known already. */
  readonly first?: JsonObject;
  /** All that an entity may hold instead, other values each time. */
  readonly whole: (entity: JsonObject) => JsonObject;
  /** What is sent of it; left out: all of it. */
  readonly part?: (whole: JsonObject) => JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Caller;
}

/** A change that was sent, and how it was answered. */
export interface Changed {
  readonly exchange: Exchange;
  readonly body: JsonObject;
}

/** Own code may refuse some values beside those that are stored, so that others are tried. */
const MOST_TURNS = 5;

/** PUT: where own code refuses one content beside what never changes, another is sent. Throws `NoAnswer`. */
export async function replacing(trial: Trial, change: Change): Promise<Changed> {
  const { first, last } = await turns(trial, "PUT", change);
  return isRefused(last.exchange, change.resource) ? first : last;
}

/**
 * PATCH; null, and an obstacle is told, where own code has refused it. It may have a rule about several properties, such
 * as two dates: a part that it refuses beside what is stored is not a fault of the service, as long as it refuses the same
 * content in whole, and takes other content. Throws `NoAnswer` and `CannotMake`.
 */
export async function updating(trial: Trial, change: Change): Promise<Changed | null> {
  const { resource } = change;
  const { first, last } = await turns(trial, "PATCH", change);
  if (!isRefused(last.exchange, resource)) return last;
  if (!(await isOwnRule(trial, change, first))) return first;
  const names = Object.keys(first.body).join(", ");
  const told = fieldsOf(first.exchange.answer).join(", ");
  trial.obstacles.add(
    `${resource.name.plural}: a change of ${names} alone was refused for ${told}, by a rule that is not in the schema`,
  );
  return null;
}

/** Sends other values as long as own code may have refused them. */
async function turns(
  trial: Trial,
  method: "PUT" | "PATCH",
  change: Change,
): Promise<{ readonly first: Changed; readonly last: Changed }> {
  const { resource, entity, part = whole, headers = {}, as } = change;
  const send = async (body: JsonObject): Promise<Changed> => {
    const exchange = await trial.send(method, pathOf(resource, entity), { body, headers }, as);
    return { exchange, body };
  };
  const first = await send(part(change.first ?? change.whole(entity)));
  let last = first;
  for (let turn = 1; turn < MOST_TURNS && isRefused(last.exchange, resource); turn += 1) {
    const kept = method === "PUT" ? namedIn(last.exchange.answer, change) : {};
    const body = part({ ...change.whole(entity), ...kept });
    // What changes nothing is never refused, and shows nothing (ENT-4).
    if (difference(body, entity) !== null) last = await send(body);
  }
  return { first, last };
}

/** Whether the part was refused for what stands beside it. */
async function isOwnRule(trial: Trial, change: Change, refused: Changed): Promise<boolean> {
  const { resource, entity, part = whole, as } = change;
  const stored = clientPart(resource.properties, settablePart(resource, entity));
  const same = { body: mergedWith(stored, refused.body) };
  const again = await trial.send("PATCH", pathOf(resource, entity), same, as);
  // A service that loses what was not sent refuses the part alone.
  if (!isSameRefusal(again.answer, refused.exchange.answer)) return false;
  const isMade = resource.operations.includes("create") && !resource.isRepresentation;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    // What is set once may allow nothing but what is stored.
    const other = isMade ? await trial.make(resource) : entity;
    const content = change.whole(other);
    const body = mergedWith(content, part(content));
    const { answer } = await trial.send("PATCH", pathOf(resource, other), { body }, as);
    if (answer.status === 200) return true;
  }
  return false;
}

function whole(content: JsonObject): JsonObject {
  return content;
}

/** What a refusal names, as it is stored: beside what is set once, own code may take nothing else. */
function namedIn(answer: Answer, { resource, entity }: Change): JsonObject {
  const named = new Set(fieldsOf(answer).map(rootOf));
  const stored = clientPart(resource.properties, settablePart(resource, entity));
  return Object.fromEntries(Object.entries(stored).filter(([name]) => named.has(name)));
}

/** The property that a field of a refusal stands in: `lines` of `lines[0].quantity`. */
function rootOf(field: string): string {
  return field.split(/[.[]/)[0] ?? "";
}

/** Whether own code may have refused it: 400 that names nothing but properties. */
function isRefused({ answer }: Exchange, { properties, entity }: ResourceModel): boolean {
  if (!isInvalid(answer)) return false;
  const known = new Set([...properties, ...entity.properties].map(({ name }) => name));
  const fields = fieldsOf(answer);
  const isKnown = fields.every((field) => known.has(rootOf(field)));
  return errorsOf(answer).length === 1 && fields.length > 0 && isKnown;
}

function isSameRefusal(one: Answer, other: Answer): boolean {
  const fields = (answer: Answer): readonly string[] => fieldsOf(answer).sort();
  return one.status === other.status && isEqual(fields(one), fields(other));
}
