import type { ShownFact } from "../../model/shown-facts.js";
import type { Json, JsonObject } from "../../samples/json.js";
import { clientPart, replacement, settablePart } from "../bodies.js";
import { bring } from "../bring.js";
import { replacing } from "../changing.js";
import { moment, pathOf, query, type Check } from "../check.js";
import type { VersionsOfResource } from "../versions-of.js";
import { expectedOf, knownOf, unseenChange } from "../shown-part.js";
import { variable } from "../samples.js";
import { resultsOf, type Trial } from "../trial.js";
import { everyBound } from "./converted-bounds.js";

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
      await trial.attempt(async () => everyBound(trial, pair));
      for (const fact of pair.shown) {
        await trial.attempt(async () => everyValue(trial, pair, fact));
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
  await moment();
  await sentBack(trial, pair, made, shown);
  const whole = (): JsonObject => replacement(older, shown, trial.session.nextSeed());
  const change = { resource: older, entity: shown, whole };
  const { exchange: replaced, body } = await replacing(trial, change);
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
  const known = knownOf(found, shown);
  const wanted = expectedOf(entity, shown);
  return trial.value(read, known, wanted, `what ${older.version} shows`) ? found : undefined;
}

/** A PUT of what the older version shows changes nothing at all (ENT-4). */
async function sentBack(
  trial: Trial,
  { older, newer }: VersionsOfResource,
  entity: JsonObject,
  shown: JsonObject,
): Promise<void> {
  const body = settablePart(older, shown);
  trial.status(await trial.send("PUT", pathOf(older, shown), { body }), 200);
  const read = await trial.get(pathOf(newer, entity));
  const after = trial.object(read, 200);
  if (after !== undefined) trial.value(read, after, entity, "what was sent back as it was shown");
}

/** Every state that the older version shows as another one. */
async function everyState(trial: Trial, pair: VersionsOfResource): Promise<void> {
  const { older, newer, shown } = pair;
  const { states } = newer.entity;
  if (states === null || trial.session.obstacle(newer, ["update"]) !== null) return;
  const fact = shown.find((one) => one.newer === states.property);
  for (const { stored } of fact?.instead ?? []) {
    const made = await trial.make(newer);
    const isGoal = (state: string): boolean =>
      state === stored && trial.session.mayEnter(newer, state);
    const entity = await bring(trial, { resource: newer, states, entity: made }, isGoal);
    if (entity === null || fact === undefined) continue;
    const found = await isShown(trial, pair, entity);
    if (found === undefined) continue;
    await isFound(trial, pair, entity, fact);
    await moment();
    const isReplaced = trial.session.obstacle(older, ["replace"]) === null;
    if (isReplaced) await sentBack(trial, pair, entity, found);
  }
}

/** A filter of the older version means what it shows. */
async function everyValue(trial: Trial, pair: VersionsOfResource, fact: ShownFact): Promise<void> {
  const { newer } = pair;
  const property = newer.properties.find(({ name }) => name === fact.newer);
  const isState = newer.entity.states?.property === fact.newer;
  if (property === undefined || isState || property.readOnly) return;
  if (fact.instead.length === 0 || variable(trial, newer, [property]).length === 0) return;
  for (const { stored } of fact.instead) {
    const value: Json = property.type.kind === "array" ? [stored] : stored;
    const entity = await trial.make(newer, { [fact.newer]: value });
    await isFound(trial, pair, entity, fact);
  }
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
