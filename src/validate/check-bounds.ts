import { decimalUnits, fractionDigits, wholeDigits } from "./exact-decimal.js";
import type { Findings } from "./findings.js";
import { shown } from "../diagnostics/quoted.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

const NUMERIC = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
] as const;

/** Digits of a decimal, its scale included: what a 64-bit integer always holds. */
export const DECIMAL_DIGITS = 18;

/** The bounds of a property: each of the right form, and none that leaves no value. */
export function checkBounds(property: PropertyPlace, findings: Findings, scope: Scope): void {
  switch (property.kind) {
    case "integer":
    case "number":
    case "decimal":
      return checkNumbers(property, findings);
    case "string": {
      const { minLength = 0, maxLength = scope.stringCharacters } = property.yaml;
      return checkSizes(property, findings, { low: "minLength", minLength, high: maxLength });
    }
    case "array": {
      const { minItems = 0, maxItems = scope.arrayItems } = property.yaml;
      return checkSizes(property, findings, {
        low: "minItems",
        minLength: minItems,
        high: maxItems,
      });
    }
    case "enum":
    case "boolean":
    case "timestamp":
    case "uuid":
    case "reference":
    case "object":
    case null:
  }
}

function checkSizes(
  { path }: PropertyPlace,
  findings: Findings,
  {
    low,
    minLength,
    high,
  }: { readonly low: string; readonly minLength: number; readonly high: number },
): void {
  if (minLength <= high) return;
  const problem = `${low} is ${minLength}, and there are at most ${high}`;
  findings.add("SCH-13", { path: [...path, low], part: "key" }, { problem });
}

function checkNumbers(property: PropertyPlace, findings: Findings): void {
  const proper = NUMERIC.filter((keyword) => checkForm(property, keyword, findings));
  const { path, yaml, kind } = property;
  const units = (keyword: (typeof NUMERIC)[number]): bigint | null =>
    proper.includes(keyword) ? decimalUnits(yaml[keyword]) : null;
  const tell = (keyword: string, problem: string): void =>
    findings.add("SCH-13", { path: [...path, keyword], part: "key" }, { problem });

  const step = units("multipleOf");
  if (step !== null && step <= 0n) tell("multipleOf", "multipleOf must be greater than 0");
  for (const bound of ["Minimum", "Maximum"] as const) {
    const inclusive = bound === "Minimum" ? "minimum" : "maximum";
    if (yaml[inclusive] !== undefined && yaml[`exclusive${bound}`] !== undefined) {
      return tell(`exclusive${bound}`, `${inclusive} and exclusive${bound} bound the same side`);
    }
  }
  const low = units("minimum") ?? units("exclusiveMinimum");
  const high = units("maximum") ?? units("exclusiveMaximum");
  if (low === null || high === null) return;
  const [lowWord, highWord] = [
    yaml.minimum === undefined ? "exclusiveMinimum" : "minimum",
    yaml.maximum === undefined ? "exclusiveMaximum" : "maximum",
  ] as const;
  const inclusive = lowWord === "minimum" && highWord === "maximum";
  const between =
    kind === "integer" ? integersBetween(low, high, lowWord, highWord) : high > low || inclusive;
  if (low > high || !between) {
    const [from, to] = [yaml[lowWord] ?? "", yaml[highWord] ?? ""];
    tell(lowWord, `nothing lies between ${lowWord} ${from} and ${highWord} ${to}`);
  }
}

function integersBetween(low: bigint, high: bigint, lowWord: string, highWord: string): boolean {
  const one = decimalUnits("1") ?? 1n;
  const first = lowWord === "minimum" ? low : low + one;
  const last = highWord === "maximum" ? high : high - one;
  return first <= last;
}

/** Says whether a bound is a number that the kind can have; tells it when not. */
function checkForm(
  { path, yaml, kind }: PropertyPlace,
  keyword: (typeof NUMERIC)[number],
  findings: Findings,
): boolean {
  const bound = yaml[keyword];
  if (bound === undefined) return false;
  const at = { path: [...path, keyword] };
  const expected = kind === "integer" ? "a whole number" : "a number";
  if (kind !== "decimal" && typeof bound === "string") {
    const suggestion = decimalUnits(bound) === null ? null : `Remove the quotes: ${bound}.`;
    findings.add("SCH-8", at, { key: keyword, expected, read: shown(bound) }, { suggestion });
    return false;
  }
  if (kind === "integer" && !Number.isSafeInteger(bound)) {
    findings.add("SCH-8", at, { key: keyword, expected, read: shown(bound) });
    return false;
  }
  if (kind !== "decimal") return true;
  if (decimalUnits(bound) === null) {
    const given = { key: keyword, expected: 'a decimal such as "12.50"', read: shown(bound) };
    findings.add("SCH-8", at, given);
    return false;
  }
  return checkDigits(bound, yaml.scale ?? 0, { keyword, path }, findings);
}

function checkDigits(
  bound: number | string,
  scale: number,
  { keyword, path }: { readonly keyword: string; readonly path: PropertyPlace["path"] },
  findings: Findings,
): boolean {
  const problem = digitsProblem(bound, scale);
  if (problem === null) return true;
  findings.add("SCH-13", { path: [...path, keyword] }, { problem: `${keyword} ${problem}` });
  return false;
}

/** Why a decimal does not fit the scale, or null. */
export function digitsProblem(value: number | string, scale: number): string | null {
  if (fractionDigits(value) > scale) return `has more than ${scale} digits after the point (scale)`;
  const most = DECIMAL_DIGITS - scale;
  return wholeDigits(value) > most ? `has more than ${most} digits before the point` : null;
}
