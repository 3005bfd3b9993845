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

/** How one fact is compared: most are made by a function of this module, a particular one is a function itself. */
export type Fact<V, T> = (compared: Compared<V, T>) => readonly Difference[];

/** A table of facts that T can hold. Differences are in the order of its rows. */
export type Facts<T> = { readonly [K in keyof T]?: Fact<NonNullable<T[K]>, T> };

/** The differences between two holders in the facts of a table. */
export function compareFacts<T extends object>(
  facts: Facts<T>,
  before: T,
  after: T,
): readonly Difference[] {
  const row = <K extends keyof T & string>(key: K): readonly Difference[] => {
    const [was, is] = [before[key] ?? undefined, after[key] ?? undefined];
    return facts[key]?.({ key, was, is, before, after }) ?? [];
  };
  // A table has no keys but those of its type, which Object.keys does not know.
  return (Object.keys(facts) as (keyof T & string)[]).flatMap((key) => row(key));
}

interface Row {
  /** Where it stands in YAML within its holder; absent: at its key. */
  readonly at?: readonly PathStep[];
}

/** A value that is there or not, such as a keyword that is true. */
export function flag({
  on,
  off,
  at,
}: Row & { readonly on: ChangeKindId; readonly off: ChangeKindId }): Fact<unknown, unknown> {
  return ({ key, was, is }) =>
    was === is ? [] : [{ kind: is === undefined ? off : on, at: at ?? [key] }];
}

/** A value that can be any other; without kinds of their own, its coming and going are changes like the rest. */
export function value<V, T>({
  changed,
  added = changed,
  removed = changed,
  isSame = isSameJson,
  says = words,
  path,
  at,
}: Row & {
  readonly changed: ChangeKindId;
  readonly added?: ChangeKindId;
  readonly removed?: ChangeKindId;
  readonly isSame?: (was: V | undefined, is: V | undefined) => boolean;
  /** A value in words; null: the change does not show it. */
  readonly says?: ((value: V | undefined, holder: T) => string) | null;
  readonly path?: (holder: T) => string;
}): Fact<V, T> {
  return ({ key, was, is, before, after }) => {
    if (isSame(was, is)) return [];
    const kind = was === undefined ? added : is === undefined ? removed : changed;
    const shown = says && { before: says(was, before), after: says(is, after) };
    return [{ kind, at: at ?? [key], ...shown, ...(path && { path: path(before) }) }];
  };
}

function isSameJson(was: unknown, is: unknown): boolean {
  return JSON.stringify(was) === JSON.stringify(is);
}

/** A number that goes up or down. */
export function amount({
  up,
  down,
  unset = 0,
  says = String,
}: {
  readonly up: ChangeKindId;
  readonly down: ChangeKindId;
  /** What holds where it is not set. */
  readonly unset?: number;
  readonly says?: (value: number) => string;
}): Fact<number, unknown> {
  return ({ key, was = unset, is = unset }) => {
    if (was === is) return [];
    return [{ kind: is > was ? up : down, before: says(was), after: says(is), at: [key] }];
  };
}

/** Whether one of a list is on the other side as well: by itself, or by what else that holds. */
type Covers<M, T> = (one: M, others: readonly M[], holder: T) => boolean;

const isIncluded = <M>(one: M, others: readonly M[]): boolean => others.includes(one);

type Side = "before" | "after";

/** A list of which each member that comes or goes is a change. The kind that is named first is told first. */
export function members<M, T>({
  at,
  covers = isIncluded,
  says = (one, side) => onSide(side, words(one)),
  ...kinds
}: Row & {
  readonly gone: ChangeKindId | ((one: M) => ChangeKindId);
  readonly come: ChangeKindId | ((one: M) => ChangeKindId);
  readonly covers?: Covers<M, T>;
  readonly says?: (one: M, side: Side, holder: T) => Found;
}): Fact<readonly M[], T> {
  const isComeFirst = Object.keys(kinds)[0] === "come";
  return ({ key, was = [], is = [], before, after }) => {
    const told = (one: M, direction: "gone" | "come"): Difference => {
      const kind = kinds[direction];
      const [side, holder] =
        direction === "gone" ? (["before", before] as const) : (["after", after] as const);
      const found = { at: at ?? [key], ...says(one, side, holder) };
      return { kind: typeof kind === "string" ? kind : kind(one), ...found };
    };
    const gone = was.filter((one) => !covers(one, is, after)).map((one) => told(one, "gone"));
    const come = is.filter((one) => !covers(one, was, before)).map((one) => told(one, "come"));
    return isComeFirst ? [...come, ...gone] : [...gone, ...come];
  };
}

/** A text that is about what one side holds. */
export function onSide(side: Side, text: string): Found {
  return side === "before" ? { before: text } : { after: text };
}

/** A list that is one thing: it allows less, or more, or both. Absent: it allows everything. */
export function choice<M, T>({
  narrowed,
  widened,
  covers = isIncluded,
  isMissed = () => true,
  says = words,
}: {
  readonly narrowed: ChangeKindId;
  readonly widened: ChangeKindId;
  readonly covers?: Covers<M, T>;
  /** Whether the lack of one means anything in what holds the list now. */
  readonly isMissed?: (one: M, after: T) => boolean;
  readonly says?: (list: readonly M[] | undefined) => string;
}): Fact<readonly M[], T> {
  type List = readonly M[] | undefined;
  const isWithin = (ones: List, others: List, holder: T): boolean =>
    others === undefined || (ones?.every((one) => covers(one, others, holder)) ?? false);
  return ({ key, was, is, before, after }) => {
    const found = { before: says(was), after: says(is), at: [key] };
    const missed = was?.filter((one) => isMissed(one, after));
    return [
      ...(isWithin(missed, is, after) ? [] : [{ kind: narrowed, ...found }]),
      ...(isWithin(is, was, before) ? [] : [{ kind: widened, ...found }]),
    ];
  };
}

/** An object with a table of its own; `isNamed`: each difference is about the key that it is at. */
export function inner<V extends object>(facts: Facts<V>, isNamed = false): Fact<V, unknown> {
  return ({ key, was, is }) => {
    if (was === undefined || is === undefined) return [];
    const differences = within([key], compareFacts(facts, was, is));
    return isNamed
      ? differences.map((one) => ({ path: String(one.at?.at(-1)), ...one }))
      : differences;
  };
}

/** The same differences with their place in what holds them. */
export function within(
  place: readonly PathStep[],
  differences: readonly Difference[],
): readonly Difference[] {
  return differences.map((one) => ({ ...one, at: [...place, ...(one.at ?? [])] }));
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
