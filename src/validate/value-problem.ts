import { isIPv4, isIPv6 } from "node:net";
import { shown } from "../diagnostics/quoted.js";
import { digitsProblem } from "./check-bounds.js";
import { decimalUnits } from "./exact-decimal.js";
import { isMapping } from "./plain.js";
import { kindOf, type PropertyKindName } from "./property-place.js";
import type { PropertyObjectYaml, PropertyYaml } from "./resource-document.js";

/** Why a value (a default, an example) is none of this property, in words; null when it is one. */
export function valueProblem(
  value: unknown,
  kind: PropertyKindName,
  yaml: PropertyObjectYaml,
): string | null {
  switch (kind) {
    case "string":
      return typeof value === "string" ? textProblem(value, yaml) : not(value, "a text");
    case "enum":
      return yaml.enum?.some((allowed) => allowed === value) === true
        ? null
        : not(value, `one of ${(yaml.enum ?? []).join(", ")}`);
    case "integer":
      return Number.isSafeInteger(value)
        ? boundsProblem(value, yaml)
        : not(value, "a whole number");
    case "number":
      return typeof value === "number" ? boundsProblem(value, yaml) : not(value, "a number");
    case "decimal":
      return decimalProblem(value, yaml);
    case "boolean":
      return typeof value === "boolean" ? null : not(value, "true or false");
    case "timestamp":
      return isTimestamp(value) ? null : not(value, 'a time such as "2026-01-31T12:00:00.000Z"');
    case "uuid":
      return isUuid(value) ? null : not(value, "a UUID in lower case");
    case "array":
      return arrayProblem(value, yaml);
    case "object":
      return objectProblem(value, yaml);
    case "reference":
      return "which entities there are is not known here";
  }
}

function not(value: unknown, expected: string): string {
  return `${shown(value)} is not ${expected}`;
}

function textProblem(text: string, yaml: PropertyObjectYaml): string | null {
  const length = [...text].length;
  const { minLength = 0, maxLength = Infinity, format } = yaml;
  if (text.trim() === "") return "a text that is empty is stored as null";
  if (length < minLength) return `it has ${length} characters, and minLength is ${minLength}`;
  if (length > maxLength) return `it has ${length} characters, and maxLength is ${maxLength}`;
  if (format !== undefined && !FORMATS[format](text)) return not(text, `of the format ${format}`);
  return matches(text, yaml.pattern) ? null : `${shown(text)} does not match the pattern`;
}

/** True as well for a pattern that is none: that is told elsewhere. */
function matches(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined || text.length > 200) return true;
  // A pattern that has not been proved to be linear is not run here on anything but simple texts.
  if (/[*+{].*[*+{]/.test(pattern)) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

const FORMATS: Readonly<
  Record<NonNullable<PropertyObjectYaml["format"]>, (text: string) => boolean>
> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254,
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  hostname: (text) => /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i.test(text) && text.length <= 253,
  ipv4: isIPv4,
  ipv6: isIPv6,
  date: (text) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && isTimestamp(`${text}T00:00:00.000Z`),
};

function boundsProblem(value: unknown, yaml: PropertyObjectYaml): string | null {
  const units = decimalUnits(value);
  if (units === null) return null;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = yaml;
  const holds = (bound: number | string | undefined, test: (bound: bigint) => boolean): boolean => {
    const bounded = decimalUnits(bound);
    return bounded === null || test(bounded);
  };
  if (!holds(minimum, (bound) => units >= bound)) return `the minimum is ${minimum}`;
  if (!holds(maximum, (bound) => units <= bound)) return `the maximum is ${maximum}`;
  if (!holds(exclusiveMinimum, (bound) => units > bound))
    return `it must exceed ${exclusiveMinimum}`;
  if (!holds(exclusiveMaximum, (bound) => units < bound))
    return `it must be below ${exclusiveMaximum}`;
  return holds(multipleOf, (bound) => bound <= 0n || units % bound === 0n)
    ? null
    : `it is no multiple of ${multipleOf}`;
}

function decimalProblem(value: unknown, yaml: PropertyObjectYaml): string | null {
  const isDecimal = typeof value === "string" || typeof value === "number";
  if (!isDecimal || decimalUnits(value) === null) return not(value, 'a decimal such as "12.50"');
  const digits = digitsProblem(value, yaml.scale ?? 0);
  return digits === null ? boundsProblem(value, yaml) : `${shown(value)} ${digits}`;
}

/** REP-1, with a date that the calendar has. */
function isTimestamp(value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/.test(value))
    return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function isUuid(value: unknown): boolean {
  const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
  return typeof value === "string" && uuid.test(value);
}

function arrayProblem(value: unknown, yaml: PropertyObjectYaml): string | null {
  if (!Array.isArray(value)) return not(value, "a list");
  const { minItems = 0, maxItems = Infinity, items } = yaml;
  if (value.length < minItems) return `it has ${value.length} items, and minItems is ${minItems}`;
  if (value.length > maxItems) return `it has ${value.length} items, and maxItems is ${maxItems}`;
  return items === undefined ? null : firstProblem(value.map((item: unknown) => part(item, items)));
}

function objectProblem(value: unknown, yaml: PropertyObjectYaml): string | null {
  if (!isMapping(value)) return not(value, "a mapping");
  const properties = yaml.properties ?? {};
  return firstProblem(
    Object.entries(value).map(([name, inner]) => {
      if (!Object.hasOwn(properties, name)) return `it has no property "${name}"`;
      const property = properties[name];
      return property === undefined || inner === null ? null : part(inner, property);
    }),
  );
}

function part(value: unknown, short: PropertyYaml): string | null {
  const yaml = typeof short === "string" ? { type: short } : short;
  const kind = kindOf(yaml);
  return kind === null ? null : valueProblem(value, kind, yaml);
}

function firstProblem(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}
