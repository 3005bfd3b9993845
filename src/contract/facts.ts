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

/** Compares one fact. Functions of this module make the usual ones; a particular fact is a function of its own. */
export type Fact<V, T> = (compared: Compared<V, T>) => readonly Difference[];

/** A table with a row for each fact of T that is compared. Differences are in the order of its rows. */
export type Facts<T> = { readonly [K in keyof T]?: Fact<NonNullable<T[K]>, T> };

/** Compares two holders by a table. A difference is at the key of its fact, unless the fact says where. */
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

/** Puts the differences of a fact at another place in YAML than its key. */
export function placed<V, T>(at: readonly PathStep[], fact: Fact<V, T>): Fact<V, T> {
  return (compared) => fact(compared).map((one) => ({ at, ...one }));
}

/** Gives the differences of a fact a path of their own. */
export function about<V, T>(
  path: (compared: Compared<V, T>) => string,
  fact: Fact<V, T>,
): Fact<V, T> {
  return (compared) => fact(compared).map((one) => ({ path: path(compared), ...one }));
}

/** Makes the key of a fact the path of its differences. */
export function named<V, T>(fact: Fact<V, T>): Fact<V, T> {
  return about(({ key }) => key, fact);
}

/** Compares what both sides say: what was not promised before is no change. */
export function known<V, T>(fact: Fact<V, T>): Fact<V, T> {
  return (compared) =>
    compared.was === undefined || compared.is === undefined ? [] : fact(compared);
}

/** Compares an object by a table of its own. */
export function inner<V extends object>(facts: Facts<V>): Fact<V, unknown> {
  return ({ key, was, is }) =>
    was === undefined || is === undefined ? [] : within([key], compareFacts(facts, was, is));
}

/** Puts differences below the place of their holder. */
export function within(
  place: readonly PathStep[],
  differences: readonly Difference[],
): readonly Difference[] {
  return differences.map((one) => ({ ...one, at: [...place, ...(one.at ?? [])] }));
}

/** Compares a value that is present or absent, such as a keyword that is true. */
export function flag(on: ChangeKindId, off: ChangeKindId): Fact<unknown, unknown> {
  return ({ was, is }) => (was === is ? [] : [{ kind: is === undefined ? off : on }]);
}

/** Compares a value as a whole. Without kinds of their own, its addition and removal are changes like any other. */
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

/** Compares a number; `unset` is the number that applies where it is absent. */
export function amount(
  up: ChangeKindId,
  down: ChangeKindId,
  {
    unset = 0,
    says = String,
  }: { readonly unset?: number; readonly says?: (value: number) => string } = {},
): Fact<number, unknown> {
  return ({ was = unset, is = unset }) =>
    was === is ? [] : [{ kind: is > was ? up : down, before: says(was), after: says(is) }];
}

/** Whether the other side has a member as well: by itself, or by what else its holder says. */
type Covers<M, T> = (one: M, others: readonly M[], holder: T) => boolean;

const isIncluded = <M>(one: M, others: readonly M[]): boolean => others.includes(one);

/** Compares a list member by member. The kind that is named first is reported first. */
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
    /** Further parts of a member's difference, such as its path. */
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

/** Compares a list as a whole: it allows less, more, or both. An absent list allows everything. */
export function choice<M, T>(
  narrowed: ChangeKindId,
  widened: ChangeKindId,
  {
    covers = isIncluded,
    isMissed = () => true,
    says = words,
  }: {
    readonly covers?: Covers<M, T>;
    /** Whether the new holder can lack a member at all. */
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

/** Compares what has a name on either side, in ascending order of names. */
export function byName<V, R>(
  were: Readonly<Record<string, V>>,
  are: Readonly<Record<string, V>>,
  compare: (name: string, was: V | undefined, is: V | undefined) => readonly R[],
): R[] {
  const names = [...new Set([...Object.keys(were), ...Object.keys(are)])].sort();
  return names.flatMap((name) => compare(name, were[name], are[name]));
}
