import type { ParentModel, PathModel, ResourceModel } from "../../model/resource-model.js";
import { fullBody } from "../bodies.js";
import { CannotMake, MISSING, pathOf, query, type Check } from "../check.js";
import { resultsOf, headerOf, type Exchange, type Sent } from "../exchange.js";
import { at, isObject, without, type JsonObject } from "../../samples/json.js";
import type { Trial } from "../trial.js";

/** CHD-1 to CHD-3: children, under their parents and at the root. */
export const CHILDREN: readonly Check[] = [
  {
    rule: "CHD-1",
    run: async (trial) => {
      await eachChild(trial, underParent);
      await eachPath(trial);
    },
  },
  { rule: "CHD-2", run: async (trial) => eachChild(trial, atRoot) },
  { rule: "CHD-3", run: async (trial) => eachChild(trial, noDeeper) },
];

/** A resource whose entities belong to another's. */
export interface Child {
  readonly resource: ResourceModel;
  readonly parent: ParentModel;
  /** The resource of the parents. */
  readonly above: ResourceModel;
}

/** Tries something on every resource of children. */
export async function eachChild(
  trial: Trial,
  attempt: (trial: Trial, child: Child) => Promise<void>,
): Promise<void> {
  const where = (resource: ResourceModel): boolean => resource.parent !== null;
  const otherwise = "no resource has a parent";
  await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
    const { parent } = resource;
    const above = trial.session.resources.find(({ path }) => path === parent?.path);
    if (parent === null || above === undefined) return;
    const obstacle = trial.session.obstacle(above, ["create"]);
    if (obstacle !== null) throw new CannotMake(obstacle);
    await attempt(trial, { resource, parent, above });
  });
}

/** Tries every path that a reference has (CHD-1). */
async function eachPath(trial: Trial): Promise<void> {
  const where = ({ listedUnder }: ResourceModel): boolean => listedUnder.length > 0;
  const otherwise = "no reference is a path";
  await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
    for (const path of resource.listedUnder) {
      await trial.attempt(async () => underReference(trial, resource, path));
    }
  });
}

/** What a reference leads to lists and creates those that refer to it. */
async function underReference(
  trial: Trial,
  resource: ResourceModel,
  { property, name, path }: PathModel,
): Promise<void> {
  const above = trial.session.resources.find((other) => other.path === path);
  const obstacle = above && trial.session.obstacle(above, ["create"]);
  if (above === undefined || obstacle !== null) throw new CannotMake(obstacle ?? path);
  const { idProperty, typeName } = name;
  const [one, other] = [await trial.makeReferred(above), await trial.makeReferred(above)];
  const place = `${pathOf(above, one)}/${resource.name.plural}`;
  const body = (): JsonObject => without(fullBody(resource, trial.session.nextSeed()), property);
  const made = await trial.send("POST", place, { body: body() });
  const entity = trial.object(made, 201);
  trial.value(made, at(entity, `${property}.${idProperty}`), one[idProperty] ?? null, property);
  const changed = { ...body(), [property]: { [idProperty]: other[idProperty] ?? null } };
  const refused = await trial.send("POST", place, { body: changed });
  trial.fields(refused, `${property}.${idProperty}`);
  const nowhere = `${path}/${MISSING}/${resource.name.plural}`;
  const missing = await trial.send("POST", nowhere, { body: body() });
  trial.refusal(missing, 404, `${typeName}NotFoundMessage`);
  if (trial.session.obstacle(resource, ["list"]) !== null) return;
  trial.refusal(await trial.get(nowhere), 404, `${typeName}NotFoundMessage`);
  for (const rest of ["", ...resource.aliases.map((alias) => `/${alias.name}`)]) {
    const listed = await trial.get(place + rest);
    trial.status(listed, 200);
    const ids = resultsOf(listed.answer).map((result) => result[resource.name.idProperty]);
    const own = entity?.[resource.name.idProperty];
    const isRight = ids.every((id) => id === own) && (rest !== "" || ids.includes(own));
    trial.expect(listed, isRight, `those that refer to ${name.words} in the path`);
  }
  const empty = await trial.get(`${pathOf(above, other)}/${resource.name.plural}`);
  trial.value(empty, resultsOf(empty.answer), [], "the list of another");
}

/** The collection of children of one parent. */
function placeIn({ resource, above }: Child, parent: JsonObject): string {
  return `${pathOf(above, parent)}/${resource.name.plural}`;
}

/** A child of one parent, which its body may leave out; throws `CannotMake`. */
export async function makeIn(trial: Trial, child: Child, parent: JsonObject): Promise<JsonObject> {
  const { resource } = child;
  const full = fullBody(resource, trial.session.nextSeed());
  const body = without(full, child.parent.property);
  const { answer } = await trial.send("POST", placeIn(child, parent), { body });
  if (answer.status === 201 && isObject(answer.json)) return answer.json;
  throw new CannotMake(`no ${resource.name.words} could be made under its parent (CHD-2)`);
}

