import type { PropertyModel } from "../../kinds/property-model.js";
import { at, isObject, type JsonObject } from "../../samples/json.js";
import type { Caller } from "../caller.js";
import { fieldsOf, type Exchange } from "../exchange.js";
import { firstAt, placeOf, withFirstAt } from "../places.js";
import type { Trial } from "../trial.js";
import { isHidden } from "./access.js";
import { allReferringOf } from "./references.js";

/** What an action is sent, where, and by whom. */
export interface SentInput {
  readonly path: string;
  readonly properties: readonly PropertyModel[];
  readonly body: JsonObject;
  readonly caller: Caller;
}

/** REP-4: only the identifier is read, also in upper case; embedded values are ignored. */
export async function forgedInput(
  trial: Trial,
  { path, properties, body, caller }: SentInput,
): Promise<void> {
  for (const { property, reference } of allReferringOf(properties)) {
    const { identifier, embedded } = reference;
    const id = at(firstAt(body, property.path), identifier.name);
    if (typeof id !== "string") continue;
    const forged = Object.fromEntries(embedded.map(({ name }) => [name, { forged: true }]));
    const isText = identifier.type.kind === "string";
    const value = { ...forged, [identifier.name]: isText ? id : id.toUpperCase() };
    const sent = withFirstAt(body, property.path, value);
    const place = placeOf(sent, property.path);
    const wrongIn = ({ answer }: Exchange): readonly string[] =>
      fieldsOf(answer).filter((field) => field.startsWith(place));
    const exchange = await trial.send("POST", path, { body: sent }, caller);
    const told = wrongIn(exchange);
    // Own code may refuse what is referred to, however it is written.
    const plain =
      told.length === 0 ? [] : wrongIn(await trial.send("POST", path, { body }, caller));
    trial.value(exchange, told, plain, `what is wrong with ${place}`);
  }
}

/** AUT-2: what the caller may not read is not there. */
export async function hiddenInput(
  trial: Trial,
  { path, properties, caller }: Omit<SentInput, "body">,
): Promise<void> {
  const { session } = trial;
  for (const property of properties) {
    const { type, name } = property;
    const reference = type.kind === "array" ? type.items : type;
    if (reference.kind !== "reference" || reference.target === null) continue;
    const { plural } = reference.target.name;
    const target = session.resources.find((one) => one.name.plural === plural);
    const { name: idName } = reference.identifier;
    const id = session.anchors.of(plural)[0]?.[idName];
    if (target === undefined || id === undefined) continue;
    if (!(await isHidden(trial, target, caller))) continue;
    const isList = type.kind === "array";
    const value = isList ? [{ [idName]: id }] : { [idName]: id };
    const made = await trial.send("POST", path, { body: { [name]: value } }, caller);
    const wanted = `${name}${isList ? "[0]" : ""}.${idName}`;
    trial.expect(made, fieldsOf(made.answer).includes(wanted), `400 that names ${wanted}`);
  }
}

/** REP-4: a reference in an answer holds the identifier, and what is embedded. */
export function showsReferences(
  trial: Trial,
  exchange: Exchange,
  {
    properties,
    json,
  }: { readonly properties: readonly PropertyModel[]; readonly json: JsonObject },
): void {
  for (const { property, reference } of allReferringOf(properties)) {
    const shown = firstAt(json, property.path);
    if (!isObject(shown)) continue;
    const names = [reference.identifier, ...reference.embedded].map(({ name }) => name);
    trial.value(exchange, Object.keys(shown).sort(), names.sort(), `names of ${property.path}`);
  }
}
