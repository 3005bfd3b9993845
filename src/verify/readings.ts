import type { KindName, PropertyType } from "../kinds/kinds.js";
import type { DecimalType } from "../kinds/decimal/decimal-type.js";
import type { Bounds } from "../kinds/numbers/bounds.js";
import type { StringFormat, StringType } from "../kinds/string/string-type.js";
import { fitsText } from "../kinds/string/text-values.js";
import type { Json } from "../samples/json.js";
import { decimalText, unitsOf } from "./decimal-units.js";

/** What the contract says of the values of one kind. */
interface Reading<T> {
  /** Values at the bounds of a type, which are allowed. */
  edges(type: T): readonly Json[];
  /** Values in a body that are not of the type; those of another type first. */
  wrong(type: T): readonly Json[];
  /** Texts in a query that are not values of the type, whatever its bounds. */
  wrongTexts(type: T): readonly string[];
}

type Readings = {
  readonly [K in KindName]: Reading<Extract<PropertyType, { readonly kind: K }>>;
};

/**
 * A second reading of the contract, on purpose: no kind is asked, so that a mistake in `src/kinds` is noticed on a
 * running service. This is the only place outside `src/kinds` that names every kind.
 */
const READINGS: Readings = {
  string: {
    edges: (type) => {
      const lengths = [Math.max(type.minLength, 1), Math.min(type.maxLength, 1000)];
      const texts = lengths
        .map((length) => "x".repeat(length))
        .filter((text) => isFree(type, text));
      return [...texts, ...edgesOfForm(type)];
    },
    wrong: (type) => [7, true, ["text"], ...unlikeTexts(type)],
    wrongTexts: ({ format }) => ["\0", ...(format === null ? [] : ["~ no such form ~"])],
  },
  enum: {
    edges: () => [],
    wrong: ({ values }) => [7, "noSuchValue", ...inCapitals(values)],
    wrongTexts: ({ values }) => ["noSuchValue", ...inCapitals(values)],
  },
  integer: {
    edges: inclusiveNumbers,
    wrong: (type) => ["7", true, 7.5, 2 ** 53, ...beyond(type)],
    wrongTexts: () => ["1.5", "x", "0x10", "9007199254740993"],
  },
  number: {
    edges: inclusiveNumbers,
    wrong: (type) => ["7", true, ...beyond(type)],
    wrongTexts: () => ["x", "Infinity", "1,5"],
  },
  decimal: {
    edges: inclusiveDecimals,
    wrong: (type) => [7, "text", tooFine(type), "1e1", ...beyondDecimal(type, type.scale)],
    wrongTexts: (type) => ["x", tooFine(type)],
  },
  boolean: {
    edges: () => [],
    wrong: () => ["true", 1],
    wrongTexts: () => ["yes", "1", "TRUE"],
  },
  timestamp: {
    edges: () => [],
    wrong: () => [7, "2024-02-29"],
    wrongTexts: () => ["2024-02-29", "2023-02-29T00:00:00.000Z"],
  },
  uuid: {
    edges: () => [],
    wrong: () => [7, "not-a-uuid"],
    wrongTexts: () => ["42", "x"],
  },
  object: { edges: () => [], wrong: () => ["text", [{}]], wrongTexts: () => [] },
  reference: { edges: () => [], wrong: () => ["text", [{}]], wrongTexts: () => [] },
  // What is wrong with a list is made of what is right in it.
  array: { edges: () => [], wrong: () => [7, "text", { first: 1 }], wrongTexts: () => [] },
};

/** What the contract says of the values of a type. */
export function readingOf<T extends PropertyType>(type: T): Reading<T> {
  // The key under which a reading stands is the `kind` of its types.
  return READINGS[type.kind] as unknown as Reading<T>;
}

function isFree(type: StringType, text: string): boolean {
  return type.format === null && fitsText(text, type);
}

function inCapitals(values: readonly string[]): string[] {
  return values.slice(0, 1).map((value) => value.toUpperCase());
}

