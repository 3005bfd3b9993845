import type { ResourceModel } from "../../model/resource-model.js";
import { COMMON_FIELDS, fullBody, otherReplacement, settablePart } from "../bodies.js";
import { MISSING, moment, pathOf, query, type Check } from "../check.js";
import { resultsOf, headerOf, type Exchange } from "../exchange.js";
import { isObject, type Json, type JsonObject } from "../../samples/json.js";
import type { Seed } from "../../samples/seed.js";
import { tellGiven } from "../samples.js";
import { TIME } from "../time-text.js";
import type { Trial } from "../trial.js";

/** ENT-1 to ENT-3: the common fields. */
export const COMMON: readonly Check[] = [
  { rule: "ENT-1", run: stamps },
  { rule: "ENT-2", run: subjects },
  { rule: "ENT-3", run: ignoredInBodies },
];

/** The tolerance against the `Date` of the answer, which has no milliseconds. */
const TOLERANCE_MILLISECONDS = 5000;

/** ENT-1: dates and subjects of creation and of the last change, in every answer. */
async function stamps(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const entity = await trial.make(resource);
    const made = trial.latest;
    const created = entity["createdDate"];
    trial.expect(made, isNow(created, made), "createdDate is now", String(created));
    trial.value(made, entity["lastModifiedDate"], created ?? null, "lastModifiedDate");
    trial.value(made, entity["lastModifiedSubject"], entity["createdSubject"] ?? null, "subject");
    await everywhere(trial, resource, entity);
    if (trial.session.obstacle(resource, ["replace"]) === null) {
      await changed(trial, resource, entity);
    }
  });
}

async function everywhere(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  if (trial.session.obstacle(resource, ["read"]) === null) {
    const read = await trial.get(pathOf(resource, entity));
    for (const name of COMMON_FIELDS) {
      trial.value(read, trial.object(read, 200)?.[name], entity[name] ?? null, name);
    }
  }
  if (trial.session.obstacle(resource, ["list"]) !== null) return;
  const listed = await trial.get(resource.path + query(["sort", "-createdDate"]));
  for (const result of resultsOf(listed.answer)) {
    const missing = COMMON_FIELDS.filter((name) => result[name] === undefined);
    trial.value(listed, missing, [], "common fields that are missing");
  }
}

/** A change updates lastModifiedDate and never createdDate. */
async function changed(trial: Trial, resource: ResourceModel, entity: JsonObject): Promise<void> {
  await moment();
  const nextSeed = (): Seed => trial.session.nextSeed();
  const body = otherReplacement(resource, entity, nextSeed);
  if (body === null) {
    tellGiven(trial, resource, resource.properties);
    return;
  }
  const put = await trial.send("PUT", pathOf(resource, entity), { body });
  const after = trial.object(put, 200);
  if (after === undefined) return;
  trial.value(put, after["createdDate"], entity["createdDate"] ?? null, "createdDate");
  trial.value(put, after["createdSubject"], entity["createdSubject"] ?? null, "createdSubject");
  const date = after["lastModifiedDate"];
  const isLater = String(date) > String(entity["lastModifiedDate"]) && isNow(date, put);
  trial.expect(put, isLater, "lastModifiedDate is now", String(date));
}

function isNow(date: Json | undefined, { answer }: Exchange): boolean {
  if (typeof date !== "string" || !TIME.test(date)) return false;
  const told = Date.parse(headerOf(answer, "date"));
  return Number.isNaN(told) || Math.abs(Date.parse(date) - told) <= TOLERANCE_MILLISECONDS;
}

/** ENT-2: a subject is an identifier and a name. */
async function subjects(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const entity = await trial.make(resource);
    for (const name of ["createdSubject", "lastModifiedSubject"]) {
      const subject = entity[name];
      const names = isObject(subject) ? Object.keys(subject).sort() : [];
      trial.value(trial.latest, names, ["subjectId", "userPrincipalName"], `names in ${name}`);
      const values = isObject(subject) ? subject : {};
      const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(
        String(values["subjectId"]),
      );
      const isNamed = typeof values["userPrincipalName"] === "string";
      trial.expect(trial.latest, isUuid && isNamed, `${name}: a UUID and a string`);
    }
  });
}

/** ENT-3: what the service writes is ignored in a body, so that a client can send back what it read. */
async function ignoredInBodies(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const forged = forgedFields(resource);
    const body = { ...fullBody(resource, trial.session.nextSeed()), ...forged };
    const made = await trial.post(resource, { body });
    const entity = trial.object(made, 201);
    if (entity === undefined) return;
    refuseForged(trial, made, forged);
    if (trial.session.obstacle(resource, ["replace"]) === null) {
      await sentBack(trial, resource, entity);
    }
    for (const [operation, method] of [
      ["update", "PATCH"],
      ["replace", "PUT"],
    ] as const) {
      if (trial.session.obstacle(resource, [operation]) !== null) continue;
      const whole = method === "PUT" ? settablePart(resource, entity) : {};
      const path = pathOf(resource, entity);
      const answered = await trial.send(method, path, { body: { ...whole, ...forged } });
      if (trial.object(answered, 200) !== undefined) refuseForged(trial, answered, forged);
    }
  });
}

/** A whole entity is a body of PUT; so is one without what the service writes. */
async function sentBack(trial: Trial, resource: ResourceModel, entity: JsonObject): Promise<void> {
  for (const body of [entity, settablePart(resource, entity)]) {
    const put = await trial.send("PUT", pathOf(resource, entity), { body });
    trial.status(put, 200, " for the body that was read");
  }
}

function forgedFields({ name, properties }: ResourceModel): JsonObject {
  const readOnly = properties.filter((property) => property.readOnly);
  return {
    [name.idProperty]: MISSING,
    createdDate: "1999-12-31T23:59:59.999Z",
    createdSubject: { subjectId: MISSING, userPrincipalName: "forged" },
    lastModifiedDate: "1999-12-31T23:59:59.999Z",
    lastModifiedSubject: "forged",
    ...Object.fromEntries(readOnly.map((property) => [property.name, "forged"])),
  };
}

function refuseForged(trial: Trial, exchange: Exchange, forged: JsonObject): void {
  const { json } = exchange.answer;
  if (!isObject(json)) return;
  const taken = Object.keys(forged).filter(
    (name) => JSON.stringify(json[name]) === JSON.stringify(forged[name]),
  );
  trial.value(exchange, taken, [], "service-written properties that were taken from the body");
}
