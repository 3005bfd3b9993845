import { decimalParts, decimalUnits, canonicalDecimal } from "#runtime/base/exact-decimal";
import type { Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import type { PropertyContract } from "./resource-contract.js";
import { words } from "./words.js";

/** What is said of a bound that there is not. */
const UNSET = "not set";

/** A kind of change with what has changed, before its property is named. */
export type ValueChange = readonly [
  kind: ChangeKindId,
  found: Found & { readonly keyword: string },
];

/** What has become of the values that a property of one type can have. */
export function compareValues(before: PropertyContract, after: PropertyContract): ValueChange[] {
  return [
    ...values(before, after),
    ...BOUNDS.flatMap((bound) => compareBound(bound, before, after)),
    ...pattern(before, after),
    ...format(before, after),
    ...scale(before, after),
    ...multiple(before, after),
    ...uniqueItems(before, after),
  ];
}

/** A bound that is one fact, or two of which the tighter counts. */
interface Bound {
  readonly inclusive: keyof PropertyContract & BoundName;
  readonly exclusive?: BoundName;
  /** 1: a larger bound allows more. */
  readonly direction: 1 | -1;
  readonly tightened: ChangeKindId;
  readonly loosened: ChangeKindId;
}

type BoundName =
  | "minLength"
  | "maxLength"
  | "minItems"
  | "maxItems"
  | "minimum"
  | "maximum"
  | "exclusiveMinimum"
  | "exclusiveMaximum";

const BOUNDS: readonly Bound[] = [
  {
    inclusive: "minLength",
    direction: -1,
    tightened: "minimum-length-raised",
    loosened: "minimum-length-lowered",
  },
  {
    inclusive: "maxLength",
    direction: 1,
    tightened: "maximum-length-lowered",
    loosened: "maximum-length-raised",
  },
  {
    inclusive: "minItems",
    direction: -1,
    tightened: "minimum-items-raised",
    loosened: "minimum-items-lowered",
  },
  {
    inclusive: "maxItems",
    direction: 1,
    tightened: "maximum-items-lowered",
    loosened: "maximum-items-raised",
  },
  {
    inclusive: "minimum",
    exclusive: "exclusiveMinimum",
    direction: -1,
    tightened: "minimum-raised",
    loosened: "minimum-lowered",
  },
  {
    inclusive: "maximum",
    exclusive: "exclusiveMaximum",
    direction: 1,
    tightened: "maximum-lowered",
    loosened: "maximum-raised",
  },
];

function compareBound(
  bound: Bound,
  before: PropertyContract,
  after: PropertyContract,
): ValueChange[] {
  const was = limitOf(bound, before);
  const is = limitOf(bound, after);
  const order = compareLimits(is, was) * bound.direction;
  if (order === 0) return [];
  const keyword = is?.keyword ?? was?.keyword ?? bound.inclusive;
  const found = { before: limitWords(was), after: limitWords(is), keyword };
  return [[order < 0 ? bound.tightened : bound.loosened, found]];

  /** No bound is the loosest. */
  function compareLimits(one: Limit | null, other: Limit | null): number {
    if (one === null || other === null) {
      if (one === other) return 0;
      return (one === null ? 1 : -1) * bound.direction;
    }
    const difference = compareNumbers(one.value, other.value);
    if (difference !== 0 || one.isExclusive === other.isExclusive) return difference;
    return (one.isExclusive ? -1 : 1) * bound.direction;
  }
}

/** The number at which values end, and whether it is one of them. */
interface Limit {
  readonly value: number | string;
  readonly isExclusive: boolean;
  readonly keyword: BoundName;
}

function limitOf(
  { inclusive, exclusive, direction }: Bound,
  property: PropertyContract,
): Limit | null {
  const limit = (keyword: BoundName | undefined, isExclusive: boolean): Limit | null => {
    const value = keyword === undefined ? undefined : property[keyword];
    return keyword === undefined || value === undefined ? null : { value, isExclusive, keyword };
  };
  const one = limit(inclusive, false);
  const other = limit(exclusive, true);
  if (one === null || other === null) return one ?? other;
  // The tighter of the two counts; of equal ones, the one that leaves its own number out.
  return compareNumbers(other.value, one.value) * direction <= 0 ? other : one;
}

function limitWords(limit: Limit | null): string {
  if (limit === null) return UNSET;
  return limit.isExclusive ? `${limit.value} (exclusive)` : String(limit.value);
}

/** Numbers, or decimals as texts: exactly, whatever their scale. */
function compareNumbers(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return Math.sign(one - other);
  const scale = Math.max(fractionOf(one), fractionOf(other));
  const difference = unitsOf(one, scale) - unitsOf(other, scale);
  if (difference === 0n) return 0;
  return difference > 0n ? 1 : -1;
}

function fractionOf(value: number | string): number {
  return decimalParts(String(value))?.fraction.length ?? 0;
}

function unitsOf(value: number | string, scale: number): bigint {
  const parts = decimalParts(String(value));
  return parts === null ? 0n : decimalUnits(canonicalDecimal(parts, scale), scale);
}

function values(
  { values: were = [] }: PropertyContract,
  { values: are = [] }: PropertyContract,
): ValueChange[] {
  const kept = (kind: ChangeKindId, value: string): ValueChange => [
    kind,
    { before: value, after: value, keyword: "enum" },
  ];
  return [
    ...are.filter((value) => !were.includes(value)).map((value) => kept("enum-value-added", value)),
    ...were
      .filter((value) => !are.includes(value))
      .map((value) => kept("enum-value-removed", value)),
  ];
}

function pattern(before: PropertyContract, after: PropertyContract): ValueChange[] {
  if (before.pattern === after.pattern) return [];
  const found = { before: words(before.pattern), after: words(after.pattern), keyword: "pattern" };
  if (before.pattern === undefined) return [["pattern-added", found]];
  return [[after.pattern === undefined ? "pattern-removed" : "pattern-changed", found]];
}

function format(before: PropertyContract, after: PropertyContract): ValueChange[] {
  if (before.format === after.format) return [];
  const found = { before: words(before.format), after: words(after.format), keyword: "format" };
  if (before.format === undefined) return [["format-added", found]];
  return [[after.format === undefined ? "format-removed" : "format-changed", found]];
}

function scale({ scale: was = 0 }: PropertyContract, { scale: is = 0 }: PropertyContract) {
  const found = { before: String(was), after: String(is), keyword: "scale" };
  if (was === is) return [];
  const change: ValueChange = [is > was ? "scale-raised" : "scale-lowered", found];
  return [change];
}

function multiple(before: PropertyContract, after: PropertyContract): ValueChange[] {
  const [was, is] = [before, after].map(({ type, multipleOf }) =>
    // Each integer is a multiple of 1.
    type === "integer" && multipleOf === 1 ? undefined : multipleOf,
  );
  const isSame = was === undefined || is === undefined ? was === is : compareNumbers(was, is) === 0;
  if (isSame) return [];
  const found = { before: String(was ?? UNSET), after: String(is ?? UNSET), keyword: "multipleOf" };
  const isLooser = is === undefined || (was !== undefined && isMultiple(was, is));
  return [[isLooser ? "multiple-loosened" : "multiple-tightened", found]];
}

/** Floating point numbers are compared by their shortest texts, as people write them. */
function isMultiple(one: number | string, other: number | string): boolean {
  const plain = [one, other].every((value) => decimalParts(String(value)) !== null);
  if (!plain) return false;
  const digits = Math.max(fractionOf(one), fractionOf(other));
  const divisor = unitsOf(other, digits);
  return divisor !== 0n && unitsOf(one, digits) % divisor === 0n;
}

function uniqueItems(before: PropertyContract, after: PropertyContract): ValueChange[] {
  if (before.uniqueItems === after.uniqueItems) return [];
  const kind = after.uniqueItems === true ? "items-became-unique" : "items-no-longer-unique";
  return [[kind, { keyword: "uniqueItems" }]];
}