/** A bound itself is allowed where it keeps to the other ones. */
function inclusiveNumbers(bounds: Bounds<number>): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds;
  return [minimum, maximum].filter(
    (bound): bound is number =>
      bound !== null &&
      (exclusiveMinimum === null || bound > exclusiveMinimum) &&
      (exclusiveMaximum === null || bound < exclusiveMaximum) &&
      (multipleOf === null || isMultiple(bound, multipleOf)),
  );
}

function inclusiveDecimals(type: DecimalType): readonly string[] {
  const units = (bound: string): bigint => unitsOf(bound, type.scale);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = type;
  return [minimum, maximum].filter(
    (bound): bound is string =>
      bound !== null &&
      (exclusiveMinimum === null || units(bound) > units(exclusiveMinimum)) &&
      (exclusiveMaximum === null || units(bound) < units(exclusiveMaximum)) &&
      (multipleOf === null || units(bound) % units(multipleOf) === 0n),
  );
}

/** By decimal digits, which a quotient of floats has lost; what is too fine or too large to be told is not tried. */
function isMultiple(value: number, step: number): boolean {
  const texts = [value, step].map(String);
  if (texts.some((text) => text.includes("e"))) return false;
  const scale = Math.max(...texts.map((text) => text.split(".")[1]?.length ?? 0));
  const [units = 0n, stepUnits = 1n] = texts.map((text) => unitsOf(text, scale));
  return units % stepUnits === 0n;
}

function tooFine({ scale }: { readonly scale: number }): string {
  return `1.${"0".repeat(scale)}1`;
}

/** Texts at the edges of forms that are closed. */
const EDGES: Partial<Readonly<Record<StringFormat, readonly string[]>>> = {
  languageTag: ["en", "zh-Hant-TW", "es-419", "de-CH-1996", "x-klingon"],
  time: ["00:00", "23:59", "23:59:59"],
  duration: ["PT0S", "P1W", "P1Y2M3DT4H5M6.5S"],
};

/** Texts that are nearly of such a form. */
const NEARLY: Partial<Readonly<Record<StringFormat, readonly string[]>>> = {
  currencyCode: ["eur", "EURO", "XQQ"],
  countryCode: ["se", "SWE", "XX"],
  languageTag: ["EN", "en_GB", "en-"],
  time: ["24:00", "7:30", "12:60", "12:00Z"],
  duration: ["P", "PT", "P1H", "1D", "P1W2D"],
};

function edgesOfForm(type: StringType): readonly string[] {
  const texts = type.format === null ? [] : (EDGES[type.format] ?? []);
  return texts.filter((text) => fitsText(text, type));
}

function unlikeTexts(type: StringType): readonly string[] {
  const { minLength, maxLength, pattern, format } = type;
  const long = "x".repeat(maxLength + 1);
  const short = minLength > 1 ? ["x".repeat(minLength - 1)] : [];
  if (pattern === null && format === null) return [long, ...short];
  const free = { ...type, pattern: null, format: null };
  const candidates = ["~ no such form ~", "~~", "(", "verify", "0", "x".repeat(minLength)];
  const unlike = candidates.filter(
    (text) => fitsText(text, free) && (format !== null || !fitsText(text, type)),
  );
  // No format allows a parenthesis alone, or a space.
  const formless = unlike.filter((text) => pattern !== null || /[ (~]/.test(text));
  const nearly = format === null ? [] : (NEARLY[format] ?? []);
  return [
    long,
    ...short,
    ...formless.slice(0, 2),
    ...nearly.filter((text) => fitsText(text, free)),
  ];
}

function beyond(bounds: Bounds<number>): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  return [
    // One more or less is lost beside a bound that is huge.
    ...[(minimum ?? 0) - 1].filter((value) => minimum !== null && value < minimum),
    ...[(maximum ?? 0) + 1].filter((value) => maximum !== null && value > maximum),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== null),
  ];
}

function beyondDecimal(bounds: Bounds<string>, scale: number): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  const next = (bound: string, step: bigint): string =>
    decimalText(unitsOf(bound, scale) + step, scale);
  return [
    ...(minimum === null ? [] : [next(minimum, -1n)]),
    ...(maximum === null ? [] : [next(maximum, 1n)]),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== null),
  ];
}
