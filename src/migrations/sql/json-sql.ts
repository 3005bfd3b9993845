import { sqlName, sqlText } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";

/** The expression of a JSON value, as the functions of a database take it. */
type JsonExpression = string;

/** What is done to the JSON value at the end of a path. */
export interface JsonEdit {
  /** The value after it. */
  edited(value: JsonExpression): JsonExpression;
  /** Whether it still has to be done. */
  isPending(value: JsonExpression): string;
}

/** An edit of what stands at a path inside a column: `address.`, `lines[].`, or the column itself. */
export function jsonEditAt(
  steps: readonly string[],
  edit: JsonEdit,
  dialect: SqlDialect,
  depth = 1,
): JsonEdit {
  const [first, ...rest] = steps;
  if (first === undefined) return edit;
  const inner = jsonEditAt(rest, edit, dialect, depth + 1);
  return first === "[]" ? inList(inner, dialect, depth) : inMember(first, inner, dialect);
}

/** The steps of a path, where `[]` is one of its own: `lines[].price` is `lines`, `[]`, `price`. */
export function jsonSteps(path: string): readonly string[] {
  return path.split(".").flatMap((step) => {
    const lists = step.split("[]");
    return [lists[0] ?? "", ...lists.slice(1).map(() => "[]")];
  });
}

function inMember(name: string, inner: JsonEdit, dialect: SqlDialect): JsonEdit {
  const member = (value: string): string => memberOf(value, name, dialect);
  const isThere = (value: string): string => {
    const type = typeOf(member(value), dialect);
    return `${type} IN ('object', 'array')`;
  };
  return {
    edited: (value) =>
      `CASE WHEN ${isThere(value)} THEN ${withMember(value, name, inner.edited(member(value)), dialect)} ELSE ${value} END`,
    isPending: (value) => `(${isThere(value)} AND ${inner.isPending(member(value))})`,
  };
}

function inList(inner: JsonEdit, dialect: SqlDialect, depth: number): JsonEdit {
  const item = sqlName(`item${depth}`);
  if (dialect === "sqlite") {
    // Its value is not JSON where it is a text.
    const each = (value: string): string => `(${value} -> ('$[' || ${item}."key" || ']'))`;
    return {
      edited: (value) =>
        `(SELECT json_group_array(json(${inner.edited(each(value))})) FROM json_each(${value}) AS ${item})`,
      isPending: (value) =>
        `EXISTS (SELECT 1 FROM json_each(${value}) AS ${item} WHERE ${inner.isPending(each(value))})`,
    };
  }
  const items = (value: string): string =>
    `jsonb_array_elements(${value}) WITH ORDINALITY AS ${item} ("value", "place")`;
  const edited = inner.edited(`${item}."value"`);
  const isPending = inner.isPending(`${item}."value"`);
  return {
    edited: (value) =>
      `(SELECT coalesce(jsonb_agg(${edited} ORDER BY ${item}."place"), '[]') FROM ${items(value)})`,
    isPending: (value) => `EXISTS (SELECT 1 FROM ${items(value)} WHERE ${isPending})`,
  };
}

/** A member of a JSON object, as JSON. */
export function memberOf(value: JsonExpression, name: string, dialect: SqlDialect): JsonExpression {
  return dialect === "sqlite"
    ? `(${value} -> ${sqlText(`$.${name}`)})`
    : `(${value} -> ${sqlText(name)})`;
}

/** An object with another value for one of its members. */
export function withMember(
  value: JsonExpression,
  name: string,
  member: JsonExpression,
  dialect: SqlDialect,
): JsonExpression {
  return dialect === "sqlite"
    ? `json_set(${value}, ${sqlText(`$.${name}`)}, json(${member}))`
    : `(${value} || jsonb_build_object(${sqlText(name)}, ${member}))`;
}

/** An object without one of its members. */
export function withoutMember(
  value: JsonExpression,
  name: string,
  dialect: SqlDialect,
): JsonExpression {
  return dialect === "sqlite"
    ? `json_remove(${value}, ${sqlText(`$.${name}`)})`
    : `(${value} - ${sqlText(name)})`;
}

/** Whether an object has a member, be it null. */
export function hasMember(value: JsonExpression, name: string, dialect: SqlDialect): string {
  return `${memberOf(value, name, dialect)} IS NOT NULL`;
}

/** The type of a JSON value: `object`, `array`, `null`; NULL where there is none. */
export function typeOf(value: JsonExpression, dialect: SqlDialect): string {
  return dialect === "sqlite" ? `json_type(${value})` : `jsonb_typeof(${value})`;
}

/** What is inside a JSON value that is a text, a number or a truth value, as a text. */
export function scalarOf(value: JsonExpression, dialect: SqlDialect): string {
  return dialect === "sqlite" ? `(${value} ->> '$')` : `(${value} #>> '{}')`;
}

/** A text as a JSON value. */
export function asJsonText(text: string, dialect: SqlDialect): JsonExpression {
  return dialect === "sqlite" ? `json_quote(${text})` : `to_jsonb(${text})`;
}

/** A fixed JSON value. */
export function jsonLiteral(
  value: string | number | boolean | null | readonly never[],
  dialect: SqlDialect,
): JsonExpression {
  const text = sqlText(JSON.stringify(value));
  return dialect === "sqlite" ? text : `CAST(${text} AS jsonb)`;
}
