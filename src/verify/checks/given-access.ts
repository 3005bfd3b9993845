import type { ResourceModel } from "../../model/resource-model.js";
import { at, type JsonObject } from "../../samples/json.js";
import { isAskingCode, type Caller } from "../caller.js";
import { pathOf, query } from "../check.js";
import { makeAs } from "../make-as.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** Of the results of a list, so many are read by themselves. */
const MOST_READ = 20;

/**
 * AUT-2: what the service's own code gives (`custom`) nobody else knows; but whatever it gives, every path has to show
 * the same of it: a single read, lists, aliases, representations, and the lists of its children.
 */
export async function given(
  trial: Trial,
  resource: ResourceModel,
  everybody: readonly Caller[],
): Promise<void> {
  if (!isAskingCode(resource.access.read) || !resource.operations.includes("read")) return;
  for (const maker of everybody) {
    const made = await makeAs(trial, resource, maker);
    const entity = made === null ? undefined : trial.object(made, 201);
    if (entity === undefined) continue;
    for (const caller of everybody) await alike(trial, resource, { entity, caller });
  }
  for (const caller of everybody) await shown(trial, resource, caller);
}

interface Asked {
  readonly entity: JsonObject;
  readonly caller: Caller;
}

/** One entity, by all paths that could show it. */
async function alike(
  trial: Trial,
  resource: ResourceModel,
  { entity, caller }: Asked,
): Promise<void> {
  const read = await trial.send("GET", pathOf(resource, entity), {}, caller);
  const isRead = read.answer.status === 200;
  const { idProperty, plural } = resource.name;
  const places = resource.operations.includes("list") ? [resource.path] : [];
  const { parent } = resource;
  const above = parent && at(entity, `${parent.property}.${parent.name.idProperty}`);
  if (parent !== null && places.length > 0)
    places.push(`${parent.path}/${String(above)}/${plural}`);
  for (const place of places) {
    const listed = await trial.send("GET", `${place}?sort=-createdDate`, {}, caller);
    // A parent that the caller may not read has no list.
    if (listed.answer.status === 404 && place !== resource.path) continue;
    const isListed = resultsOf(listed.answer).some((one) => one[idProperty] === entity[idProperty]);
    const expected = isRead ? "the entity that can be read" : "no entity that cannot be read";
    trial.expect(listed, isListed === isRead, expected);
  }
  for (const other of trial.session.everyResource) {
    const isSame = other.entity === resource.entity && other.version === resource.version;
    const hasSameAccess = String(other.access.read) === String(resource.access.read);
    if (!isSame || !other.isRepresentation || !hasSameAccess || isRead) continue;
    if (!other.operations.includes("read")) continue;
    const elsewhere = await trial.send("GET", pathOf(other, entity), {}, caller);
    const type = `${resource.entity.name.typeName}NotFoundMessage`;
    if (caller.token === null) trial.refusal(elsewhere, 401, "UnauthorizedMessage");
    else trial.refusal(elsewhere, 404, type);
  }
}

/** What a list or an alias shows can be read by itself, and is counted. */
async function shown(trial: Trial, resource: ResourceModel, caller: Caller): Promise<void> {
  if (!resource.operations.includes("list")) return;
  const size = resource.paging.maximumSize;
  for (const path of [resource.path, ...resource.aliases.map((alias) => alias.path)]) {
    const listed = await trial.send("GET", path + query(["pageSize", size]), {}, caller);
    if (listed.answer.status !== 200) continue;
    const results = resultsOf(listed.answer);
    for (const one of results.slice(0, MOST_READ)) {
      trial.status(await trial.send("GET", pathOf(resource, one), {}, caller), 200);
    }
    if (!resource.counted || results.length >= size) continue;
    const short = await trial.send("GET", path + query(["pageSize", 1]), {}, caller);
    trial.value(short, Object(short.answer.json)["itemCount"], results.length, "itemCount");
  }
}
