import type { ResourceModel } from "../../model/resource-model.js";
import { placesOf, settablePart } from "../bodies.js";
import { MISSING, pathOf, query, type Check } from "../check.js";
import { at, type JsonObject } from "../../samples/json.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** IDN: what entities are known by. */
export const IDENTIFIERS: readonly Check[] = [
  { rule: "IDN-1", run: madeByTheService },
  { rule: "IDN-2", run: namedAfterTheEntity },
  { rule: "IDN-4", run: anyCase },
];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** IDN-1: a UUID in lower case, another one for each entity. */
async function madeByTheService(trial: Trial): Promise<void> {
  const seen = new Set<string>();
  await trial.each({ needs: ["create"] }, async (resource) => {
    for (let turn = 0; turn < 3; turn += 1) {
      const entity = await trial.make(resource);
      const id = String(entity[resource.name.idProperty]);
      const exchange = trial.latest;
      trial.expect(exchange, UUID.test(id), "a UUID of version 4 or 7, in lower case", id);
      trial.expect(exchange, !seen.has(id), "an identifier that no other entity has", id);
      seen.add(id);
    }
  });
}

/** IDN-2: the property is the entity's singular and `Id`. */
async function namedAfterTheEntity(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create", "read"] }, async (resource) => {
    const { idProperty } = resource.name;
    const entity = await trial.make(resource);
    const read = await trial.get(pathOf(resource, entity));
    trial.value(
      read,
      trial.object(read, 200)?.[idProperty],
      entity[idProperty] ?? null,
      idProperty,
    );
    if (trial.session.obstacle(resource, ["list"]) !== null) return;
    const listed = await trial.get(resource.path + query(["sort", "-createdDate"]));
    const ids = resultsOf(listed.answer).map((result) => typeof result[idProperty]);
    trial.expect(
      listed,
      ids.every((type) => type === "string"),
      `${idProperty} in every result`,
    );
  });
}

/** IDN-4: upper case is answered in lower case; anything but a UUID is not found. */
async function anyCase(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const entity = await trial.make(resource);
    await upperCasePath(trial, resource, entity);
    await noUuid(trial, resource, entity);
    for (const { path } of placesOf(resource.properties, ({ type }) => type.kind === "uuid")) {
      await upperCaseProperty(trial, resource, path);
    }
  });
}

async function upperCasePath(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const { idProperty } = resource.name;
  const id = String(entity[idProperty]);
  const read = await trial.get(`${resource.path}/${id.toUpperCase()}`);
  trial.value(read, trial.object(read, 200)?.[idProperty], id, idProperty);
}

async function noUuid(trial: Trial, resource: ResourceModel, entity: JsonObject): Promise<void> {
  const type = `${resource.name.typeName}NotFoundMessage`;
  const methods = { read: "GET", replace: "PUT", update: "PATCH", delete: "DELETE" } as const;
  for (const operation of ["read", "replace", "update", "delete"] as const) {
    if (trial.session.obstacle(resource, [operation]) !== null) continue;
    const method = methods[operation];
    const hasBody = method === "PUT" || method === "PATCH";
    const sent = hasBody ? { body: settablePart(resource, entity) } : {};
    for (const id of [MISSING, "42", "no-uuid", MISSING.slice(1), `${MISSING}0`, `{${MISSING}}`]) {
      const path = `${resource.path}/${encodeURIComponent(id)}`;
      trial.refusal(await trial.send(method, path, sent), 404, type);
    }
  }
}

async function upperCaseProperty(
  trial: Trial,
  resource: ResourceModel,
  path: string,
): Promise<void> {
  const entity = await trial.make(resource);
  const value = at(entity, path);
  if (typeof value !== "string") return;
  const name = path.split(".")[0] ?? "";
  const upper = JSON.parse(
    JSON.stringify({ [name]: entity[name] ?? null }).replaceAll(value, value.toUpperCase()),
  ) as JsonObject;
  const other = await trial.make(resource, upper);
  trial.value(trial.latest, at(other, path), value, `${path}, sent in upper case`);
}
