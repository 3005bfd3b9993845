import { innerType } from "../../model/leaves.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { at, isObject, withValue, type JsonObject } from "../../samples/json.js";
import { filterPlaces, fullBody, isUnique, placesOf } from "../bodies.js";
import type { Caller } from "../caller.js";
import { MISSING, pathOf, query, type Check } from "../check.js";
import { clipped, headerOf, resultsOf, type Answer } from "../exchange.js";
import type { Trial } from "../trial.js";
import { textOf, type Parameter } from "./filtered-lists.js";
import { referrersOf, referringWay, replaceWay, waysTo, type Way } from "./ways-to-an-entity.js";

/** AUT-4: whom an entity is there for. */
export const TENANTS: readonly Check[] = [{ rule: "AUT-4", run: tenants }];

async function tenants(trial: Trial): Promise<void> {
  const { strangers, nameless } = trial.session.options;
  const where = ({ entity }: ResourceModel): boolean => entity.tenant !== null;
  const otherwise = "no resource has a tenant";
  await trial.each({ needs: [], where, otherwise }, async (resource) => {
    for (const caller of nameless) await withoutTenant(trial, resource, caller);
    if (strangers.length > 0) return;
    trial.obstacles.add("no token of another tenant was given: give one more with --token");
  });
  if (strangers.length === 0) return;
  await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
    for (const session of strangers) await hidden(trial, trial.by(session), resource);
  });
}

/** A caller without a tenant gets 403 for every request. */
async function withoutTenant(trial: Trial, original: ResourceModel, caller: Caller): Promise<void> {
  const places = placesWith(trial, original).filter(({ version }) => version === original.version);
  for (const place of places) {
    const { path, operations } = place;
    const one = `${path}/${MISSING}`;
    const requests = [
      ["list", "GET", path],
      ["read", "GET", one],
      ["create", "POST", trial.session.placeOf(place)],
      ["update", "PATCH", one],
      ["delete", "DELETE", one],
    ] as const;
    for (const [operation, method, target] of requests) {
      if (!operations.includes(operation)) continue;
      const sent = method === "POST" || method === "PATCH" ? { body: {} } : {};
      trial.refusal(await trial.send(method, target, sent, caller), 403, "ForbiddenMessage");
    }
  }
}

/** Every resource that shows the same entities, in every version. */
function placesWith({ session }: Trial, { entity }: ResourceModel): readonly ResourceModel[] {
  return session.everyResource.filter((one) => one.entity.name.plural === entity.name.plural);
}

/** An entity of this tenant is not there for the callers of another one. */
async function hidden(trial: Trial, abroad: Trial, resource: ResourceModel): Promise<void> {
  const entity = await trial.make(resource);
  const id = String(entity[resource.name.idProperty]);
  for (const place of placesWith(trial, resource)) {
    await abroad.attempt(async () => abroad.prepare(place));
    await abroad.attempt(async () => {
      for (const way of waysTo(abroad.session, place)) await isNowhere(abroad, way, id);
    });
    if (place.operations.includes("replace")) {
      await abroad.attempt(async () => isNowhere(abroad, replaceWay(abroad.session, place), id));
    }
    for (const referrer of referrersOf(abroad.session, place)) {
      await abroad.attempt(async () => {
        await abroad.prepare(referrer.resource);
        await isNowhere(abroad, referringWay(abroad.session, referrer), id);
      });
    }
    await inNoList(trial, abroad, { place, id });
  }
  await abroad.attempt(async () => isFree(abroad, resource, entity));
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const read = await trial.get(pathOf(resource, entity));
  const { lastModifiedDate = null } = trial.object(read, 200) ?? {};
  trial.value(read, lastModifiedDate, entity["lastModifiedDate"] ?? null, "lastModifiedDate");
}

