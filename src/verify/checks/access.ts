import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { settablePart } from "../bodies.js";
import {
  isAskingCode,
  isSameSubject,
  mayDo,
  NOBODY,
  reachOf,
  subjectOf,
  type Caller,
  type Verdict,
} from "../caller.js";
import { pathOf, query, type Check } from "../check.js";
import type { Exchange, Sent } from "../exchange.js";
import { at, isObject, without, type JsonObject } from "../../samples/json.js";
import { makeAs } from "../make-as.js";
import { childAccess } from "./child-access.js";
import { given } from "./given-access.js";
import { fieldsOf, resultsOf, type Trial } from "../trial.js";
import { referringOf } from "./references.js";

/** AUT-2: who may do what. */
export const ACCESS: readonly Check[] = [{ rule: "AUT-2", run: access }];

/** An entity, and who made it. */
interface Owned {
  readonly entity: JsonObject;
  readonly owner: Caller;
}

/** AUT-2: every operation, by everybody, on what is theirs and on what is not. */
async function access(trial: Trial): Promise<void> {
  const { model, options } = trial.session;
  if (model.authentication.scheme === "none") {
    trial.absences.add("the service has no authentication");
    return;
  }
  if (options.callers.length < 2) {
    trial.obstacles.add("one token shows little about access: give several with --token");
  }
  const everybody = [NOBODY, ...options.callers];
  await trial.each({ needs: [] }, async (resource) => {
    for (const caller of everybody) await collection(trial, resource, caller);
    for (const owner of everybody) {
      if (!trial.session.mayMake(resource, owner)) continue;
      for (const caller of everybody) await entity(trial, resource, { owner, caller });
    }
    for (const caller of everybody) await listed(trial, resource, caller);
    await given(trial, resource, everybody);
    for (const caller of options.callers) await unreadable(trial, resource, caller);
    await childAccess(trial, resource, options.callers);
  });
}

/** Lists and creations, which are allowed to somebody or not. */
async function collection(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  const { path, operations } = resource;
  for (const [operation, method] of [
    ["list", "GET"],
    ["create", "POST"],
  ] as const) {
    if (!operations.includes(operation)) continue;
    if (reachOf(resource, operation, caller) === "none") {
      const sent = operation === "create" ? { body: {} } : {};
      const place = operation === "create" ? trial.session.placeOf(resource) : path;
      const exchange = await trial.send(method, place, sent, caller);
      if (caller.token === null) trial.refusal(exchange, 401, "UnauthorizedMessage");
      else trial.refusal(exchange, 403, "ForbiddenMessage");
    } else if (operation === "list") {
      const exchange = await trial.send(method, path, {}, caller);
      // The service's own code may give nothing at all.
      if (isNothingGiven(resource, caller, exchange))
        trial.refusal(exchange, 403, "ForbiddenMessage");
      else trial.status(exchange, 200);
    }
  }
}

function isNothingGiven(resource: ResourceModel, caller: Caller, { answer }: Exchange): boolean {
  return reachOf(resource, "list", caller) === "perhaps" && answer.status === 403;
}

const ENTITY: readonly (readonly [Operation, string])[] = [
  ["read", "GET"],
  ["replace", "PUT"],
  ["update", "PATCH"],
  ["delete", "DELETE"],
];

/** One entity of somebody's, asked for by somebody. */
async function entity(
  trial: Trial,
  resource: ResourceModel,
  { owner, caller }: { owner: Caller; caller: Caller },
): Promise<void> {
  const made = await makeAs(trial, resource, owner);
  if (made === null) return;
  const owned = trial.object(made, 201);
  if (owned === undefined) return;
  for (const [operation, method] of ENTITY) {
    if (!resource.operations.includes(operation)) continue;
    const sent: Sent =
      method === "PUT"
        ? { body: without(settablePart(resource, owned), resource.parent?.property ?? "") }
        : method === "PATCH"
          ? { body: {} }
          : {};
    const exchange = await trial.send(method, pathOf(resource, owned), sent, caller);
    const wanted = verdicts(trial, resource, {
      operation,
      caller,
      owned: { entity: owned, owner },
    });
    // What the state forbids is allowed by access all the same (STA-3).
    const isDone = exchange.answer.status < 300 || exchange.answer.status === 409;
    const refusals = wanted.filter((one) => one !== "allowed");
    const refusal = refusals.find(([status]) => status === exchange.answer.status) ?? refusals[0];
    if (refusal === undefined || (isDone && wanted.includes("allowed"))) {
      trial.expect(exchange, isDone, "what access allows");
    } else trial.refusal(exchange, ...refusal);
  }
}

/** What can come of an operation on an entity; one of several where the service's own code decides. */
function verdicts(
  trial: Trial,
  resource: ResourceModel,
  { operation, caller, owned }: { operation: Operation; caller: Caller; owned: Owned },
): readonly ("allowed" | readonly [number, string])[] {
  const isOwn = isSameSubject(owned.owner, caller, trial.session.model);
  // Whoever made an entity for this made its parent as well.
  const may = (asked: Operation): Verdict =>
    mayDo(resource, asked, caller, { isOwn, isParentOwn: isOwn });
  const reaches = [operation, "read" as const].map((one) => reachOf(resource, one, caller));
  if (caller.token === null && reaches.includes("none")) return [[401, "UnauthorizedMessage"]];
  // What may not be read is not there.
  const missing = [404, `${resource.name.typeName}NotFoundMessage`] as const;
  if (may("read") === "no") return [missing];
  const hidden = may("read") === "perhaps" ? [missing] : [];
  const refused = may(operation) === "yes" ? [] : [[403, "ForbiddenMessage"] as const];
  const allowed = may(operation) === "no" ? [] : ["allowed" as const];
  return [...hidden, ...refused, ...allowed];
}

