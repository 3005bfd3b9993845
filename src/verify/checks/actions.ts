import { canBeLeftOut } from "../../kinds/left-out.js";
import { hasInput } from "../../model/action-model.js";
import { referencesOf } from "../../model/references.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { withValue, type JsonObject } from "../../samples/json.js";
import { placesOf } from "../bodies.js";
import { bring } from "../bring.js";
import { asking, isSameSubject, mayDo, NOBODY } from "../caller.js";
import { MISSING, type Check } from "../check.js";
import { errorsOf, headerOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";
import { wrongValues } from "../wrong-values.js";
import { forgedInput, hiddenInput, showsReferences } from "./action-references.js";
import { isAble, made, place, placeOf, triedBy, valid, type Tried } from "./tried-action.js";

/** OPS-11: what can be done beside the six operations. */
export const ACTIONS: readonly Check[] = [{ rule: "OPS-11", run: actions }];

async function actions(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean => resource.actions.length > 0;
  await trial.each({ needs: [], where, otherwise: "no resource has actions" }, async (resource) => {
    for (const action of resource.actions) {
      const tried = await triedBy(trial, resource, action);
      if (tried === null) continue;
      await methods(trial, tried);
      await access(trial, tried);
      await input(trial, tried);
      await references(trial, tried);
      await states(trial, tried);
      await outcome(trial, tried);
    }
  });
}

/** It is a POST, and of something that there is. */
async function methods(trial: Trial, tried: Tried): Promise<void> {
  const { resource, action, actor } = tried;
  const path = await place(trial, tried);
  if (path === null) return;
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const sent = method === "PUT" || method === "PATCH" ? { body: {} } : {};
    const exchange = await trial.send(method, path, sent, actor);
    trial.refusal(exchange, 405, "MethodNotAllowedMessage");
    const allow = headerOf(exchange.answer, "allow") ?? "";
    trial.expect(exchange, allow.includes("POST"), "Allow with POST");
  }
  if (action.on === "collection") return;
  const nobody = `${resource.path}/${MISSING}/${action.name}`;
  const lost = await trial.send("POST", nobody, { body: valid(trial, tried) }, actor);
  trial.refusal(lost, 404, `${resource.entity.name.typeName}NotFoundMessage`);
}

/** AUT-2: who may do it is told what is wrong with the body, and nobody else is. */
async function access(trial: Trial, tried: Tried): Promise<void> {
  const { resource, action, actor } = tried;
  const { model, options } = trial.session;
  const asked = asking(resource, action);
  const path = await place(trial, tried);
  if (path === null || model.authentication.scheme === "none") return;
  for (const caller of [NOBODY, ...options.callers]) {
    const isOwn = isSameSubject(actor, caller, model);
    const relation = { isOwn, isParentOwn: isOwn };
    const operations =
      action.on === "entity" ? (["update", "read"] as const) : (["create"] as const);
    const rights = operations.map((operation) => mayDo(asked, operation, caller, relation));
    if (rights.includes("perhaps")) continue;
    const exchange = await trial.send("POST", path, { body: { noSuchName: 1 } }, caller);
    const { status } = exchange.answer;
    if (!rights.includes("no")) trial.status(exchange, 400);
    else if (caller.token === null) trial.expect(exchange, status === 401 || status === 404, "401");
    else trial.expect(exchange, status === 403 || status === 404, "403 or 404");
  }
}

/** ERR-4, OPS-8, REP-8: its input is read like a body. */
async function input(trial: Trial, tried: Tried): Promise<void> {
  const { actor, input: properties } = tried;
  const path = await place(trial, tried);
  if (path === null) return;
  for (const { path: field, property } of placesOf(properties)) {
    for (const wrong of wrongValues(property, trial.session.nextSeed())) {
      const body = withValue(valid(trial, tried), field, wrong.value);
      trial.fields(await trial.send("POST", path, { body }, actor), `${field}${wrong.at}`);
    }
  }
  const unknown = { ...valid(trial, tried), noSuchName: 1 };
  trial.fields(await trial.send("POST", path, { body: unknown }, actor), "noSuchName");
  const needed = properties.filter((property) => !canBeLeftOut(property)).map(({ name }) => name);
  if (needed.length > 0) {
    trial.fields(await trial.send("POST", path, { body: {} }, actor), ...needed);
  }
}

