import type { ResourceModel } from "../../model/resource-model.js";
import type { ShownFact } from "../../model/shown-facts.js";
import { mergedWith, withValue, type JsonObject } from "../../samples/json.js";
import { askingAs } from "../asking.js";
import {
  clientPart,
  COMMON_FIELDS,
  fullBody,
  isUnique,
  keeping,
  replacement,
  settableBody,
  settablePart,
} from "../bodies.js";
import { bring } from "../bring.js";
import { isWithin } from "../conditions.js";
import { changedPart, sentInItems } from "../changed-part.js";
import { moment, pathOf, query, type Check } from "../check.js";
import { hiddenValues, type HiddenValue } from "../hidden-values.js";
import { representationsOf, type VersionsOfResource } from "../versions-of.js";
import { expectedOf, knownOf, unseenChange } from "../shown-part.js";
import { variable } from "../samples.js";
import { isInvalid, resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";

/** VER-2: what is written through one version is read through the other. */
export const ACROSS_VERSIONS: readonly Check[] = [{ rule: "VER-2", run: everyPair }];

async function everyPair(trial: Trial): Promise<void> {
  const { versions } = trial.session.options;
  if (versions.length === 0) trial.absences.add("no resource has several versions");
  for (const pair of versions) {
    const obstacle =
      trial.session.obstacle(pair.newer, ["create", "read"]) ??
      trial.session.obstacle(pair.older, ["read"]);
    if (obstacle !== null) trial.obstacles.add(obstacle);
    else {
      await trial.attempt(async () => fromNewer(trial, pair));
      await trial.attempt(async () => everyState(trial, pair));
      await trial.attempt(async () => fromOlder(trial, pair));
      for (const hidden of [null, ...hiddenIn(trial, pair)]) {
        await trial.attempt(async () => everyValue(trial, pair, hidden));
      }
      for (const fact of pair.shown) {
        await trial.attempt(async () => everyEmbedded(trial, pair, fact));
      }
    }
  }
}

/** What the newer version has made is there in the older one, which changes nothing that it cannot see. */
async function fromNewer(trial: Trial, pair: VersionsOfResource): Promise<void> {
  const { older, newer } = pair;
  await trial.prepare(newer);
  const made = await trial.make(newer);
  const shown = await isShown(trial, pair, made);
  if (shown === undefined || trial.session.obstacle(older, ["replace"]) !== null) return;
  const body = replacement(older, shown, trial.session.nextSeed());
  const replaced = await trial.send("PUT", pathOf(older, shown), { body });
  const answer = trial.object(replaced, 200);
  const read = await trial.get(pathOf(newer, made));
  const now = trial.object(read, 200);
  if (answer === undefined || now === undefined) return;
  // What is read only may be written anew by own code.
  const before = clientPart(newer.properties, made);
  const after = clientPart(newer.properties, now);
  for (const name of pair.unseen) {
    const wanted = before[name] ?? null;
    trial.value(read, after[name] ?? null, wanted, `${name}, which ${older.version} cannot see`);
  }
  for (const fact of pair.shown) {
    const changed = unseenChange(before[fact.newer], after[fact.newer], fact);
    trial.value(read, changed, null, `what ${older.version} cannot see, and has changed`);
  }
  trial.holds(replaced, clientPart(older.properties, body), answer);
  const known = knownOf(answer, pair.shown);
  trial.value(read, known, expectedOf(now, pair.shown), `what ${older.version} has written`);
}

/** What the older version shows; undefined where that is not the object. */
async function isShown(
  trial: Trial,
  { older, shown }: VersionsOfResource,
  entity: JsonObject,
): Promise<JsonObject | undefined> {
  const read = await trial.get(pathOf(older, entity));
  const found = trial.object(read, 200);
  if (found === undefined) return undefined;
  const common = (object: JsonObject): JsonObject =>
    Object.fromEntries(COMMON_FIELDS.map((name) => [name, object[name] ?? null]));
  const known = { ...knownOf(found, shown), ...common(found) };
  const wanted = { ...expectedOf(entity, shown), ...common(entity) };
  return trial.value(read, known, wanted, `what ${older.version} shows`) ? found : undefined;
}

/** What the older version shows changes nothing at all where it is sent back (ENT-4). */
async function sentBack(
  trial: Trial,
  { older, newer }: VersionsOfResource,
  entity: JsonObject,
  shown: JsonObject,
): Promise<void> {
  const method = methodOf(trial, older, ["PUT", "PATCH"]);
  if (method === undefined) return;
  const body = settablePart(older, shown);
  trial.status(await trial.send(method, pathOf(older, shown), { body }), 200);
  const read = await trial.get(pathOf(newer, entity));
  const after = trial.object(read, 200);
  if (after !== undefined) trial.value(read, after, entity, "what was sent back as it was shown");
}

/** Every state that the older version shows as another one. */
async function everyState(trial: Trial, pair: VersionsOfResource): Promise<void> {
  const { newer, shown } = pair;
  const { states } = newer.entity;
  if (states === null || trial.session.obstacle(newer, ["update"]) !== null) return;
  const fact = shown.find((one) => one.newer === states.property);
  for (const { stored } of fact?.instead ?? []) {
    const made = await trial.make(newer);
    const isGoal = (state: string): boolean =>
      state === stored && trial.session.mayEnter(newer, state);
    const entity = await bring(trial, { resource: newer, states, entity: made }, isGoal);
    if (entity !== null) await isKept(trial, pair, entity, fact);
  }
}

/** The values that the older version cannot show as they are, and that any entity may have. */
function hiddenIn(trial: Trial, pair: VersionsOfResource): readonly HiddenValue[] {
  const { newer } = pair;
  const isFree = ({ property }: HiddenValue): boolean =>
    property.name !== newer.entity.states?.property && !isUnique(newer, property);
  return variable(trial, newer, hiddenValues(newer.properties, pair).filter(isFree));
}

/** What is made with a value that the older version cannot show as it is; null: without one. */
async function everyValue(
  trial: Trial,
  pair: VersionsOfResource,
  hidden: HiddenValue | null,
): Promise<void> {
  const { newer, shown } = pair;
  const full = fullBody(newer, trial.session.nextSeed());
  const body = hidden === null ? full : withValue(full, hidden.path, hidden.value);
  const made = await trial.post(newer, { body });
  // The older version may not be able to show what own code makes of it.
  if (isInvalid(made.answer)) return;
  const entity = trial.object(made, 201);
  if (entity === undefined) return;
  const isOf = (fact: ShownFact): boolean => fact.newer === hidden?.path && fact.instead.length > 0;
  await isKept(trial, pair, entity, shown.find(isOf));
}

/** The older version keeps an entity whole, under each of its names, and finds it by what it shows. */
async function isKept(
  trial: Trial,
  pair: VersionsOfResource,
  entity: JsonObject,
  fact?: ShownFact,
): Promise<void> {
  const { older, newer } = pair;
  const found = await isShown(trial, pair, entity);
  if (found === undefined) return;
  if (fact !== undefined) await isFound(trial, pair, entity, fact);
  await moment();
  await isLeft(trial, pair, entity, found);
  for (const other of representationsOf(trial.session.everyResource, pair)) {
    if (trial.session.obstacle(other.older, ["read"]) !== null) continue;
    const known = trial.object(await trial.get(pathOf(older, entity)), 200);
    const now = trial.object(await trial.get(pathOf(newer, entity)), 200);
    if (known === undefined || now === undefined) return;
    const asking = askingAs(trial.session, older);
    if (isWithin(older, other.older.conditions, known, asking) !== true) continue;
    const here = await isShown(trial, other, now);
    if (here !== undefined) await isLeft(trial, other, now, here);
  }
}

/** What is sent back as it was shown changes nothing, and a change of one part nothing else. */
async function isLeft(
  trial: Trial,
  pair: VersionsOfResource,
  entity: JsonObject,
  shown: JsonObject,
): Promise<void> {
  await sentBack(trial, pair, entity, shown);
  await onePart(trial, pair, entity, shown);
}

/** What is not sent is not converted anew. */
async function onePart(
  trial: Trial,
  { older, newer, shown }: VersionsOfResource,
  entity: JsonObject,
  before: JsonObject,
): Promise<void> {
  const method = methodOf(trial, older, ["PATCH", "PUT"]);
  const { states } = newer.entity;
  const isUpdatable = states?.updatableIn.includes(String(entity[states.property])) ?? true;
  if (method === undefined || !isUpdatable) return;
  const fresh = keeping(older.properties, settableBody(older, trial.session.nextSeed()), before);
  const facts = shown.filter((fact) => fact.newer !== states?.property);
  const part = changedPart({ older: before, newer: entity, fresh }, older.properties, facts);
  const body = method === "PUT" ? mergedWith(settablePart(older, before), part.older) : part.older;
  const changed = await trial.send(method, pathOf(older, before), { body });
  // Own code may have a rule about several values.
  if (isInvalid(changed.answer)) return;
  trial.status(changed, 200);
  const read = await trial.get(pathOf(newer, entity));
  const after = trial.object(read, 200);
  if (after === undefined) return;
  const own = (object: JsonObject): JsonObject =>
    sentInItems(clientPart(newer.properties, settablePart(newer, object)), older.properties, facts);
  const wanted = own(mergedWith(entity, part.newer));
  trial.value(read, own(after), wanted, `what ${older.version} has not sent`);
}

/** The first of some methods that may change a resource. */
function methodOf(
  { session }: Trial,
  resource: ResourceModel,
  methods: readonly ("PATCH" | "PUT")[],
): "PATCH" | "PUT" | undefined {
  const operations = { PATCH: "update", PUT: "replace" } as const;
  return methods.find((method) => session.obstacle(resource, [operations[method]]) === null);
}

/** What is embedded of another is shown in the older version's words, whatever the other holds. */
async function everyEmbedded(
  trial: Trial,
  pair: VersionsOfResource,
  fact: ShownFact,
): Promise<void> {
  const { newer } = pair;
  const property = newer.properties.find(({ name }) => name === fact.newer);
  if (property?.type.kind !== "reference" || property.readOnly) return;
  const { identifier, target, isParent } = property.type;
  const other = trial.session.resources.find(
    ({ name, version }) => name.plural === target?.name.plural && version === newer.version,
  );
  if (other === undefined || isParent) return;
  if (trial.session.obstacle(other, ["create"]) !== null) return;
  for (const member of fact.members) {
    const source = other.properties.find(({ name }) => name === member.newer);
    if (source === undefined || source.readOnly) continue;
    if (other.entity.states?.property === source.name || member.instead.length === 0) continue;
    if (variable(trial, other, [source]).length === 0) continue;
    for (const { stored } of member.instead) {
      const referred = await trial.makeReferred(other, { [source.name]: stored });
      const reference = { [identifier.name]: referred[other.name.idProperty] ?? null };
      await isShown(trial, pair, await trial.make(newer, { [fact.newer]: reference }));
    }
  }
}

async function isFound(
  trial: Trial,
  { older, newer }: VersionsOfResource,
  entity: JsonObject,
  fact: ShownFact,
): Promise<void> {
  const property = older.properties.find(({ name }) => name === fact.older);
  if (property === undefined || property.filterable === false) return;
  if (trial.session.obstacle(older, ["list"]) !== null) return;
  const wanted = expectedOf(entity, [fact])[fact.older] ?? null;
  const [value = null] = [wanted].flat();
  const search = query([fact.older, String(value)], ["sort", "-createdDate"], ["pageSize", 20]);
  const list = await trial.get(older.path + search);
  const id = entity[newer.name.idProperty];
  const found = resultsOf(list.answer).some((one) => one[older.name.idProperty] === id);
  trial.expect(
    list,
    found,
    `the object that ${older.version} shows with ${fact.older} ${String(value)}`,
  );
}

/** What the older version has made is whole in the newer one. */
async function fromOlder(trial: Trial, pair: VersionsOfResource): Promise<void> {
  const { older, newer } = pair;
  if (trial.session.obstacle(older, ["create"]) !== null) return;
  await trial.prepare(older);
  const made = await trial.make(older);
  const read = await trial.get(pathOf(newer, made));
  const entity = trial.object(read, 200);
  if (entity === undefined) return;
  const wanted = expectedOf(entity, pair.shown);
  trial.value(read, wanted, knownOf(made, pair.shown), `what ${older.version} has made`);
  if (trial.session.obstacle(newer, ["replace"]) !== null) return;
  const body = settablePart(newer, entity);
  trial.status(await trial.send("PUT", pathOf(newer, entity), { body }), 200);
  const again = await trial.get(pathOf(older, made));
  const after = trial.object(again, 200);
  if (after !== undefined) trial.value(again, after, made, "what came back");
}
