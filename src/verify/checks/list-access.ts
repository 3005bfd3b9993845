import type { ResourceModel } from "../../model/resource-model.js";
import { at, isObject, type JsonObject } from "../../samples/json.js";
import { isAskingCode, reachOf, subjectOf, type Caller } from "../caller.js";
import { query } from "../check.js";
import { resultsOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";

/** Lists and creations, which are allowed to somebody or not. */
export async function collection(
  trial: Trial,
  resource: ResourceModel,
  caller: Caller,
): Promise<void> {
  const { path, operations } = resource;
  if (operations.includes("list")) {
    for (const place of [path, ...resource.aliases.map((alias) => alias.path)])
      await list(trial, resource, { place, caller });
  }
  if (operations.includes("create") && reachOf(resource, "create", caller) === "none") {
    const made = await trial.send("POST", trial.session.placeOf(resource), { body: {} }, caller);
    refused(trial, made, caller);
  }
}

/** A list, or an alias, which is a list with a path of its own (ALI-1). */
async function list(
  trial: Trial,
  resource: ResourceModel,
  { place, caller }: { readonly place: string; readonly caller: Caller },
): Promise<void> {
  const exchange = await trial.send("GET", place, {}, caller);
  if (reachOf(resource, "list", caller) === "none") refused(trial, exchange, caller);
  // The service's own code may give nothing at all.
  else if (isNothingGiven(resource, caller, exchange)) refused(trial, exchange, caller);
  else trial.status(exchange, 200);
}

function refused(trial: Trial, exchange: Exchange, caller: Caller): void {
  if (caller.token === null) trial.refusal(exchange, 401, "UnauthorizedMessage");
  else trial.refusal(exchange, 403, "ForbiddenMessage");
}

function isNothingGiven(resource: ResourceModel, caller: Caller, { answer }: Exchange): boolean {
  return reachOf(resource, "list", caller) === "perhaps" && answer.status === 403;
}

/** A list, and an alias, shows and counts only what its caller may read. */
export async function listed(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  if (!resource.operations.includes("list")) return;
  // What the service's own code gives may be anybody's.
  if (reachOf(resource, "list", caller) !== "own" || isAskingCode(resource.access.read)) return;
  // Another name does not say what its entities belong to.
  const isTied = resource.access.read.some((grant) => grant.startsWith("parent:"));
  if (resource.isRepresentation && isTied) return;
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
