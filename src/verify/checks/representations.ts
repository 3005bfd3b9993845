import { askingAs } from "../asking.js";
import type { Operation, ResourceModel } from "../../model/resource-model.js";
import { storedPathOf } from "../../model/projection.js";
import { isNested } from "../../model/references.js";
import { clientPart, COMMON_FIELDS, settableBody } from "../bodies.js";
import { CannotMake, pathOf, query, type Check } from "../check.js";
import { isWithin } from "../conditions.js";
import { resultsOf, headerOf } from "../exchange.js";
import { isEqual, type JsonObject } from "../../samples/json.js";
import { firstVariable } from "../samples.js";
import type { Trial } from "../trial.js";
import { candidates } from "./candidates.js";

/** REP-7: the same objects under another name. */
export const REPRESENTATIONS: readonly Check[] = [{ rule: "REP-7", run: representations }];

/** A resource that represents another, and the one that keeps the objects. */
interface Pair {
  readonly shown: ResourceModel;
  readonly original: ResourceModel;
}

/** REP-7: its own properties, filter and operations, over one store. */
async function representations(trial: Trial): Promise<void> {
  const { session } = trial;
  const all = session.everyResource.filter(({ isRepresentation }) => isRepresentation);
  if (all.length === 0) trial.absences.add("no resource represents another");
  for (const shown of all) {
    await trial.attempt(async () => {
      const original = session.originalOf(shown);
      const obstacle = original === undefined ? "" : session.obstacle(original, ["create"]);
      if (original === undefined || obstacle !== null) {
        throw new CannotMake(`${shown.name.plural}: ${obstacle}`);
      }
      await trial.prepare(original);
      await views(trial, { shown, original });
      await creation(trial, { shown, original });
    });
  }
}

/** Objects within the filter are shown in their form here; all others are not found. */
async function views(trial: Trial, pair: Pair): Promise<void> {
  const { shown, original } = pair;
  const { conditions } = shown;
  const made = await candidates(trial, original, conditions);
  const verdicts = made.map((entity) => ({
    entity,
    isShown: isWithin(original, conditions, entity, askingAs(trial.session, original)),
  }));
  for (const { entity, isShown } of verdicts) {
    if (isShown === true) await isThere(trial, shown, entity);
    if (isShown === false) await isNotThere(trial, shown, entity);
  }
  await inList(trial, shown, {
    within: verdicts.filter(({ isShown }) => isShown === true).map(({ entity }) => entity),
    outside: verdicts.filter(({ isShown }) => isShown === false).map(({ entity }) => entity),
  });
  const [first] = verdicts.filter(({ isShown }) => isShown === true);
  if (first !== undefined) await changes(trial, pair, first.entity);
}

/** An object of the original in the form that the representation has to show: renamed properties and common fields. */
function shownOf({ name, projection }: ResourceModel, entity: JsonObject): JsonObject {
  const common = [name.idProperty, ...COMMON_FIELDS].map((one) => [one, entity[one]] as const);
  const whole = projection.filter(({ property }) => !isNested(property));
  const own = whole.map((one) => [one.property, entity[one.storedPath]] as const);
  return Object.fromEntries([...common, ...own]);
}

async function isThere(trial: Trial, shown: ResourceModel, entity: JsonObject): Promise<void> {
  if (trial.session.obstacle(shown, ["read"]) !== null) return;
  const read = await trial.get(pathOf(shown, entity));
  const found = trial.object(read, 200);
  if (found !== undefined) trial.value(read, found, shownOf(shown, entity), "the object, here");
}

const METHODS: readonly (readonly [Operation, string])[] = [
  ["read", "GET"],
  ["replace", "PUT"],
  ["update", "PATCH"],
  ["delete", "DELETE"],
];

/** 404 by the entity's own name, whatever is asked. */
async function isNotThere(trial: Trial, shown: ResourceModel, entity: JsonObject): Promise<void> {
  for (const [operation, method] of METHODS) {
    if (trial.session.obstacle(shown, [operation]) !== null) continue;
    const hasBody = method === "PUT" || method === "PATCH";
    const body = method === "PUT" ? settable(shown, shownOf(shown, entity)) : {};
    const asked = await trial.send(method, pathOf(shown, entity), hasBody ? { body } : {});
    trial.refusal(asked, 404, `${shown.entity.name.typeName}NotFoundMessage`);
  }
}