/** The answer is that of an identifier which no entity has ever had. */
async function isNowhere(abroad: Trial, way: Way, id: string): Promise<void> {
  const { method, path, body, caller, status } = way;
  const ask = async (named: string) =>
    abroad.send(method, path(named), body === undefined ? {} : { body: body(named) }, caller);
  const found = await ask(id);
  const missed = await ask(MISSING);
  const [got, wanted] = [said(found.answer, id), said(missed.answer, MISSING)];
  const isSo = got === wanted && (status === null || found.answer.status === status);
  const expected = status === null ? wanted : `${status}, ${wanted}`;
  abroad.expect(found, isSo, `as for an identifier that never existed: ${clipped(expected)}`, got);
}

/** What an answer says, whichever entity it was asked for. */
function said(answer: Answer, id: string): string {
  const text = answer.text.toLowerCase().replaceAll(id, "<id>");
  const headers = ["etag", "location", "link", "allow"].map((name) => headerOf(answer, name));
  return [answer.status, ...headers, text].filter((part) => part !== "").join(" ");
}

interface Hidden {
  readonly place: ResourceModel;
  readonly id: string;
}

/** No list shows or counts it: all of them, an alias, a search, and a filter by what it holds. */
async function inNoList(trial: Trial, abroad: Trial, { place, id }: Hidden): Promise<void> {
  if (!place.operations.includes("list")) return;
  const size = place.paging.maximumSize;
  const caller = abroad.session.callerFor(place);
  const all: readonly (readonly Parameter[])[] = [[], ...(await parametersFor(trial, place, id))];
  const lists = [
    ...all.map((parameters) => [place.path, parameters] as const),
    ...place.aliases.map(({ path }) => [path, []] as const),
  ];
  for (const [path, parameters] of lists) {
    const page = async (pageSize: number) => {
      const paging = [["sort", "-createdDate"] as const, ["pageSize", pageSize] as const];
      return abroad.send("GET", path + query(...parameters, ...paging), {}, caller);
    };
    const listed = await page(size);
    const isThere = listed.answer.text.toLowerCase().includes(id);
    abroad.expect(listed, !isThere, "nothing of another tenant");
    const results = resultsOf(listed.answer);
    if (!place.counted || listed.answer.status !== 200 || results.length >= size) continue;
    // A page that is full does not tell how many there are.
    for (const one of [listed, ...(results.length > 1 ? [await page(1)] : [])])
      abroad.value(one, Object(one.answer.json)["itemCount"], results.length, "itemCount");
  }
}

/** The filters, and a search, that find the entity for callers of its own tenant; none if they may not read it. */
async function parametersFor(
  trial: Trial,
  place: ResourceModel,
  id: string,
): Promise<readonly (readonly Parameter[])[]> {
  if (trial.session.obstacle(place, ["read"]) !== null) return [];
  const { answer } = await trial.get(`${place.path}/${id}`);
  const { status, json } = answer;
  if (status !== 200 || !isObject(json)) return [];
  const asked = [
    ...filterPlaces(place).map(({ path }) => [path, path] as const),
    ...place.search.slice(0, 1).map((path) => ["search", path] as const),
  ];
  return asked.flatMap(([name, path]) => {
    const [value = null] = [at(json, path) ?? null].flat();
    return value === null || isObject(value) ? [] : [[[name, textOf(value)] as const]];
  });
}

/** A value that no two entities of a tenant have is free in another one. */
async function isFree(abroad: Trial, resource: ResourceModel, entity: JsonObject): Promise<void> {
  const { session } = abroad;
  const places = placesOf(
    resource.properties,
    (property) => isUnique(resource, property) && innerType(property.type).kind !== "reference",
  );
  const obstacle = session.obstacle(resource, ["create"]);
  if (obstacle !== null) abroad.obstacles.add(obstacle);
  if (obstacle !== null || places.length === 0) return;
  await abroad.prepare(resource);
  const body = places.reduce(
    (whole, { path }) => withValue(whole, path, at(entity, path) ?? null),
    fullBody(resource, session.nextSeed()),
  );
  const made = await abroad.post(resource, { body });
  session.noteRefused(made);
  const names = places.map(({ path }) => path).join(", ");
  abroad.expect(made, made.answer.status !== 409, `${names} of another tenant's entity are free`);
}
