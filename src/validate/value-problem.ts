import { isIPv4, isIPv6 } from "node:net";
import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { shown } from "../diagnostics/quoted.js";
import { digitsMistake } from "./check-bounds.js";
import { decimalUnits } from "./exact-decimal.js";
import { isMapping, type Mapping } from "./plain.js";
import { kindOf, type PropertyKindName } from "./property-place.js";
import type { PropertyObjectYaml, PropertyYaml } from "./resource-document.js";

/** What a value is of its property. */
export type ValueRole = "default" | "example" | "value";

/** What a value is held against. */
export interface Expected {
  readonly kind: PropertyKindName;
  readonly yaml: PropertyObjectYaml;
  readonly role: ValueRole;
}

/** Why a value (a default, an example) is not one of this property; null when it is one. */
export function valueMistake(value: unknown, expected: Expected): Mistake | null {
  const { kind, yaml, role } = expected;
  const not = (words: string): Mistake =>
    mistake("SCH-15", { role, value: shown(value), expected: words });
  switch (kind) {
    case "string":
      return typeof value === "string" ? textMistake(value, expected) : not("a string");
    case "enum":
      return yaml.enum?.some((allowed) => allowed === value) === true
        ? null
        : mistake("SCH-93", { role, value: shown(value), allowed: (yaml.enum ?? []).join(", ") });
    case "integer":
      return Number.isSafeInteger(value) ? boundsMistake(value, expected) : not("a whole number");
    case "number":
      return typeof value === "number" ? boundsMistake(value, expected) : not("a number");
    case "decimal":
      return isDecimal(value) ? decimalMistake(value, expected) : not('a decimal such as "12.50"');
    case "boolean":
      return typeof value === "boolean" ? null : not("true or false");
    case "timestamp":
      return isTimestamp(value) ? null : not('a time such as "2026-01-31T12:00:00.000Z"');
    case "uuid":
      return isUuid(value) ? null : not("a UUID in lower case");
    case "array":
      return Array.isArray(value) ? arrayMistake(value, expected) : not("a list");
    case "object":
      return isMapping(value) ? objectMistake(value, expected) : not("a mapping");
    case "reference":
      return mistake("SCH-103", { role });
  }
}

function textMistake(text: string, { yaml, role }: Expected): Mistake | null {
  const length = [...text].length;
  const { minLength = 0, maxLength = Infinity, format } = yaml;
  if (text.trim() === "") return mistake("SCH-94", { role });
  if (length < minLength) {
    return mistake("SCH-95", { role, length, bound: "minLength", limit: minLength });
  }
  if (length > maxLength) {
    return mistake("SCH-95", { role, length, bound: "maxLength", limit: maxLength });
  }
  const value = shown(text);
  if (format !== undefined && !FORMATS[format](text)) {
    return mistake("SCH-96", { role, value, format });
  }
  return matches(text, yaml.pattern) ? null : mistake("SCH-97", { role, value });
}

/** Also true for an invalid pattern, which is reported elsewhere. */
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

/** Says whether a value keeps to a bound, both as exact decimals. */
const HOLDS = {
  minimum: (value: bigint, bound: bigint) => value >= bound,
  maximum: (value: bigint, bound: bigint) => value <= bound,
  exclusiveMinimum: (value: bigint, bound: bigint) => value > bound,
  exclusiveMaximum: (value: bigint, bound: bigint) => value < bound,
};

function boundsMistake(value: unknown, { yaml, role }: Expected): Mistake | null {
  const units = decimalUnits(value);
  if (units === null) return null;
  for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const) {
    const bounded = decimalUnits(yaml[bound]);
    if (bounded === null || HOLDS[bound](units, bounded)) continue;
    return mistake("SCH-98", { role, value: shown(value), bound, limit: String(yaml[bound]) });
  }
  const step = decimalUnits(yaml.multipleOf);
  if (step === null || step <= 0n || units % step === 0n) return null;
  return mistake("SCH-99", { role, value: shown(value), multipleOf: String(yaml.multipleOf) });
}

function isDecimal(value: unknown): value is string | number {
  const isWritten = typeof value === "string" || typeof value === "number";
  return isWritten && decimalUnits(value) !== null;
}

function decimalMistake(value: string | number, expected: Expected): Mistake | null {
  const { yaml, role } = expected;
  return digitsMistake(value, yaml.scale ?? 0, role) ?? boundsMistake(value, expected);
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

function arrayMistake(value: readonly unknown[], { yaml, role }: Expected): Mistake | null {
  const { length } = value;
  const { minItems = 0, maxItems = Infinity, items } = yaml;
  if (length < minItems) {
    return mistake("SCH-101", { role, length, bound: "minItems", limit: minItems });
  }
  if (length > maxItems) {
    return mistake("SCH-101", { role, length, bound: "maxItems", limit: maxItems });
  }
  return items === undefined ? null : first(value.map((item) => part(item, items, role)));
}

function objectMistake(value: Mapping, { yaml, role }: Expected): Mistake | null {
  const properties = yaml.properties ?? {};
  return first(
    Object.entries(value).map(([name, inner]) => {
      if (!Object.hasOwn(properties, name)) return mistake("SCH-102", { role, name });
      const property = properties[name];
      return property === undefined || inner === null ? null : part(inner, property, role);
    }),
  );
}

function part(value: unknown, short: PropertyYaml, role: ValueRole): Mistake | null {
  const yaml = typeof short === "string" ? { type: short } : short;
  const kind = kindOf(yaml);
  return kind === null ? null : valueMistake(value, { kind, yaml, role });
}

function first(mistakes: readonly (Mistake | null)[]): Mistake | null {
  return mistakes.find((found) => found !== null) ?? null;
}