function settable({ properties }: ResourceModel, values: JsonObject): JsonObject {
  const names = properties.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

async function inList(
  trial: Trial,
  shown: ResourceModel,
  { within, outside }: { within: readonly JsonObject[]; outside: readonly JsonObject[] },
): Promise<void> {
  if (trial.session.obstacle(shown, ["list"]) !== null) return;
  const size = shown.paging.maximumSize;
  const listed = await trial.get(shown.path + query(["sort", "-createdDate"], ["pageSize", size]));
  if (!trial.status(listed, 200)) return;
  const { idProperty } = shown.name;
  const results = resultsOf(listed.answer);
  const ids = results.map((result) => result[idProperty]);
  const strangers = outside.filter((entity) => ids.includes(entity[idProperty]));
  trial.expect(listed, strangers.length === 0, "only entities within the filter");
  for (const entity of within.slice(-Math.min(size, 3))) {
    const found = results.find((result) => result[idProperty] === entity[idProperty]);
    trial.value(listed, found, shownOf(shown, entity), "the object, in the list");
  }
  const names = new Set(shown.properties.map(({ name }) => name));
  const hidden = shown.entity.properties.find(({ name }) => !names.has(name));
  if (hidden === undefined) return;
  trial.fields(await trial.get(shown.path + query([hidden.name, "x"])), hidden.name);
}

/** A change made here is visible in the original, and properties that are not shown here stay as they were. */
async function changes(trial: Trial, { shown, original }: Pair, entity: JsonObject): Promise<void> {
  const names = new Set(shown.properties.map(({ name }) => name));
  const hidden = original.properties.find(({ name }) => !names.has(name));
  const isOffered = trial.session.obstacle(shown, ["update"]) === null;
  if (!isOffered) {
    await notOffered(trial, shown, entity);
    return;
  }
  const path = pathOf(shown, entity);
  if (hidden !== undefined) {
    trial.fields(await trial.send("PATCH", path, { body: { [hidden.name]: null } }), hidden.name);
  }
  const texts = shown.properties.filter(
    ({ type, immutable, readOnly, unique }) =>
      type.kind === "string" && !immutable && !readOnly && !unique,
  );
  const free = firstVariable(trial, shown, texts);
  if (free === undefined || trial.session.obstacle(original, ["read"]) !== null) return;
  const { states } = original.entity;
  if (states?.updatableIn.includes(String(entity[states.property])) === false) return;
  const body = { [free.name]: settableBody(shown, trial.session.nextSeed())[free.name] ?? null };
  const patched = await trial.send("PATCH", pathOf(shown, shownOf(shown, entity)), { body });
  const after = trial.object(patched, 200);
  if (after === undefined) return;
  const read = await trial.get(pathOf(original, entity));
  const stored = trial.object(read, 200) ?? {};
  const storedName = storedPathOf(free.path, shown.projection);
  trial.value(read, stored[storedName], body[free.name] ?? null, storedName);
  const touched = [storedName, "lastModifiedDate", "lastModifiedSubject"];
  // What is read only may be written anew by own code.
  const known = clientPart(original.properties, stored);
  const changed = Object.entries(clientPart(original.properties, entity))
    .filter(([name, value]) => !touched.includes(name) && !isEqual(known[name], value))
    .map(([name]) => name);
  trial.value(read, changed, [], "what was not named, and has changed");
}

async function notOffered(trial: Trial, shown: ResourceModel, entity: JsonObject): Promise<void> {
  if (shown.operations.includes("update")) return;
  const refused = await trial.send("PATCH", pathOf(shown, entity), { body: {} });
  trial.refusal(refused, 405, "MethodNotAllowedMessage");
}

/** An object created here exists in the original, with the names of the original. */
async function creation(trial: Trial, { shown, original }: Pair): Promise<void> {
  if (trial.session.obstacle(shown, ["create"]) !== null) return;
  const { states } = original.entity;
  const state = shown.projection.find(({ storedPath }) => storedPath === states?.property);
  const body = {
    ...settableBody(shown, trial.session.nextSeed()),
    ...(state !== undefined && { [state.property]: states?.initial ?? null }),
  };
  const made = await trial.send("POST", shown.path, { body });
  const entity = trial.object(made, 201);
  if (entity === undefined) return;
  trial.holds(made, body, entity);
  const place = headerOf(made.answer, "location");
  trial.expect(made, place.endsWith(pathOf(shown, entity)), `Location: …${pathOf(shown, entity)}`);
  if (trial.session.obstacle(original, ["read"]) !== null) return;
  const read = await trial.get(pathOf(original, entity));
  const stored = trial.object(read, 200);
  if (stored !== undefined) trial.value(read, shownOf(shown, stored), entity, "what was made here");
}
