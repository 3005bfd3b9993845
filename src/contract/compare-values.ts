import { decimalParts, decimalUnits, canonicalDecimal } from "#runtime/base/decimal";
import type { Difference } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import {
  amount,
  flag,
  members,
  placed,
  value,
  type Compared,
  type Fact,
  type Facts,
} from "./facts.js";
import type { PropertyContract } from "./resource-contract.js";

/** What is said of a bound that there is not. */
const UNSET = "not set";

/** Facts about the values that a property of one type can have. */
export const VALUE_FACTS: Facts<PropertyContract> = {
  values: placed(
    ["enum"],
    members(
      { come: "enum-value-added", gone: "enum-value-removed" },
      { found: (one) => ({ before: one, after: one }) },
    ),
  ),
  minLength: bound("lowest", "minimum-length-raised", "minimum-length-lowered"),
  maxLength: bound("highest", "maximum-length-raised", "maximum-length-lowered"),
  minItems: bound("lowest", "minimum-items-raised", "minimum-items-lowered"),
  maxItems: bound("highest", "maximum-items-raised", "maximum-items-lowered"),
  minimum: bound("lowest", "minimum-raised", "minimum-lowered", "exclusiveMinimum"),
  maximum: bound("highest", "maximum-raised", "maximum-lowered", "exclusiveMaximum"),
  pattern: value("pattern-changed", { added: "pattern-added", removed: "pattern-removed" }),
  format: value("format-changed", { added: "format-added", removed: "format-removed" }),
  scale: amount("scale-raised", "scale-lowered"),
  multipleOf: compareMultiples,
  uniqueItems: flag("items-became-unique", "items-no-longer-unique"),
  refersTo: compareTargets,
  // REP-4: another service's identifiers are UUIDs, or any texts.
  identifierType: placed(["identifier"], flag("identifier-became-text", "identifier-became-uuid")),
  onDelete: flag("on-delete-allowed", "on-delete-refused"),
};

/** The number at which values end, and whether it is one of them. */
interface Limit {
  readonly value: number | string;
  readonly isExclusive: boolean;
  readonly keyword: string;
}

/** A bound that is one fact, or two of which the tighter counts. */
function bound(
  end: "lowest" | "highest",
  up: ChangeKindId,
  down: ChangeKindId,
  exclusive?: "exclusiveMinimum" | "exclusiveMaximum",
): Fact<number | string, PropertyContract> {
  // A larger minimum allows less.
  const direction = end === "lowest" ? 1 : -1;
  const limitOf = (key: string, value: number | string | undefined, holder: PropertyContract) => {
    const own = value === undefined ? null : { value, isExclusive: false, keyword: key };
    const open = exclusive === undefined ? undefined : holder[exclusive];
    if (exclusive === undefined || open === undefined) return own;
    const other = { value: open, isExclusive: true, keyword: exclusive };
    return tightness(other, own, direction) > 0 ? other : own;
  };
  return ({ key, before, after, ...own }) => {
    const [was, is] = [limitOf(key, own.was, before), limitOf(key, own.is, after)];
    const order = tightness(is, was, direction) * direction;
    if (order === 0) return [];
    const found = { before: limitWords(was), after: limitWords(is) };
    return [{ kind: order > 0 ? up : down, ...found, at: [is?.keyword ?? was?.keyword ?? key] }];
  };
}

/** Above 0: the first limit allows less. No limit is the loosest; of equal ones, the exclusive one is the tighter. */
function tightness(one: Limit | null, other: Limit | null, direction: 1 | -1): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const order = compareNumbers(one.value, other.value) * direction;
  return order === 0 ? Number(one.isExclusive) - Number(other.isExclusive) : order;
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
  const found = { before: String(was ?? UNSET), after: String(is ?? UNSET) };
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

/** Compares what a reference leads to: a resource, or the identifier of another service. */
function compareTargets({ before, after }: Compared<string, PropertyContract>): Difference[] {
  const facts = ["refersTo", "external", "identifier"] as const;
  if (facts.every((fact) => before[fact] === after[fact])) return [];
  const target = ({ refersTo, identifier = "" }: PropertyContract): string =>
    refersTo ?? identifier;
  const found = { before: target(before), after: target(after), at: ["reference"] };
  return [{ kind: "reference-target-changed", ...found }];
}
