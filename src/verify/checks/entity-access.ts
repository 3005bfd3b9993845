import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { askingAs } from "../asking.js";
import { settablePart } from "../bodies.js";
import { isSameSubject, mayDo, reachOf, type Caller, type Verdict } from "../caller.js";
import { pathOf, query } from "../check.js";
import { isWithin } from "../conditions.js";
import { resultsOf, type Answer, type Sent } from "../exchange.js";
import { isObject, without, type JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** An entity, who made it, and who asks for it. */
export interface Asked {
  readonly entity: JsonObject;
  readonly owner: Caller;
  readonly caller: Caller;
  /** The conditions of a representation leave it out: it is not there, whoever asks. */
  readonly isOutside?: boolean;
}

const ENTITY: readonly (readonly [Operation, string])[] = [
  ["read", "GET"],
  ["replace", "PUT"],
  ["update", "PATCH"],
  ["delete", "DELETE"],
];

/** AUT-2: every operation on one entity of somebody's, by somebody. */
export async function operations(
  trial: Trial,
  resource: ResourceModel,
  asked: Asked,
): Promise<void> {
  const { caller, entity } = asked;
  // Another name may call what it holds otherwise: what is read there says how.
  let held = resource.isRepresentation ? null : entity;
  for (const [operation, method] of ENTITY) {
    if (!resource.operations.includes(operation)) continue;
    const sent = bodyOf(resource, method, held);
    if (sent === null) continue;
    const exchange = await trial.send(method, pathOf(resource, entity), sent, caller);
    const wanted = verdicts(trial, resource, operation, asked);
    // What the state forbids is allowed by access all the same (STA-3).
    const isDone = exchange.answer.status < 300 || exchange.answer.status === 409;
    const refusals = wanted.filter((one) => one !== "allowed");
    const refusal = refusals.find(([status]) => status === exchange.answer.status) ?? refusals[0];
    if (refusal === undefined || (isDone && wanted.includes("allowed"))) {
      trial.expect(exchange, isDone, "what access allows");
    } else trial.refusal(exchange, ...refusal);
    held ??= method === "GET" ? read(exchange.answer) : null;
  }
}

/** Null where nobody knows what a PUT would have to send. */
function bodyOf(resource: ResourceModel, method: string, held: JsonObject | null): Sent | null {
  if (method === "PATCH") return { body: {} };
  if (method !== "PUT") return {};
  if (held === null) return null;
  const kept = resource.properties.filter(({ immutable }) => immutable).map(({ name }) => name);
  return { body: without(settablePart(resource, held), ...kept) };
}

function read({ status, json }: Answer): JsonObject | null {
  return status === 200 && isObject(json) ? json : null;
}

/** AUT-2: the collection, and each alias that an entity fulfils, shows it to whoever can read it, and to nobody else. */
export async function inLists(trial: Trial, resource: ResourceModel, asked: Asked): Promise<void> {
  const { entity, caller } = asked;
  const offered = resource.operations;
  if (!offered.includes("read") || !offered.includes("list")) return;
  const found = read((await trial.send("GET", pathOf(resource, entity), {}, caller)).answer);
  const { idProperty } = resource.name;
  const collection = { path: resource.path, conditions: [] };
  for (const { path, conditions } of [collection, ...resource.aliases]) {
    const asking = askingAs(trial.session, resource, caller);
    const isFitting = found === null ? false : isWithin(resource, conditions, found, asking);
    if (isFitting === null) continue;
    const page = query(["sort", "-createdDate"], ["pageSize", resource.paging.maximumSize]);
    const listed = await trial.send("GET", path + page, {}, caller);
    const isShown = resultsOf(listed.answer).some((one) => one[idProperty] === entity[idProperty]);
    const expected = isFitting ? "the entity that can be read" : "no entity that cannot be read";
    trial.expect(listed, isShown === isFitting, expected, "the opposite");
  }
}

/** What can come of an operation on an entity; one of several where the service's own code decides. */
function verdicts(
  trial: Trial,
  resource: ResourceModel,
  operation: Operation,
  { caller, owner, isOutside = false }: Asked,
): readonly ("allowed" | readonly [number, string])[] {
  const isOwn = isSameSubject(owner, caller, trial.session.model);
  // Whoever made an entity for this made its parent as well.
  const may = (asked: Operation): Verdict =>
    mayDo(resource, asked, caller, { isOwn, isParentOwn: isOwn });
  const reaches = [operation, "read" as const].map((one) => reachOf(resource, one, caller));
  if (caller.token === null && reaches.includes("none")) return [[401, "UnauthorizedMessage"]];
  // What may not be read is not there.
  const { name } = resource.isRepresentation ? resource.entity : resource;
  const missing = [404, `${name.typeName}NotFoundMessage`] as const;
  if (isOutside || may("read") === "no") return [missing];
  const hidden = may("read") === "perhaps" ? [missing] : [];
  const refused = may(operation) === "yes" ? [] : [[403, "ForbiddenMessage"] as const];
  const allowed = may(operation) === "no" ? [] : ["allowed" as const];
  return [...hidden, ...refused, ...allowed];
}
