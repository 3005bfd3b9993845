import type { PropertyModel } from "../../kinds/property-model.js";
import { uniqueLists } from "../../model/projection.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, leastBody } from "../bodies.js";
import { MISSING, pathOf, query, type Check } from "../check.js";
import { resultsOf, headerOf, type Exchange } from "../exchange.js";
import type { JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** OPS-1, OPS-2, OPS-3, OPS-6: create, list, read, delete. */
export const OPERATIONS: readonly Check[] = [
  { rule: "OPS-1", run: create },
  { rule: "OPS-2", run: list },
  { rule: "OPS-3", run: read },
  { rule: "OPS-6", run: remove },
];

/** OPS-1: 201, the Location, and the whole entity as it was sent, with defaults for the rest. */
async function create(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const body = fullBody(resource, trial.session.nextSeed());
    const made = await trial.post(resource, { body });
    const entity = trial.object(made, 201);
    if (entity === undefined) return;
    trial.holds(made, body, entity);
    location(trial, made, pathOf(resource, entity));
    // Before anything that needs a place of its own: where there are few, it may end here.
    await uniqueness(trial, resource, entity);
    const forged = await trial.post(resource, {
      body: fullBody(resource, trial.session.nextSeed()),
      headers: { host: "evil.example.com", "x-forwarded-host": "evil.example.com" },
    });
    const place = headerOf(forged.answer, "location");
    trial.expect(
      forged,
      !place.includes("evil.example"),
      "a Location that does not follow Host",
      place,
    );
    await defaults(trial, resource);
  });
}

function location(trial: Trial, made: Exchange, path: string): void {
  const place = headerOf(made.answer, "location");
  const isRight = URL.canParse(place) && new URL(place).pathname.endsWith(path);
  trial.expect(made, isRight, `Location: <the service>${path}`, `Location: ${place}`);
}

/** What is left out is null or the default; the service's own code may give it a value of its own. */
async function defaults(trial: Trial, resource: ResourceModel): Promise<void> {
  const body = leastBody(resource, trial.session.nextSeed());
  const made = await trial.post(resource, { body });
  const entity = trial.object(made, 201);
  if (entity === undefined) return;
  trial.holds(made, body, entity);
  const isUsual = (property: PropertyModel): boolean =>
    property.default !== null && !property.readOnly && !Object.hasOwn(body, property.name);
  for (const { name, path, default: usual } of resource.properties.filter(isUsual)) {
    // A default of the schema is JSON.
    trial.value(made, entity[name], usual as JsonObject, path);
  }
}

/** The same value of a unique property is refused the second time. */
async function uniqueness(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  for (const { name, unique, readOnly } of resource.properties) {
    if (!unique || readOnly || entity[name] === null || entity[name] === undefined) continue;
    const body = { ...likeBody(trial, resource), [name]: entity[name] };
    const second = await trial.post(resource, { body });
    trial.refusal(second, 409, `${resource.name.typeName}AlreadyExistsMessage`);
  }
  for (const names of uniqueLists(resource)) await together(trial, resource, names, entity);
}

/** A body of which a value that is taken is to take the place of a free one: none has to be free for that. */
function likeBody(trial: Trial, resource: ResourceModel): JsonObject {
  const { place: _place, ...seed } = trial.session.nextSeed();
  return fullBody(resource, seed);
}

/** So are the same values of several; null is like no other, and a child's parent is the same. */
async function together(
  trial: Trial,
  resource: ResourceModel,
  names: readonly string[],
  entity: JsonObject,
): Promise<void> {
  const same = Object.fromEntries(names.map((name) => [name, entity[name] ?? null]));
  const body = { ...likeBody(trial, resource), ...same };
  const second = await trial.post(resource, { body });
  const type = `${resource.entity.name.typeName}AlreadyExistsMessage`;
  if (!Object.values(same).includes(null)) trial.refusal(second, 409, type);
}

/** OPS-2: 200, and the newest entity is in the list as it was made. */
async function list(trial: Trial): Promise<void> {
  await trial.each({ needs: ["list"] }, async (resource) => {
    const { idProperty } = resource.name;
    const isMade = trial.session.obstacle(resource, ["create"]) === null;
    const entity = isMade ? await trial.make(resource) : null;
    const listed = await trial.get(resource.path + query(["sort", "-createdDate"]));
    if (!trial.status(listed, 200) || entity === null) return;
    const found = resultsOf(listed.answer).find((one) => one[idProperty] === entity[idProperty]);
    trial.value(listed, found, entity, "the entity that was just made");
  });
}

/** OPS-3: 200 and the entity; 404 where there is none. */
async function read(trial: Trial): Promise<void> {
  await trial.each({ needs: ["read"] }, async (resource) => {
    const missing = await trial.get(`${resource.path}/${MISSING}`);
    trial.refusal(missing, 404, `${resource.name.typeName}NotFoundMessage`);
    if (trial.session.obstacle(resource, ["create"]) !== null) return;
    const entity = await trial.make(resource);
    const found = await trial.get(pathOf(resource, entity));
    if (trial.status(found, 200)) trial.value(found, found.answer.json, entity, "the entity");
  });
}

/** OPS-6: 204 without a body; then 404. */
async function remove(trial: Trial): Promise<void> {
  const isSimple = ({ entity: { states } }: ResourceModel): boolean =>
    states === null || states.deletableIn.includes(states.initial);
  const otherwise = "an entity cannot be deleted in its initial state (see STA-3)";
  const wanted = { needs: ["create", "delete"], where: isSimple, otherwise } as const;
  await trial.each(wanted, async (resource) => {
    const path = pathOf(resource, await trial.make(resource));
    const deleted = await trial.send("DELETE", path);
    trial.status(deleted, 204);
    trial.value(deleted, deleted.answer.text, "", "the body");
    const type = `${resource.name.typeName}NotFoundMessage`;
    trial.refusal(await trial.send("DELETE", path), 404, type);
    if (trial.session.obstacle(resource, ["read"]) === null) {
      trial.refusal(await trial.get(path), 404, type);
    }
    trial.refusal(await trial.send("DELETE", `${resource.path}/${MISSING}`), 404, type);
  });
}
