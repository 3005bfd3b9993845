import { decimalParts, decimalUnits, canonicalDecimal } from "#runtime/base/exact-decimal";
import type { Difference } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { amount, flag, members, value, type Compared, type Fact, type Facts } from "./facts.js";
import type { PropertyContract } from "./resource-contract.js";

/** What is said of a bound that there is not. */
const UNSET = "not set";

/** The values that a property of one type can have. */
export const VALUE_FACTS: Facts<PropertyContract> = {
  values: members({
    come: "enum-value-added",
    gone: "enum-value-removed",
    at: ["enum"],
    says: (one) => ({ before: one, after: one }),
  }),
  minLength: minimum({ up: "minimum-length-raised", down: "minimum-length-lowered" }),
  maxLength: maximum({ up: "maximum-length-raised", down: "maximum-length-lowered" }),
  minItems: minimum({ up: "minimum-items-raised", down: "minimum-items-lowered" }),
  maxItems: maximum({ up: "maximum-items-raised", down: "maximum-items-lowered" }),
  minimum: minimum({ up: "minimum-raised", down: "minimum-lowered" }, "exclusiveMinimum"),
  maximum: maximum({ up: "maximum-raised", down: "maximum-lowered" }, "exclusiveMaximum"),
  pattern: value({
    changed: "pattern-changed",
    added: "pattern-added",
    removed: "pattern-removed",
  }),
  format: value({ changed: "format-changed", added: "format-added", removed: "format-removed" }),
  scale: amount({ up: "scale-raised", down: "scale-lowered" }),
  multipleOf: compareMultiples,
  uniqueItems: flag({ on: "items-became-unique", off: "items-no-longer-unique" }),
  refersTo: compareTargets,
  // REP-4: another service's identifiers are UUIDs, or any texts.
  identifierType: flag({
    on: "identifier-became-text",
    off: "identifier-became-uuid",
    at: ["identifier"],
  }),
  onDelete: flag({ on: "on-delete-allowed", off: "on-delete-refused" }),
};

interface Bound {
  readonly up: ChangeKindId;
  readonly down: ChangeKindId;
}

/** The number at which values end, and whether it is one of them. */
interface Limit {
  readonly value: number | string;
  readonly isExclusive: boolean;
  readonly keyword: string;
}

function minimum(
  kinds: Bound,
  exclusive?: "exclusiveMinimum",
): Fact<number | string, PropertyContract> {
  return bound({ tighter: kinds.up, looser: kinds.down, direction: 1 }, exclusive);
}

function maximum(
  kinds: Bound,
  exclusive?: "exclusiveMaximum",
): Fact<number | string, PropertyContract> {
  return bound({ tighter: kinds.down, looser: kinds.up, direction: -1 }, exclusive);
}

/** A bound that is one fact, or two of which the tighter counts. */
function bound(
  kinds: {
    readonly tighter: ChangeKindId;
    readonly looser: ChangeKindId;
    /** 1: a larger bound allows less. */
    readonly direction: 1 | -1;
  },
  exclusive: "exclusiveMinimum" | "exclusiveMaximum" | undefined,
): Fact<number | string, PropertyContract> {
  const { tighter, looser, direction } = kinds;
  // No bound is the loosest; of equal ones, the one that leaves its own number out is the tighter.
  const tightness = (one: Limit | null, other: Limit | null): number =>
    one === null || other === null
      ? Number(one !== null) - Number(other !== null)
      : compareNumbers(one.value, other.value) * direction ||
        Number(one.isExclusive) - Number(other.isExclusive);
  const limitOf = (key: string, at: number | string | undefined, holder: PropertyContract) => {
    const own = at === undefined ? null : { value: at, isExclusive: false, keyword: key };
    const beyond = exclusive && holder[exclusive];
    if (exclusive === undefined || beyond === undefined) return own;
    const other = { value: beyond, isExclusive: true, keyword: exclusive };
    return tightness(other, own) > 0 ? other : own;
  };
  return ({ key, before, after, ...sides }) => {
    const was = limitOf(key, sides.was, before);
    const is = limitOf(key, sides.is, after);
    const order = tightness(is, was);
    if (order === 0) return [];
    const found = { before: limitWords(was), after: limitWords(is) };
    const at = [is?.keyword ?? was?.keyword ?? key];
    return [{ kind: order > 0 ? tighter : looser, ...found, at }];
  };
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

function compareMultiples({
  before,
  after,
}: Compared<number | string, PropertyContract>): Difference[] {
  const [was, is] = [before, after].map(({ type, multipleOf }) =>
    // Each integer is a multiple of 1.
    type === "integer" && multipleOf === 1 ? undefined : multipleOf,
  );
  const isSame = was === undefined || is === undefined ? was === is : compareNumbers(was, is) === 0;
  if (isSame) return [];
  const found = { before: String(was ?? UNSET), after: String(is ?? UNSET), at: ["multipleOf"] };
  const isLooser = is === undefined || (was !== undefined && isMultiple(was, is));
  return [{ kind: isLooser ? "multiple-loosened" : "multiple-tightened", ...found }];
}

/** Floating point numbers are compared by their shortest texts, as people write them. */
function isMultiple(one: number | string, other: number | string): boolean {
  const plain = [one, other].every((value) => decimalParts(String(value)) !== null);
  if (!plain) return false;
  const digits = Math.max(fractionOf(one), fractionOf(other));
  const divisor = unitsOf(other, digits);
  return divisor !== 0n && unitsOf(one, digits) % divisor === 0n;
}

/** What a reference leads to is another resource, or one of another service with an identifier of its own. */
function compareTargets({ before, after }: Compared<string, PropertyContract>): Difference[] {
  const facts = ["refersTo", "external", "identifier"] as const;
  if (facts.every((fact) => before[fact] === after[fact])) return [];
  const target = ({ refersTo, identifier = "" }: PropertyContract): string =>
    refersTo ?? identifier;
  const found = { before: target(before), after: target(after), at: ["reference"] };
  return [{ kind: "reference-target-changed", ...found }];
}
