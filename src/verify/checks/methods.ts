import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { fullBody, placesOf, settablePart } from "../bodies.js";
import { MISSING, pathOf, type Check } from "../check.js";
import { errorsOf, headerOf, type Exchange } from "../exchange.js";
import { at, isList, isObject, withValue, type Json, type JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** OPS-7 to OPS-9: what is not offered, and what is not known. */
export const METHODS: readonly Check[] = [
  { rule: "OPS-7", run: misplaced },
  { rule: "OPS-8", run: unknownNames },
  { rule: "OPS-9", run: offers },
];

const COLLECTION: readonly (readonly [Operation, string])[] = [
  ["list", "GET"],
  ["create", "POST"],
];
const ENTITY: readonly (readonly [Operation, string])[] = [
  ["read", "GET"],
  ["replace", "PUT"],
  ["update", "PATCH"],
  ["delete", "DELETE"],
];

/** A child is created under its parent alone (CHD-1). */
function atRoot({ operations, parent }: ResourceModel): readonly Operation[] {
  return parent === null ? operations : operations.filter((operation) => operation !== "create");
}

/** What `Allow` says of a path. */
function allowed(
  resource: ResourceModel,
  methods: readonly (readonly [Operation, string])[],
): readonly string[] {
  const offered = atRoot(resource);
  const own = methods.filter(([operation]) => offered.includes(operation)).map(([, name]) => name);
  return [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
}

function isAllow(trial: Trial, exchange: Exchange, wanted: readonly string[]): void {
  const names = headerOf(exchange.answer, "allow").split(/, */).sort();
  trial.value(exchange, names, wanted, "Allow");
}

async function refused(trial: Trial, method: string, path: string): Promise<Exchange> {
  const hasBody = method === "PUT" || method === "PATCH" || method === "POST";
  const exchange = await trial.send(method, path, hasBody ? { body: {} } : {});
  trial.refusal(exchange, 405, "MethodNotAllowedMessage");
  return exchange;
}

/** OPS-7: PUT, PATCH and DELETE of a collection, and POST on an entity. */
async function misplaced(trial: Trial): Promise<void> {
  await trial.each({ needs: [] }, async (resource) => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const exchange = await refused(trial, method, resource.path);
      isAllow(trial, exchange, allowed(resource, COLLECTION));
    }
    const exchange = await refused(trial, "POST", `${resource.path}/${MISSING}`);
    isAllow(trial, exchange, allowed(resource, ENTITY));
  });
}

/** OPS-9: what is not offered is 405; HEAD follows GET, OPTIONS tells what there is. */
async function offers(trial: Trial): Promise<void> {
  await trial.each({ needs: [] }, async (resource) => {
    const { path } = resource;
    const places = [
      { path, methods: COLLECTION },
      { path: `${path}/${MISSING}`, methods: ENTITY },
    ];
    for (const { path: place, methods } of places) {
      const others = methods.filter(([operation]) => !atRoot(resource).includes(operation));
      for (const [, method] of others) await refused(trial, method, place);
      const options = await trial.send("OPTIONS", place);
      trial.status(options, 204);
      isAllow(trial, options, allowed(resource, methods));
    }
    if (trial.session.obstacle(resource, ["list"]) === null) await head(trial, path);
    if (trial.session.obstacle(resource, ["read", "create"]) === null) {
      await head(trial, pathOf(resource, await trial.make(resource)));
    }
  });
}

async function head(trial: Trial, path: string): Promise<void> {
  const got = await trial.get(path);
  const headed = await trial.send("HEAD", path);
  trial.status(headed, got.answer.status, " as for GET");
  trial.value(headed, headed.answer.text, "", "the body");
  for (const name of ["content-type", "content-length"]) {
    const wanted = headerOf(got.answer, name);
    trial.value(headed, headerOf(headed.answer, name), wanted, name);
  }
}

/** OPS-8: a name that the schema does not know is refused, at every depth, with the nearest one. */
async function unknownNames(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const body = fullBody(resource, trial.session.nextSeed());
    for (const name of ["unknownName", "__proto__", "constructor", "x".repeat(30)]) {
      // As text, because an object cannot hold `__proto__` as a name.
      const members = [`${JSON.stringify(name)}: 1`, JSON.stringify(body).slice(1, -1)];
      const text = `{${members.filter((part) => part !== "").join(", ")}}`;
      const headers = { "content-type": "application/json" };
      trial.fields(await trial.post(resource, { text, headers }), name);
    }
    await inside(trial, resource, body);
    await suggestion(trial, resource, body);
    await inChanges(trial, resource);
  });
}

async function inside(trial: Trial, resource: ResourceModel, body: JsonObject): Promise<void> {
  const places = placesOf(
    resource.properties,
    ({ type }) => type.kind === "object" || type.kind === "reference",
  );
  for (const { path } of places.filter((place) => isObject(at(body, place.path)))) {
    const sent = withValue(body, `${path}.unknownName`, null);
    trial.fields(await trial.post(resource, { body: sent }), `${path}.unknownName`);
  }
  for (const { path, property } of placesOf(resource.properties)) {
    const items = at(body, path);
    if (property.type.kind !== "array" || !isList(items) || !isObject(items[0])) continue;
    const [first, ...rest] = items;
    const changed: Json = [{ ...first, unknownName: 1 }, ...rest];
    const sent = withValue(body, path, changed);
    const refusedItem = await trial.post(resource, { body: sent });
    trial.fields(refusedItem, `${path}[0].unknownName`);
  }
}

/** A letter too many still tells which one was meant. */
async function suggestion(trial: Trial, resource: ResourceModel, body: JsonObject): Promise<void> {
  const name = Object.keys(body).find((known) => known.length > 4);
  if (name === undefined) return;
  const mistyped = `${name.slice(0, -1)}x${name.slice(-1)}`;
  const sent = { ...body, [mistyped]: null };
  const exchange = await trial.post(resource, { body: sent });
  if (!trial.fields(exchange, mistyped)) return;
  const told = JSON.stringify(errorsOf(exchange.answer));
  trial.expect(exchange, told.includes(`\\"${name}\\"`), `a message that suggests "${name}"`);
}

async function inChanges(trial: Trial, resource: ResourceModel): Promise<void> {
  const entity = await trial.make(resource);
  const path = pathOf(resource, entity);
  if (trial.session.obstacle(resource, ["replace"]) === null) {
    const body = settablePart(resource, entity);
    const put = await trial.send("PUT", path, { body: { ...body, unknownName: 1 } });
    trial.fields(put, "unknownName");
  }
  if (trial.session.obstacle(resource, ["update"]) !== null) return;
  trial.fields(await trial.send("PATCH", path, { body: { unknownName: 1 } }), "unknownName");
}
