import { DECIMAL_DIGITS } from "#runtime/base/decimal";
import type { HeldValue } from "#runtime/store/storage-model";
import { sqlText } from "../naming/encoders.js";
import type { SqlDialect } from "../storage/sql-dialect.js";

/** What the service's own reader asks of a text, and no database can. */
export interface TextRule {
  readonly name: "format" | "pattern";
  readonly bound: string;
}

/** How stored values become values of another encoding. */
export interface Conversion {
  /** What is stored stays as it is, and only means something else. */
  readonly isSame: boolean;
  /** The values that cannot be converted, as words and as a condition; null: all can. */
  readonly refused: { readonly what: string; condition(value: string): string } | null;
  /** What the service's own reader asks of them besides; left out: nothing. */
  readonly rules?: readonly TextRule[];
  /** The expression of the new value. */
  convert(value: string): string;
  /** Inside JSON: whether a text has not been converted yet. */
  isPending(value: string): string;
}

/** Where a value stands: a decimal is a whole number in a column, and a text inside JSON. */
export type ValuePlace = "column" | "json";

/** What a conversion is asked for: values of `from`, as `to`. */
export interface ConversionAsked {
  readonly from: HeldValue;
  readonly to: HeldValue;
  readonly place: ValuePlace;
  readonly dialect: SqlDialect;
}

/** The largest integer that a number holds exactly. */
const MAX_INTEGER = "9007199254740991";

const ALWAYS = { isPending: () => "TRUE" };

const SAME: Conversion = { ...ALWAYS, isSame: true, refused: null, convert: (value) => value };

/** Null where no conversion is known to be safe. */
export function conversionOf(asked: ConversionAsked): Conversion | null {
  const { from, to, place } = asked;
  const [old, now] = [from.encoding.form, to.encoding.form];
  if (now === "string") return toText(asked);
  if (old === "string") return fromText(asked);
  if (old === "integer" && now === "number") {
    return place === "json" ? SAME : cast("REAL", "DOUBLE PRECISION", asked.dialect);
  }
  if (old === "integer" && now === "decimal") return scaled(0, scaleOf(to), asked);
  if (old === "decimal" && now === "decimal") return scaled(scaleOf(from), scaleOf(to), asked);
  if (old === "decimal" && now === "integer" && place === "column") {
    return wholeOf(scaleOf(from));
  }
  return null;
}

/** Forms of text that can have the same text; no others can. */
const SHARING: Readonly<Record<string, readonly string[]>> = {
  hostname: ["ipv4", "date", "uuid", "duration", "currencyCode", "countryCode", "languageTag"],
  uri: ["ipv6"],
};
/** The characters that a text of some forms has at least. */
const LEAST_CHARACTERS: ReadonlyMap<string, number> = new Map([
  ["timestamp", 24],
  ["uuid", 36],
  ["date", 10],
  ["ipv4", 7],
  ["time", 5],
]);

/** Whether no stored text can fit the new rules, so that no row could ever be migrated. */
export function isTextApart(from: HeldValue, to: HeldValue): boolean {
  if (to.encoding.form !== "string") return false;
  const [was, is] = [formOf(from), formOf(to)];
  const isShared = (one: string, other: string): boolean => SHARING[one]?.includes(other) === true;
  const isOther = was !== is && was !== "" && is !== "" && !isShared(was, is) && !isShared(is, was);
  const most = Number(to.bounds?.["maxLength"] ?? Infinity);
  return isOther || most < (LEAST_CHARACTERS.get(was) ?? 0);
}

/** "" where any text can stand. */
function formOf({ encoding: { form }, bounds = {} }: HeldValue): string {
  if (form === "string") return String(bounds["format"] ?? "");
  return form === "timestamp" || form === "uuid" ? form : "";
}

/** A kind and what else one has to know of it: `decimal with scale 2`. */
export function heldWords({ encoding, bounds = {} }: HeldValue): string {
  const { form, scale, items } = encoding;
  if (items !== undefined) return `array of ${heldWords(items)}`;
  if (scale !== undefined) return `${form} with scale ${String(scale)}`;
  const { format, maxLength } = bounds;
  const most = maxLength === undefined ? "" : ` of at most ${maxLength} characters`;
  return form === "string" ? `${form}${format === undefined ? "" : ` (${format})`}${most}` : form;
}

