import type { JsonValue, ResourceFacts } from "./resource-facts.js";

/** What the tests of two versions of a resource need to know of both (VER-2). */
export interface VersionFacts {
  readonly older: VersionSide;
  readonly newer: VersionSide;
  /** What the older version shows of the newer one, but for what the service's own code converts. */
  readonly shown: readonly ShownFact[];
  /** What the older version cannot see. */
  readonly unseen: readonly string[];
}

/** One of the two versions. */
export interface VersionSide {
  readonly facts: ResourceFacts;
  /** Values of each property that a body can hold, but for references, what is unique, and the state. */
  readonly samples: { readonly [name: string]: readonly JsonValue[] };
  /** Of these properties, those of which a part is set for good; left out: none. */
  readonly lasting?: readonly string[];
  /** STA; left out: it has no states. */
  readonly state?: StateFacts;
}

/** The states that entities of a version can be brought to. */
export interface StateFacts {
  readonly property: string;
  readonly ways: readonly StateWay[];
  /** Those that only actions lead to; left out: there are none. */
  readonly apart?: readonly string[];
}

/** How a new entity comes to a state, and what is allowed there. */
export interface StateWay {
  readonly states: readonly string[];
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
}

/** A property of the newer version, and what the older one shows of it. */
export interface ShownFact {
  readonly older: string;
  readonly newer: string;
  /** What is shown instead of a value; left out: every value is shown as it is. */
  readonly instead?: { readonly [value: string]: string };
  /** Values that are shown as one are shown once. */
  readonly isUnique?: true;
  /** What stands in it; left out: it is one value. */
  readonly members?: readonly ShownFact[];
  /** What stands in the newer object and not in the older one; left out: nothing. */
  readonly unseen?: readonly string[];
}

/** What the older version has to show of a value of the newer one, as far as the facts say. */
export function shownValue(value: JsonValue | undefined, fact: ShownFact): JsonValue {
  const { instead = {}, isUnique = false, members } = fact;
  if (value === undefined || value === null) return null;
  if (isList(value)) {
    const items = value.map((item) => shownValue(item, fact));
    return isUnique && members === undefined ? [...new Set(items)] : items;
  }
  if (typeof value === "object") return members === undefined ? value : shownObject(value, members);
  return typeof value === "string" && Object.hasOwn(instead, value)
    ? (instead[value] ?? value)
    : value;
}

/** The same for an object, with the names of the older version. */
function shownObject(
  value: { readonly [name: string]: JsonValue },
  facts: readonly ShownFact[],
): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(
    facts.map((fact) => [fact.older, shownValue(value[fact.newer], fact)] as const),
  );
}

/** What is known of the older version's value: no more than the facts say. */
export function knownPart(value: JsonValue | undefined, fact: ShownFact): JsonValue {
  const { members } = fact;
  if (value === undefined || value === null) return null;
  if (isList(value)) return value.map((item) => knownPart(item, fact));
  if (typeof value !== "object" || members === undefined) return value;
  return Object.fromEntries(
    members.map((member) => [member.older, knownPart(value[member.older], member)] as const),
  );
}

/** Of what is there, what stands where something was sent; null: nothing. */
export function sentPart(value: JsonValue | undefined, sent: JsonValue): JsonValue {
  if (value === undefined || value === null || sent === null) return value ?? null;
  if (isList(value)) {
    return isList(sent) ? value.map((item, index) => sentPart(item, sent[index] ?? null)) : value;
  }
  if (typeof value !== "object" || typeof sent !== "object" || isList(sent)) return value;
  return Object.fromEntries(
    Object.entries(sent).map(([name, part]) => [name, sentPart(value[name], part)] as const),
  );
}

/**
 * Where something that the older version cannot see has another value in `after`, though the older version has only
 * changed what it sees; null: nowhere. Items of a list stay in their place where none of them is sent for another.
 */
export function unseenChange(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  fact: ShownFact,
): string | null {
  if (before === undefined || before === null || after === undefined || after === null) return null;
  if (isList(before) && isList(after)) {
    const shown = new Set(before.map((item) => JSON.stringify(shownValue(item, fact))));
    const isSent = after.some((item) => shown.has(JSON.stringify(shownValue(item, fact))));
    if (isSent) return null;
    return first(before.map((item, index) => unseenChange(item, after[index], fact)));
  }
  if (!isObject(before) || !isObject(after)) return null;
  const { members = [], unseen = [], newer } = fact;
  const changed = unseen.find(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed !== undefined) return `${newer}.${changed}`;
  return first(
    members.map((member) => unseenChange(before[member.newer], after[member.newer], member)),
  );
}

/** A list of objects of both versions. */
interface Lists {
  readonly made: { readonly [name: string]: JsonValue };
  readonly shown: { readonly [name: string]: JsonValue };
  /** Has another value of the part that is changed. */
  readonly sent: { readonly [name: string]: JsonValue };
}

/** A list of objects with one part of each changed, as both versions have it; null where there is none. */
export function changedItems(
  { made, shown, sent }: Lists,
  { older, newer, isUnique, members = [] }: ShownFact,
): { readonly older: JsonValue; readonly newer: JsonValue } | null {
  const [before, after, others] = [shown[older], made[newer], sent[older]];
  const part = members.find((member) => member.instead === undefined && !member.members);
  if (
    part === undefined ||
    isUnique === true ||
    !isItems(before) ||
    !isItems(after) ||
    !isItems(others)
  ) {
    return null;
  }
  const value = others[0]?.[part.older];
  if (value === undefined || before.some((item) => item[part.older] === value)) return null;
  return {
    older: before.map((item) => ({ ...item, [part.older]: value })),
    newer: after.map((item) => ({ ...item, [part.newer]: value })),
  };
}

function isItems(
  value: JsonValue | undefined,
): value is readonly { readonly [name: string]: JsonValue }[] {
  return value !== undefined && value !== null && isList(value) && value.every(isObject);
}

function first(found: readonly (string | null)[]): string | null {
  return found.find((one) => one !== null) ?? null;
}

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
