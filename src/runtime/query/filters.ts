/**
 * How the query parameters of each kind of property are read (QRY-1, QRY-3). Start at `ParameterFilter`; query.ts has
 * the queries of lists, store/list-sql.ts their SQL. Nothing here knows a resource or a request.
 */
import { parseIdentifier } from "../base/identifiers.js";
import { suggestion } from "../base/texts.js";
import { isTimestamp } from "../base/time.js";
import { parseDecimal, wholeIssue, finiteIssue } from "../input/numbers.js";
import { choiceForm, Problem, TIMESTAMP_FORM, UUID_FORM } from "../input/reader.js";
import { FORMATS, type TextFormat, storageIssue } from "../input/text.js";
import { losesFraction } from "../input/json.js";

/** A decimal is its canonical text. */
export type FilterValue = string | number | boolean;

/** Reads the parameter of one property; its type is checked, the bounds of the schema are not. */
export interface ParameterFilter {
  /** True for an array: it must contain the value (QRY-3). */
  readonly contains: boolean;
  /** True if `<property>.atLeast` and the like are parameters as well (QRY-3). */
  readonly isRange?: true;
  /** True if `<property>.contains` and `<property>.startsWith` are parameters as well (QRY-7). */
  readonly isSearch?: true;
  /** Turns a decoded text, which is never empty, into a value. */
  readonly read: (text: string) => FilterValue | Problem;
}

function scalar(read: (text: string) => FilterValue | Problem): ParameterFilter {
  return { contains: false, read };
}

/** Filters by a string, with its white space. One that the format refuses is an error, since no stored value equals it (QRY-3). */
export function textFilter(format?: TextFormat): ParameterFilter {
  return scalar((text) => {
    const issue = storageIssue(text);
    if (issue !== null) return new Problem(issue);
    if (format === undefined || FORMATS[format].matches(text)) return text;
    return new Problem(`must be ${FORMATS[format].description}`);
  });
}

/** Filters by one of the values. */
export function enumFilter(values: readonly string[]): ParameterFilter {
  const known = new Set(values);
  return scalar((text) =>
    known.has(text) ? text : new Problem(`must be ${choiceForm(values, suggestion(text, values))}`),
  );
}

/** Filters by `true` or `false`. */
export function booleanFilter(): ParameterFilter {
  return scalar((text) => {
    if (text === "true") return true;
    return text === "false" ? false : new Problem("must be true or false");
  });
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** Filters by a whole number. */
export function integerFilter(): ParameterFilter {
  return scalar((text) => {
    if (!INTEGER.test(text)) return new Problem("must be a whole number");
    const value = Number(text);
    const issue = wholeIssue(value);
    if (issue !== null) return new Problem(issue);
    return value === 0 ? 0 : value;
  });
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Filters by a number, as JSON writes it. */
export function numberFilter(): ParameterFilter {
  return scalar((text) => {
    if (!NUMBER.test(text)) return new Problem("must be a number");
    const value = Number(text);
    // Nothing stored equals a number that no column can hold.
    const issue = finiteIssue(losesFraction(text.replace(/^-/, "")) ? Infinity : value);
    if (issue !== null) return new Problem(issue);
    return value === 0 ? 0 : value;
  });
}

/** Filters by a decimal, in any spelling within the scale: `12.5` is `12.50`. */
export function decimalFilter(scale: number): ParameterFilter {
  return scalar((text) => parseDecimal(text, scale));
}

/** Filters by a UTC time (REP-1). */
export function timestampFilter(): ParameterFilter {
  return scalar((text) => (isTimestamp(text) ? text : new Problem(`must be ${TIMESTAMP_FORM}`)));
}

/** Filters by a UUID, in upper or lower case (IDN-4). */
export function uuidFilter(): ParameterFilter {
  return scalar((text) => parseIdentifier(text) ?? new Problem(`must be ${UUID_FORM}`));
}

/** An array is filtered by a value that it must contain (QRY-3). */
export function contains(item: ParameterFilter): ParameterFilter {
  return { contains: true, read: item.read };
}

/** Adds the parameters for bounds: `priority.atLeast=3` (QRY-3). */
export function range(filter: ParameterFilter): ParameterFilter {
  return { ...filter, isRange: true };
}

/** Adds the parameters for parts of a string: `name.contains=ann` (QRY-7). */
export function search(filter: ParameterFilter): ParameterFilter {
  return { ...filter, isSearch: true };
}