function scaleOf({ encoding }: HeldValue): number {
  return Number(encoding["scale"] ?? 0);
}

/** Texts that are a text in the column, too. */
function toText({ from, place, dialect }: ConversionAsked): Conversion | null {
  const { form } = from.encoding;
  if (["enum", "uuid", "timestamp"].includes(form)) return SAME;
  return form === "integer" && place === "column" ? cast("TEXT", "TEXT", dialect) : null;
}

function fromText({ from, to, dialect }: ConversionAsked): Conversion | null {
  const { form, values = [] } = to.encoding;
  if (form === "enum") {
    const listed = values.map((value) => sqlText(value)).join(", ");
    const condition = (value: string): string => `${value} NOT IN (${listed})`;
    return { ...SAME, refused: { what: "is not one of the enum's values", condition } };
  }
  if (form === "timestamp" && from.bounds?.["format"] === "date") {
    const condition = (value: string): string => notLike(value, dialect);
    return {
      isSame: false,
      refused: { what: "is not a date", condition },
      // A month has no 32 days, and text that became a date may never have been read as one.
      rules: [{ name: "format", bound: "date" }],
      convert: (value) => `${value} || 'T00:00:00.000Z'`,
      isPending: (value) => `length(${value}) = 10`,
    };
  }
  return null;
}

function notLike(value: string, dialect: SqlDialect): string {
  const digit = "[0-9]";
  const glob = [4, 2, 2].map((count) => digit.repeat(count)).join("-");
  return dialect === "sqlite" ? `${value} NOT GLOB '${glob}'` : `${value} !~ '^${glob}$'`;
}

function cast(sqlite: string, postgres: string, dialect: SqlDialect): Conversion {
  const type = dialect === "sqlite" ? sqlite : postgres;
  return {
    ...ALWAYS,
    isSame: false,
    refused: null,
    convert: (value) => `CAST(${value} AS ${type})`,
  };
}

/** Null for fewer digits inside JSON: a text is not calculated with. */
function scaled(from: number, to: number, { place }: ConversionAsked): Conversion | null {
  if (place === "json") return to < from ? null : paddedText(from, to);
  if (to < from) return shortened(from - to);
  const factor = power(to - from);
  const most = power(DECIMAL_DIGITS - (to - from));
  return {
    ...ALWAYS,
    isSame: false,
    refused: {
      what: `has more than ${DECIMAL_DIGITS} digits with scale ${to}`,
      condition: (value) => `${value} NOT BETWEEN 1 - ${most} AND ${most} - 1`,
    },
    convert: (value) => `${value} * ${factor}`,
  };
}

/** `12.50` becomes `12.500`, and the integer 12 `12.000`. */
function paddedText(from: number, to: number): Conversion {
  const padding = `${from === 0 && to > 0 ? "." : ""}${"0".repeat(to - from)}`;
  return {
    isSame: false,
    refused: null,
    convert: (value) => `${value} || '${padding}'`,
    // The point stands before as many digits as there are now.
    isPending:
      from === 0
        ? (value) => `${value} NOT LIKE '%.%'`
        : (value) => `substr(${value}, length(${value}) - ${from}, 1) = '.'`,
  };
}

/** The digits that go have to be zeros. */
function shortened(digits: number): Conversion {
  const factor = power(digits);
  return {
    ...ALWAYS,
    isSame: false,
    refused: {
      what: `would lose digits: the last ${digits} are not zero`,
      condition: (value) => `${value} % ${factor} <> 0`,
    },
    convert: (value) => `${value} / ${factor}`,
  };
}

function wholeOf(scale: number): Conversion {
  const factor = power(scale);
  return {
    ...ALWAYS,
    isSame: false,
    refused: {
      what: "is not a whole number of at most 53 bits",
      condition: (value) =>
        `${value} % ${factor} <> 0 OR ${value} / ${factor} NOT BETWEEN -${MAX_INTEGER} AND ${MAX_INTEGER}`,
    },
    convert: (value) => `${value} / ${factor}`,
  };
}

function power(digits: number): string {
  return `1${"0".repeat(digits)}`;
}
