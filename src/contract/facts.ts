import type { PathStep } from "../load/source-document.js";
import type { Difference, Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { words } from "./words.js";

/** Both sides of one fact, with what holds it. */
export interface Compared<V, T> {
  readonly key: string;
  readonly was: V | undefined;
  readonly is: V | undefined;
  readonly before: T;
  readonly after: T;
}

/** How a fact is compared: most are made by a function of this module, a particular one is a function itself. */
export type Fact<V, T> = (compared: Compared<V, T>) => readonly Difference[];

/** A table of facts that T can hold. Differences are in the order of its rows. */
export type Facts<T> = { readonly [K in keyof T]?: Fact<NonNullable<T[K]>, T> };

/** The differences between two holders in the facts of a table; each is at the key of its fact, or where that says. */
export function compareFacts<T extends object>(
  facts: Facts<T>,
  before: T,
  after: T,
): readonly Difference[] {
  const row = <K extends keyof T & string>(key: K): readonly Difference[] => {
    const [was, is] = [before[key] ?? undefined, after[key] ?? undefined];
    const differences = facts[key]?.({ key, was, is, before, after }) ?? [];
    return differences.map((one) => ({ at: [key], ...one }));
  };
  // A table has no keys but those of its type, which Object.keys does not know.
  return (Object.keys(facts) as (keyof T & string)[]).flatMap((key) => row(key));
}

/** A fact that stands in YAML under other names than its key. */
export function placed<V, T>(at: readonly PathStep[], fact: Fact<V, T>): Fact<V, T> {
  return (compared) => fact(compared).map((one) => ({ at, ...one }));
}

/** A fact whose differences are about something else than its holder. */
export function about<V, T>(
  path: (compared: Compared<V, T>) => string,
  fact: Fact<V, T>,
): Fact<V, T> {
  return (compared) => fact(compared).map((one) => ({ path: path(compared), ...one }));
}

/** A fact whose differences are about its key. */
export function named<V, T>(fact: Fact<V, T>): Fact<V, T> {
  return about(({ key }) => key, fact);
}

/** An object with a table of its own. */
export function inner<V extends object>(facts: Facts<V>): Fact<V, unknown> {
  return ({ key, was, is }) =>
    was === undefined || is === undefined ? [] : within([key], compareFacts(facts, was, is));
}

/** Differences with their place in what holds them. */
export function within(
  place: readonly PathStep[],
  differences: readonly Difference[],
): readonly Difference[] {
  return differences.map((one) => ({ ...one, at: [...place, ...(one.at ?? [])] }));
}

/** A value that is there or not, such as a keyword that is true. */
export function flag(on: ChangeKindId, off: ChangeKindId): Fact<unknown, unknown> {
  return ({ was, is }) => (was === is ? [] : [{ kind: is === undefined ? off : on }]);
}

/** A value that can be any other. Without kinds of their own, its coming and going are changes like the rest. */
export function value<V, T>(
  changed: ChangeKindId,
  {
    added = changed,
    removed = changed,
    isSame = (was, is) => JSON.stringify(was) === JSON.stringify(is),
    says = words,
  }: {
    readonly added?: ChangeKindId;
    readonly removed?: ChangeKindId;
    readonly isSame?: (was: V | undefined, is: V | undefined) => boolean;
    /** A value in words; null: the change does not show it. */
    readonly says?: ((value: V | undefined, holder: T) => string) | null;
  } = {},
): Fact<V, T> {
  return ({ was, is, before, after }) => {
    if (isSame(was, is)) return [];
    const kind = was === undefined ? added : is === undefined ? removed : changed;
    return [{ kind, ...(says && { before: says(was, before), after: says(is, after) }) }];
  };
}

/** A number that goes up or down; `unset` is what holds where there is none. */
export function amount(
  up: ChangeKindId,
  down: ChangeKindId,
  { unset, says }: { readonly unset: number; readonly says: (value: number) => string } = {
    unset: 0,
    says: String,
  },
): Fact<number, unknown> {
  return ({ was = unset, is = unset }) =>
    was === is ? [] : [{ kind: is > was ? up : down, before: says(was), after: says(is) }];
}

/** Whether one of a list is on the other side as well: by itself, or by what else that holds. */
type Covers<M, T> = (one: M, others: readonly M[], holder: T) => boolean;

const isIncluded = <M>(one: M, others: readonly M[]): boolean => others.includes(one);

/** A list of which each member that comes or goes is a change. The kind that is named first is told first. */
export function members<M, T>(
  kinds: {
    readonly gone: ChangeKindId | ((one: M) => ChangeKindId);
    readonly come: ChangeKindId;
  },
  {
    covers = isIncluded,
    says = words,
    found = () => ({}),
  }: {
    readonly covers?: Covers<M, T>;
    /** A member in words; null: the change does not show it. */
    readonly says?: ((one: M) => string) | null;
    /** What else is known of a member. */
    readonly found?: (one: M, direction: "gone" | "come") => Found;
  } = {},
): Fact<readonly M[], T> {
  const { gone, come } = kinds;
  const lost = (one: M): Difference => {
    const kind = typeof gone === "string" ? gone : gone(one);
    return { kind, ...(says && { before: says(one) }), ...found(one, "gone") };
  };
  const gained = (one: M): Difference => {
    return { kind: come, ...(says && { after: says(one) }), ...found(one, "come") };
  };
  return ({ was = [], is = [], before, after }) => {
    const less = was.filter((one) => !covers(one, is, after)).map(lost);
    const more = is.filter((one) => !covers(one, was, before)).map(gained);
    return Object.keys(kinds)[0] === "come" ? [...more, ...less] : [...less, ...more];
  };
}

/** A list that is one thing: it allows less, or more, or both. Absent, it allows everything. */
export function choice<M, T>(
  narrowed: ChangeKindId,
  widened: ChangeKindId,
  {
    covers = isIncluded,
    isMissed = () => true,
    says = words,
  }: {
    readonly covers?: Covers<M, T>;
    /** Whether the lack of one means anything in what holds the list now. */
    readonly isMissed?: (one: M, after: T) => boolean;
    readonly says?: (list: readonly M[] | undefined) => string;
  } = {},
): Fact<readonly M[], T> {
  type List = readonly M[] | undefined;
  const isWithin = (ones: List, others: List, holder: T): boolean =>
    others === undefined || (ones?.every((one) => covers(one, others, holder)) ?? false);
  return ({ was, is, before, after }) => {
    const found = { before: says(was), after: says(is) };
    const missed = was?.filter((one) => isMissed(one, after));
    return [
      ...(isWithin(missed, is, after) ? [] : [{ kind: narrowed, ...found }]),
      ...(isWithin(is, was, before) ? [] : [{ kind: widened, ...found }]),
    ];
  };
}

/** Compares what has a name on either side, ascending by name. */
export function byName<V, R>(
  were: Readonly<Record<string, V>>,
  are: Readonly<Record<string, V>>,
  compare: (name: string, was: V | undefined, is: V | undefined) => readonly R[],
): R[] {
  const names = [...new Set([...Object.keys(were), ...Object.keys(are)])].sort();
  return names.flatMap((name) => compare(name, were[name], are[name]));
}