/** REP-4, AUT-2: only identifiers are read, and of nothing that the caller may not read. */
async function references(trial: Trial, tried: Tried): Promise<void> {
  const { resource, action, input: properties } = tried;
  if (referencesOf(action.input).length === 0) return;
  const path = await place(trial, tried);
  if (path !== null) {
    await forgedInput(trial, {
      path,
      properties,
      body: valid(trial, tried),
      caller: tried.actor,
    });
  }
  for (const caller of trial.session.options.callers) {
    if (!isAble(trial, { resource, action, caller })) continue;
    const own = await place(trial, { ...tried, actor: caller });
    if (own === null) continue;
    await hiddenInput(trial, { path: own, properties: action.input.properties, caller });
  }
}

/** STA-2: in another state it is refused. */
async function states(trial: Trial, tried: Tried): Promise<void> {
  const { resource, action, actor } = tried;
  const { states: machine } = resource.entity;
  if (machine === null || action.states === null) return;
  const { session } = trial;
  for (const { from } of machine.transitions) {
    if (action.states.includes(from) || !session.mayEnter(resource, from)) continue;
    const entity = await made(trial, tried);
    if (entity === null || session.obstacle(resource, ["update"], { inAnyState: true }) !== null) {
      continue;
    }
    const stateful = { resource, states: machine, entity };
    const brought = await bring(trial, stateful, (state) => state === from);
    if (brought?.[machine.property] !== from) continue;
    const body = valid(trial, tried);
    const exchange = await trial.send("POST", placeOf(tried, brought), { body }, actor);
    trial.refusal(exchange, 409, `Invalid${resource.entity.name.typeName}StateMessage`);
  }
}

/** What it answers; what its own code refuses is a refusal in the contract's form, and never a failure. */
async function outcome(trial: Trial, tried: Tried): Promise<void> {
  const { resource, action, actor } = tried;
  const { states: machine } = resource.entity;
  const entity = action.on === "entity" ? await made(trial, tried) : null;
  if (action.on === "entity" && entity === null) return;
  const isInState =
    action.states === null || machine === null || action.states.includes(machine.initial);
  if (!isInState) return;
  if (action.leadsTo !== null && machine !== null) {
    if (!trial.session.mayEnter(resource, action.leadsTo)) return;
  }
  const sent = hasInput(action) ? { body: valid(trial, tried) } : {};
  const exchange = await trial.send("POST", placeOf(tried, entity), sent, actor);
  const { status } = exchange.answer;
  if (status >= 400 && status < 500) {
    const types = errorsOf(exchange.answer).map((error) => String(error["type"]));
    const isTold = types.length > 0 && types.every((type) => type.endsWith("Message"));
    trial.expect(exchange, isTold, "an answer, or a refusal in the contract's form");
  } else answered(trial, tried, { exchange, entity });
  await tagged(trial, tried);
}

function answered(
  trial: Trial,
  { resource, action }: Tried,
  { exchange, entity }: { exchange: Exchange; entity: JsonObject | null },
): void {
  if (action.answers === "nothing") {
    trial.status(exchange, 204);
    trial.expect(exchange, exchange.answer.text === "", "no body");
    return;
  }
  const json = trial.object(exchange, 200);
  if (json === undefined) return;
  if (action.answers === "object") {
    const names = action.answer.properties.map(({ name }) => name);
    trial.value(exchange, Object.keys(json).sort(), [...names].sort(), "its properties");
    showsReferences(trial, exchange, { properties: action.answer.properties, json });
    return;
  }
  const { idProperty } = resource.name;
  trial.value(exchange, json[idProperty], entity?.[idProperty] ?? null, idProperty);
  const { states: machine } = resource.entity;
  if (machine !== null && action.leadsTo !== null) {
    trial.value(exchange, json[machine.property], action.leadsTo, machine.property);
  }
}

/** OPS-10: an `If-Match` of another revision is obeyed. */
async function tagged(trial: Trial, tried: Tried): Promise<void> {
  if (tried.action.on === "collection") return;
  const path = await place(trial, tried);
  if (path === null) return;
  const sent = { body: valid(trial, tried), headers: { "if-match": '"no-such-tag"' } };
  const exchange = await trial.send("POST", path, sent, tried.actor);
  trial.refusal(exchange, 412, "PreconditionFailedMessage");
}
