import { decimalUnits, fractionDigits, wholeDigits } from "./exact-decimal.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import type { At, Findings } from "./findings.js";
import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
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
      const given = { low: "minLength", from: minLength, high: "maxLength", to: maxLength };
      return checkSizes(property, findings, given);
    }
    case "array": {
      const { minItems = 0, maxItems = scope.arrayItems } = property.yaml;
      const given = { low: "minItems", from: minItems, high: "maxItems", to: maxItems };
      return checkSizes(property, findings, given);
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
  given: MessageArguments<"SCH-13"> & Record<"from" | "to", number>,
): void {
  if (given.from <= given.to) return;
  findings.add("SCH-13", { path: [...path, given.low], part: "key" }, given);
}

function checkNumbers(property: PropertyPlace, findings: Findings): void {
  const proper = NUMERIC.filter((keyword) => checkForm(property, keyword, findings));
  const { path, yaml, kind } = property;
  const units = (keyword: (typeof NUMERIC)[number]): bigint | null =>
    proper.includes(keyword) ? decimalUnits(yaml[keyword]) : null;
  const at = (keyword: string): At => ({ path: [...path, keyword], part: "key" });

  const step = units("multipleOf");
  if (step !== null && step <= 0n) findings.add("SCH-104", at("multipleOf"), {});
  for (const bound of ["Minimum", "Maximum"] as const) {
    const inclusive = bound === "Minimum" ? "minimum" : "maximum";
    if (yaml[inclusive] !== undefined && yaml[`exclusive${bound}`] !== undefined) {
      const exclusive = `exclusive${bound}`;
      const suggestion = "Remove one of them.";
      return findings.add("SCH-105", at(exclusive), { inclusive, exclusive }, { suggestion });
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
    findings.add("SCH-13", at(lowWord), { low: lowWord, from, high: highWord, to });
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
  const found = digitsMistake(bound, scale, keyword);
  if (found === null) return true;
  findings.tell(found, { path: [...path, keyword] });
  return false;
}

/** Why a decimal does not fit the scale, or null; `role` is the keyword whose value it is. */
export function digitsMistake(value: number | string, scale: number, role: string): Mistake | null {
  const given = { role, value: shown(value), scale };
  if (fractionDigits(value) > scale) {
    return mistake("SCH-100", { ...given, most: scale, side: "after" });
  }
  const most = DECIMAL_DIGITS - scale;
  return wholeDigits(value) > most ? mistake("SCH-100", { ...given, most, side: "before" }) : null;
}
