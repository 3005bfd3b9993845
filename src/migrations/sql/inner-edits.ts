import type { FilledColumn, MigrationStep } from "#runtime/store/migrations/migration";
import { sqlName } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";
import { conversionOf } from "../conversions.js";
import { before, lastStep } from "../paths.js";
import {
  asJsonText,
  hasMember,
  jsonEditAt,
  jsonLiteral,
  jsonSteps,
  memberOf,
  scalarOf,
  typeOf,
  withMember,
  withoutMember,
  type JsonEdit,
} from "./json-sql.js";
import { valueOf } from "./literal.js";

/** What a step on something inside a JSON column does to the column. */
export interface InnerEdit {
  readonly column: string;
  /** `SET` and what follows it, and the condition of the rows that still have to be changed. */
  readonly set: string;
  readonly pending: string;
}

/** Whether a path leads into a JSON column. */
export function isInner(path: string): boolean {
  return /[.[]/.test(path);
}

/** The change of a JSON column; null where the step changes nothing that is stored. */
export function innerEditOf(step: MigrationStep, dialect: SqlDialect): InnerEdit | null {
  if (!("path" in step)) return null;
  const edit = editOf(step, dialect);
  if (edit === null) return null;
  const isOfItems = step.path.endsWith("[]");
  const inside = isOfItems ? step.path : before(step.path).replace(/\.$/, "");
  const [column = "", ...steps] = jsonSteps(inside);
  const whole = jsonEditAt(steps, edit, dialect);
  const value = dialect === "sqlite" ? sqlName(column) : `CAST(${sqlName(column)} AS jsonb)`;
  const made = whole.edited(value);
  return {
    column,
    set: `${sqlName(column)} = ${dialect === "sqlite" ? made : `CAST(${made} AS text)`}`,
    pending: `${sqlName(column)} IS NOT NULL AND ${whole.isPending(value)}`,
  };
}

/** The edit of the object that holds the member, or of an item of a list. */
function editOf(step: MigrationStep, dialect: SqlDialect): JsonEdit | null {
  switch (step.step) {
    case "addColumn":
      return addition(step, dialect);
    case "restoreColumn":
      return restoration(step, dialect);
    case "renameColumn": {
      const [from, to] = [lastStep(step.path), step.to];
      return {
        edited: (value) =>
          withMember(
            withoutMember(value, from, dialect),
            to,
            memberOf(value, from, dialect),
            dialect,
          ),
        isPending: (value) => hasMember(value, from, dialect),
      };
    }
    case "dropColumn": {
      const name = lastStep(step.path);
      return {
        edited: (value) => withoutMember(value, name, dialect),
        isPending: (value) => hasMember(value, name, dialect),
      };
    }
    case "convertColumn":
      return conversion(step, dialect);
    default:
      return null;
  }
}

/** A list inside an object is kept as JSON, like an object. */
function addition(
  step: Extract<MigrationStep, { step: "addColumn" }>,
  dialect: SqlDialect,
): JsonEdit {
  const name = lastStep(step.path);
  const literal = literalOf(step, dialect);
  return {
    edited: (object) => withMember(object, name, literal, dialect),
    isPending: (object) => `NOT (${hasMember(object, name, dialect)})`,
  };
}

/** What is never null is filled where it is null as well. */
function restoration(
  { path, filled }: Extract<MigrationStep, { step: "restoreColumn" }>,
  dialect: SqlDialect,
): JsonEdit | null {
  if (filled === undefined) return null;
  const name = lastStep(path);
  const literal = literalOf(filled, dialect);
  const member = (object: string): string => memberOf(object, name, dialect);
  const edited = (object: string): string => withMember(object, name, literal, dialect);
  const isPending = (object: string): string =>
    filled.backfill === null
      ? `NOT (${hasMember(object, name, dialect)})`
      : `coalesce(${typeOf(member(object), dialect)}, 'null') = 'null'`;
  return {
    edited: (object) => `CASE WHEN ${isPending(object)} THEN ${edited(object)} ELSE ${object} END`,
    isPending,
  };
}

/** A list is filled with none. */
function literalOf({ backfill, column }: FilledColumn, dialect: SqlDialect): string {
  const value = backfill === null ? null : valueOf(backfill);
  return jsonLiteral(column.type === "json" && value !== null ? [] : value, dialect);
}

/** A converted value is a text: it is another one than before, so that none is converted twice. */
function conversion(
  { path, from, to }: Extract<MigrationStep, { step: "convertColumn" }>,
  dialect: SqlDialect,
): JsonEdit | null {
  const made = conversionOf({ from, to, place: "json", dialect });
  if (made === null || made.isSame) return null;
  const ofValue = {
    edited: (value: string) => asJsonText(made.convert(scalarOf(value, dialect)), dialect),
    isPending: (value: string) =>
      `${typeOf(value, dialect)} <> 'null' AND ${made.isPending(scalarOf(value, dialect))}`,
  };
  if (path.endsWith("[]")) {
    return {
      edited: (value) =>
        `CASE WHEN ${ofValue.isPending(value)} THEN ${ofValue.edited(value)} ELSE ${value} END`,
      isPending: ofValue.isPending,
    };
  }
  const name = lastStep(path);
  const member = (object: string): string => memberOf(object, name, dialect);
  return {
    edited: (object) =>
      `CASE WHEN ${ofValue.isPending(member(object))} THEN ${withMember(object, name, ofValue.edited(member(object)), dialect)} ELSE ${object} END`,
    isPending: (object) => `(${ofValue.isPending(member(object))})`,
  };
}