/** CHD-1: a parent lists and creates its own; the root lists all. */
async function underParent(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  const [first, second] = [await trial.makeReferred(above), await trial.makeReferred(above)];
  const post = await trial.send("POST", placeIn(child, first), { body: bodyOf(trial, child) });
  const own = trial.object(post, 201);
  const other = await makeIn(trial, child, second);
  await unknownParents(trial, child);
  const root = await trial.send("POST", resource.path, { body: bodyOf(trial, child) });
  trial.refusal(root, 405, "MethodNotAllowedMessage");
  if (own === undefined || trial.session.obstacle(resource, ["list"]) !== null) return;
  const { idProperty } = resource.name;
  const idsAt = async (path: string): Promise<readonly string[]> => {
    const listed = await trial.get(path + query(["sort", "-createdDate"]));
    trial.status(listed, 200);
    return resultsOf(listed.answer).map((result) => String(result[idProperty]));
  };
  const [mine, others] = [own, other].map((entity) => String(entity[idProperty]));
  const nested = await idsAt(placeIn(child, first));
  trial.value(trial.latest, nested, [mine ?? ""], "the children of the parent");
  const all = await idsAt(resource.path);
  const isThere = [mine, others].every((id) => all.includes(id ?? ""));
  trial.expect(trial.latest, isThere, "children of all parents");
  await parametersBelow(trial, child, { parent: first, own });
}

function bodyOf(trial: Trial, { resource, parent }: Child): JsonObject {
  return without(fullBody(resource, trial.session.nextSeed()), parent.property);
}

async function unknownParents(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  const type = `${above.name.typeName}NotFoundMessage`;
  for (const id of [MISSING, "no-uuid"]) {
    const place = `${above.path}/${id}/${resource.name.plural}`;
    trial.refusal(await trial.send("POST", place, { body: bodyOf(trial, child) }), 404, type);
    if (trial.session.obstacle(resource, ["list"]) !== null) continue;
    trial.refusal(await trial.get(place), 404, type);
    for (const { name } of resource.aliases) {
      trial.refusal(await trial.get(`${place}/${name}`), 404, type);
    }
  }
}

/** Sorts, pages and aliases hold under the parent, too. */
async function parametersBelow(
  trial: Trial,
  child: Child,
  { parent, own }: { parent: JsonObject; own: JsonObject },
): Promise<void> {
  const { resource } = child;
  const place = placeIn(child, parent);
  const { idProperty } = resource.name;
  const second = await makeIn(trial, child, parent);
  const page = await trial.get(
    place + query(["sort", "-createdDate"], ["pageSize", 1], ["pageNumber", 2]),
  );
  const ids = resultsOf(page.answer).map((result) => String(result[idProperty]));
  const wanted = [own, second].map((entity) => String(entity[idProperty]));
  trial.expect(page, ids.length === 1 && wanted.includes(ids[0] ?? ""), "one of the two children");
  if (resource.counted) trial.value(page, at(page.answer.json, "itemCount"), 2, "itemCount");
  trial.fields(await trial.get(`${place}?noSuchName=1`), "noSuchName");
  for (const { name } of resource.aliases) {
    const found = await trial.get(`${place}/${name}`);
    trial.status(found, 200);
    const strangers = resultsOf(found.answer).filter(
      (result) => !wanted.includes(String(result[idProperty])),
    );
    trial.expect(found, strangers.length === 0, "only children of the parent");
  }
  const put = await trial.send("PUT", place, { body: {} });
  trial.refusal(put, 405, "MethodNotAllowedMessage");
}

/** CHD-2: a child stands at the root, and names its parent, which never changes. */
async function atRoot(trial: Trial, child: Child): Promise<void> {
  const { resource, parent, above } = child;
  const { idProperty } = parent.name;
  const [first, second] = [await trial.makeReferred(above), await trial.makeReferred(above)];
  const made = await trial.send("POST", placeIn(child, first), { body: bodyOf(trial, child) });
  const entity = trial.object(made, 201);
  if (entity === undefined) return;
  const place = headerOf(made.answer, "location");
  const isAtRoot =
    URL.canParse(place) && new URL(place).pathname.endsWith(pathOf(resource, entity));
  trial.expect(made, isAtRoot, `Location: <the service>${pathOf(resource, entity)}`, place);
  const own = `${parent.property}.${idProperty}`;
  trial.value(made, at(entity, own), first[idProperty] ?? null, own);
  const other = { [parent.property]: { [idProperty]: second[idProperty] ?? null } };
  const body = { ...bodyOf(trial, child), ...other };
  trial.fields(await trial.send("POST", placeIn(child, first), { body }), own);
  await oneForGood(trial, child, { entity, other });
}

/** Another parent is refused in a change as well. */
async function oneForGood(
  trial: Trial,
  { resource, parent }: Child,
  { entity, other }: { entity: JsonObject; other: JsonObject },
): Promise<void> {
  const path = pathOf(resource, entity);
  const told = `${parent.property}.${parent.name.idProperty}`;
  const change = async (method: string, sent: Sent): Promise<Exchange> =>
    trial.send(method, path, sent);
  if (trial.session.obstacle(resource, ["update"]) === null) {
    trial.fields(await change("PATCH", { body: other }), told);
  }
  if (trial.session.obstacle(resource, ["replace"]) !== null) return;
  trial.fields(await change("PUT", { body: { ...entity, ...other } }), told);
  trial.status(await change("PUT", { body: without(entity, parent.property) }), 200);
}

/** CHD-3: there is nothing below a child. */
async function noDeeper(trial: Trial, child: Child): Promise<void> {
  const { resource, above } = child;
  const parent = await trial.makeReferred(above);
  const entity = await makeIn(trial, child, parent);
  const below = `${placeIn(child, parent)}/${String(entity[resource.name.idProperty])}`;
  for (const path of [below, `${below}/${resource.name.plural}`]) {
    trial.refusal(await trial.get(path), 404, "PathNotFoundMessage");
  }
}
