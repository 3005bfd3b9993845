import { decimalOfUnits, decimalUnits } from "../../base/decimal.js";
import { editedAt, type JsonValue } from "../../input/json.js";
import { decimal, parseDecimal, integer, number } from "../../input/numbers.js";
import { boolean, oneOf, type Reader, timestamp, uuid } from "../../input/reader.js";
import { Report } from "../../input/report.js";
import { text } from "../../input/text.js";
import type { SqlValue } from "../database.js";
import { MissingPair, type RowConverter, type RowRule, type ValueRule } from "./migration.js";

/** The step of a path that leads into the items of a list. */
const ITEMS = "[]";

type Values = Readonly<Record<string, unknown>>;

/** Two functions of custom code that convert between an older version and the next (VER-2). */
interface RowPair {
  readonly toNewer: (older: never) => object;
  readonly toOlder: (newer: never) => object;
}

/**
 * Creates a function that returns the new values of a row in the order of `to`, or the whole edited column. It throws if the
 * pair is missing or throws, or if a value breaks its type or rules.
 */
export function rowConverter(pairs: Readonly<Record<string, RowPair>>): RowConverter {
  return ({ pair: name, column, path = [], from, to, rules, isBack = false }, row) => {
    const pair = pairs[name];
    if (pair === undefined) throw new MissingPair(name);
    const madeOf = (stored: Values): Values => {
      const given = checked(stored, from) as never;
      const made = checked((isBack ? pair.toOlder(given) : pair.toNewer(given)) as Values, to);
      refuseIssues(made, rules);
      return made;
    };
    if (column === undefined) {
      const stored = Object.entries(from).map(([key, held]) => [key, decoded(row[key], held)]);
      const made = madeOf(Object.fromEntries(stored) as Values);
      return Object.entries(to).map(([key, held]) => encoded(made[key], held));
    }
    const names = path.filter((step) => step !== ITEMS);
    const made = editedAt(decoded(row[column], "json"), names, (object) => ({
      ...object,
      ...madeOf(object),
    }));
    return [encoded(made, "json")];
  };
}

/** Converts a cell to a value for custom code. */
function decoded(cell: unknown, held: string): unknown {
  if (cell === null || cell === undefined) return null;
  const [type, scale] = held.split(" ");
  switch (type) {
    case "decimal":
      return decimalOfUnits(String(cell), Number(scale));
    case "boolean":
      return cell === 1 || cell === true;
    case "json":
      return JSON.parse(String(cell));
    default:
      return type === "text" ? String(cell) : Number(cell);
  }
}

/** Converts a checked value to a cell. */
function encoded(value: unknown, held: string): SqlValue {
  if (value === null || value === undefined) return null;
  const [type, scale] = held.split(" ");
  if (type === "decimal") return decimalUnits(String(value), Number(scale));
  if (type === "json") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" ? value : String(value);
}

/** Returns the named values in canonical form, and null for missing ones. Throws if a type is wrong. */
function checked(values: Values, names: Readonly<Record<string, string>>): Values {
  const entries = Object.entries(names).map(([name, held]) => [
    name,
    checkedValue(values[name] ?? null, held),
  ]);
  return Object.fromEntries(entries) as Values;
}

/** Throws if a client of the newer version could not have sent a value (REP-9). */
function refuseIssues(values: Values, rules: RowRule["rules"]): void {
  const report = new Report();
  for (const [name, rule] of Object.entries(rules)) {
    const value = (values[name] ?? null) as JsonValue;
    if (value !== null || rule.isRequired) readerOf(rule)(value, name, report);
  }
  const [issue] = report.issues;
  if (issue !== undefined) throw new Error(`${issue.field} ${issue.message}`);
}

/** Creates a reader like the one in the schema, from its rule in a migration. */
function readerOf({ form, values = [], scale = 0, bounds }: ValueRule): Reader<unknown> {
  const { pattern, ...others } = bounds;
  switch (form) {
    case "integer":
      return integer(others);
    case "number":
      return number(others);
    case "decimal":
      return decimal({ ...others, scale });
    case "boolean":
      return boolean();
    case "timestamp":
      return timestamp();
    case "uuid":
      return uuid();
    case "enum":
      return oneOf([values[0] ?? "", ...values.slice(1)]);
    default:
      return text({
        maxLength: Infinity,
        ...others,
        ...(typeof pattern === "string" && { pattern: new RegExp(pattern, "u") }),
      });
  }
}

function checkedValue(value: unknown, held: string): unknown {
  const [type, scale] = held.split(" ");
  if (value === null) return null;
  const isDecimal = type === "decimal" && typeof value === "string";
  const found = isDecimal ? parseDecimal(value, Number(scale)) : value;
  if (isOfKind(found, type ?? "")) return found;
  throw new Error(`${JSON.stringify(value)} is made where ${held} is wanted`);
}

function isOfKind(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "real":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "json":
      return typeof value === "object";
    default:
      return typeof value === "string";
  }
}
