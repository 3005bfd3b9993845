import type {
  ColumnBounds,
  HeldValue,
  StorageModel,
  StoredValue,
} from "#runtime/store/storage-model";
import { InternalError } from "../../diagnostics/internal-error.js";
import { sqlName, sqlText } from "../../naming/encoders.js";
import { insideJson, type SqlDialect } from "../../storage/sql-dialect.js";

/** Says of a value whether it is meant; `holder` is the object that it is a member of, "" where it is in none. */
export type ValueCondition = (value: string, holder: string) => string;

/** A condition on the values of a column, or on a value somewhere inside of it: true for a row that has such a one. */
export function rowsWith(
  model: StorageModel,
  place: { readonly table: string; readonly path: string },
  condition: ValueCondition,
  dialect: SqlDialect,
): string {
  const table = model.tables.find(({ name }) => name === place.table);
  const [first = "", ...steps] = place.path.split(".").flatMap(listSteps);
  const column = table?.columns.find(({ name }) => name === first);
  if (column === undefined) throw new InternalError(`${place.table} has no ${place.path}`);
  return within({ value: sqlName(first), held: column, inside: [] }, steps, condition, dialect);
}

/** `lines[]` is `lines` and `[]`. */
function listSteps(step: string): readonly string[] {
  return step.endsWith("[]") ? [step.slice(0, -2), "[]"] : [step];
}

/** A value that was reached: a column or an item of a list, and the members inside of it that lead there. */
interface Reached {
  readonly value: string;
  readonly held: HeldValue;
  readonly inside: readonly string[];
}

function within(
  reached: Reached,
  [step, ...rest]: readonly string[],
  condition: ValueCondition,
  dialect: SqlDialect,
): string {
  const { value, held, inside } = reached;
  if (step === undefined)
    return condition(expression(reached, dialect), holderOf(reached, dialect));
  if (step !== "[]") {
    const member = memberNamed(held, step);
    return within({ value, held: member, inside: [...inside, step] }, rest, condition, dialect);
  }
  const { items } = held.encoding;
  if (items === undefined) throw new InternalError("only a list has items");
  const item = sqlName(`item${value.split('"item').length}`);
  const inner = { value: `${item}."value"`, held: items, inside: [] };
  const found = within(inner, rest, condition, dialect);
  return `EXISTS (SELECT 1 FROM ${itemsOf(reached, dialect)} AS ${item}${
    dialect === "sqlite" ? "" : ' ("value")'
  } WHERE ${found})`;
}

function holderOf({ value, inside }: Reached, dialect: SqlDialect): string {
  const holder = { type: "json", encoding: { form: "object" } } as const;
  if (inside.length === 0) return "";
  return inside.length === 1 ? value : insideJson(value, inside.slice(0, -1), holder, dialect);
}

function memberNamed({ encoding }: HeldValue, name: string): StoredValue {
  const member = encoding.members?.find((one) => one.name === name);
  if (member === undefined) throw new InternalError(`there is no member ${name}`);
  return member;
}

function expression({ value, held, inside }: Reached, dialect: SqlDialect): string {
  const isItem = value.endsWith('."value"');
  if (inside.length === 0 && !isItem) return value;
  if (inside.length > 0 || dialect === "postgres") return insideJson(value, inside, held, dialect);
  // SQLite gives a text of a list as it is.
  return held.encoding.form === "decimal" ? `CAST(replace(${value}, '.', '') AS INTEGER)` : value;
}

/** The rows of the items of a list. */
function itemsOf({ value, inside }: Reached, dialect: SqlDialect): string {
  if (dialect === "sqlite") {
    return inside.length === 0
      ? `json_each(${value})`
      : `json_each(${value}, ${sqlText(`$.${inside.join(".")}`)})`;
  }
  const json = `CAST(${value} AS jsonb)`;
  return inside.length === 0
    ? `jsonb_array_elements(${json})`
    : `jsonb_array_elements(${json} #> ${sqlText(`{${inside.join(",")}}`)})`;
}

/** What is wrong with a value by a bound, as words and as a condition. */
export interface Violation {
  readonly what: string;
  condition(value: string): string;
}

/** The violations that can be looked for of bounds that were not there before, or were looser. */
export function violations(
  before: ColumnBounds,
  after: HeldValue,
  dialect: SqlDialect,
): readonly Violation[] {
  return Object.entries(after.bounds ?? {})
    .filter(([name, bound]) => !isLooser(name, before[name], bound))
    .flatMap(([name, bound]) => violationOf(name, bound, after, dialect) ?? []);
}

function isLooser(name: string, before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (before === undefined) return false;
  const isLess = Number(after) < Number(before);
  if (/^min|^exclusiveMin/.test(name)) return isLess;
  return /^max|^exclusiveMax/.test(name) ? !isLess : false;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  minimum: "<",
  maximum: ">",
  exclusiveMinimum: "<=",
  exclusiveMaximum: ">=",
};

function violationOf(
  name: string,
  bound: string | number | boolean,
  held: HeldValue,
  dialect: SqlDialect,
): Violation | null {
  const what = `does not keep ${name} ${String(bound)}`;
  const number = numberText(bound);
  const compared = COMPARISONS[name];
  if (compared !== undefined)
    return { what, condition: (value) => `${value} ${compared} ${number}` };
  switch (name) {
    case "minLength":
      return { what, condition: (value) => `length(${value}) < ${number}` };
    case "maxLength":
      return { what, condition: (value) => `length(${value}) > ${number}` };
    case "minItems":
      return { what, condition: (value) => `${itemCount(value, dialect)} < ${number}` };
    case "maxItems":
      return { what, condition: (value) => `${itemCount(value, dialect)} > ${number}` };
    case "uniqueItems":
      return { what: "has the same item twice", condition: (value) => repeats(value, dialect) };
    case "multipleOf":
      return held.encoding.form === "number"
        ? { what, condition: (value) => `${value} / ${number} <> round(${value} / ${number})` }
        : { what, condition: (value) => `${value} % ${number} <> 0` };
    default:
      return null;
  }
}

/** A bound of a decimal is a text at full scale, and its column holds its digits. */
function numberText(bound: string | number | boolean): string {
  return typeof bound === "string" && /^-?\d+(\.\d+)?$/.test(bound)
    ? BigInt(bound.replace(".", "")).toString()
    : String(Number(bound));
}

function itemCount(list: string, dialect: SqlDialect): string {
  return dialect === "sqlite"
    ? `json_array_length(${list})`
    : `jsonb_array_length(CAST(${list} AS jsonb))`;
}

function repeats(list: string, dialect: SqlDialect): string {
  const items =
    dialect === "sqlite"
      ? `json_each(${list}) AS "item"`
      : `jsonb_array_elements(CAST(${list} AS jsonb)) AS "item" ("value")`;
  return `(SELECT count(*) > count(DISTINCT "item"."value") FROM ${items})`;
}