/** A list, and an alias, shows and counts only what its caller may read. */
async function listed(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  if (!resource.operations.includes("list")) return;
  // What the service's own code gives may be anybody's.
  if (reachOf(resource, "list", caller) !== "own" || isAskingCode(resource.access.read)) return;
  const { authentication } = trial.session.model;
  const issuer = authentication.scheme === "bearer" ? authentication.issuer : "";
  const { subjectId } = subjectOf(caller, issuer);
  const size = resource.paging.maximumSize;
  for (const path of [resource.path, ...resource.aliases.map((alias) => alias.path)]) {
    const exchange = await trial.send("GET", path + query(["pageSize", size]), {}, caller);
    const results = resultsOf(exchange.answer);
    const strangers = results.filter((one) => at(one, "createdSubject.subjectId") !== subjectId);
    const others = await withoutOwnParent(trial, resource, { strangers, caller, subjectId });
    trial.expect(exchange, others.length === 0, "only what the caller made, or what it belongs to");
    if (!resource.counted || results.length >= size) continue;
    const { json } = exchange.answer;
    trial.value(exchange, Object(json)["itemCount"], results.length, "itemCount");
    if (results.length < 2) continue;
    // A page that is full does not tell how many there are.
    const short = await trial.send("GET", path + query(["pageSize", 1]), {}, caller);
    trial.value(short, Object(short.answer.json)["itemCount"], results.length, "itemCount");
  }
}

/** Those of the entities whose parent the caller has not made either, where that would do. */
async function withoutOwnParent(
  trial: Trial,
  resource: ResourceModel,
  asked: { strangers: readonly JsonObject[]; caller: Caller; subjectId: string },
): Promise<readonly JsonObject[]> {
  const { strangers } = asked;
  const grants = resource.access.read;
  const others: JsonObject[] = [];
  for (const one of strangers) {
    if (!(await hasMadeAbove(trial, { resource, entity: one }, { ...asked, grants }))) {
      others.push(one);
    }
  }
  return others;
}

/** Whether the caller has made what an entity belongs to, as far up as the grants ask; `ancestor` names what is above it. */
async function hasMadeAbove(
  trial: Trial,
  {
    resource: { parent },
    entity,
  }: { readonly resource: ResourceModel; readonly entity: JsonObject },
  asked: { grants: readonly string[]; caller: Caller; subjectId: string },
  ancestor = "parent:",
): Promise<boolean> {
  const { grants, caller, subjectId } = asked;
  if (parent === null || !grants.some((grant) => grant.startsWith(ancestor))) return false;
  const id = String(at(entity, `${parent.property}.${parent.name.idProperty}`));
  const { answer } = await trial.send("GET", `${parent.path}/${id}`, {}, caller);
  const above = isObject(answer.json) ? answer.json : {};
  const isOwn = at(above, "createdSubject.subjectId") === subjectId;
  if (isOwn && grants.includes(`${ancestor}owner`)) return true;
  const next = trial.session.resources.find(({ path }) => path === parent.path);
  const upwards = next && { resource: next, entity: above };
  return upwards !== undefined && hasMadeAbove(trial, upwards, asked, `parent:${ancestor}`);
}

/** What a caller may not read is not there: neither as a parent, nor as what a reference leads to. */
async function unreadable(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  const { session } = trial;
  if (!resource.operations.includes("create") || reachOf(resource, "create", caller) === "none") {
    return;
  }
  const above = session.resources.find(({ path }) => path === resource.parent?.path);
  if (above !== undefined) {
    if (!(await isHidden(trial, above, caller))) return;
    const made = await trial.send("POST", session.placeOf(resource), { body: {} }, caller);
    trial.refusal(made, 404, `${above.name.typeName}NotFoundMessage`);
    return;
  }
  for (const { property, reference, isList } of referringOf(resource)) {
    const target = session.resources.find(
      ({ name }) => name.plural === reference.target?.name.plural,
    );
    const { name } = reference.identifier;
    const id = target && session.nextSeed().anchors(target.name.plural)[0]?.[name];
    if (target === undefined || id === undefined) continue;
    if (!(await isHidden(trial, target, caller))) continue;
    const value = isList ? [{ [name]: id }] : { [name]: id };
    const made = await trial.send(
      "POST",
      resource.path,
      { body: { [property.name]: value } },
      caller,
    );
    const wanted = `${property.name}${isList ? "[0]" : ""}.${name}`;
    trial.expect(made, fieldsOf(made.answer).includes(wanted), `400 that names ${wanted}`);
  }
}

/** Whether a caller may not read what this run has made of a resource: it is somebody else's. */
export async function isHidden(
  trial: Trial,
  resource: ResourceModel,
  caller: Caller,
): Promise<boolean> {
  const reach = reachOf(resource, "read", caller);
  if (reach === "all") return false;
  const { session } = trial;
  const above = session.resources.find(({ path }) => path === resource.parent?.path);
  const makers = [resource, ...(above === undefined ? [] : [above])];
  const isOthers = !makers.some((made) =>
    isSameSubject(session.callerFor(made), caller, session.model),
  );
  if (reach === "none" || !isAskingCode(resource.access.read)) return reach === "none" || isOthers;
  // The service's own code decides: a read tells what it has decided.
  const [first] = session.anchors.of(resource.name.plural);
  if (first === undefined || !resource.operations.includes("read")) return false;
  const { answer } = await trial.send("GET", pathOf(resource, first), {}, caller);
  return answer.status === 404;
}
