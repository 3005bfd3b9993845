import type { ColumnType, StoredValue } from "#runtime/store/storage-model";
import { InternalError } from "../diagnostics/internal-error.js";
import { isKindName, kindNamed } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { storedLeaf } from "../kinds/stored-value.js";
import { sqlName, sqlText } from "../naming/encoders.js";

/** A database that a service can keep its entities in; it chooses when it starts. */
export type SqlDialect = "sqlite" | "postgres";

interface DialectRules {
  readonly columns: Readonly<Record<ColumnType, string>>;
  /** The value at a path inside a JSON column, as something that compares and sorts like a column of its type. */
  inside(column: string, steps: readonly string[], type: ColumnType): string;
}

const RULES: Readonly<Record<SqlDialect, DialectRules>> = {
  sqlite: {
    columns: { text: "TEXT", integer: "INTEGER", real: "REAL", boolean: "INTEGER", json: "TEXT" },
    inside: (column, steps) => `${column} ->> ${sqlText(`$.${steps.join(".")}`)}`,
  },
  postgres: {
    columns: {
      // Texts compare by code point, as in SQLite, and not by the rules of the server's language (QRY-4).
      text: 'TEXT COLLATE "C"',
      integer: "BIGINT",
      real: "DOUBLE PRECISION",
      boolean: "BOOLEAN",
      // The JSON text as it was written: jsonb would reorder its keys (docs/decisions/storage.md).
      json: "TEXT",
    },
    inside: (column, steps, type) => {
      const extracted = `CAST(${column} AS jsonb) #>> ${sqlText(`{${steps.join(",")}}`)}`;
      return INSIDE_POSTGRES[type](extracted);
    },
  },
};

/** PostgreSQL extracts every leaf as a text. */
const INSIDE_POSTGRES: Readonly<Record<ColumnType, (extracted: string) => string>> = {
  text: (extracted) => `(${extracted}) COLLATE "C"`,
  integer: (extracted) => `CAST(${extracted} AS BIGINT)`,
  real: (extracted) => `CAST(${extracted} AS DOUBLE PRECISION)`,
  boolean: (extracted) => `CAST(${extracted} AS BOOLEAN)`,
  json: (extracted) => `(${extracted})`,
};

/** The type of a column: `BIGINT`. */
export function columnTypeIn(dialect: SqlDialect, type: ColumnType): string {
  return RULES[dialect].columns[type];
}

/** Where an expression stands. */
export interface SqlPlace {
  readonly dialect: SqlDialect;
  /** `"tickets".` where other tables stand beside the one that is meant; left out: there are none. */
  readonly qualifier?: string;
}

/** A column, or a leaf inside a JSON column, to filter and sort by. */
export function sqlExpression(
  { path, type }: PropertyModel,
  { dialect, qualifier = "" }: SqlPlace,
): string {
  const [name = "", ...steps] = path.split(".");
  const column = qualifier + sqlName(name);
  return steps.length === 0 ? column : insideJson(column, steps, storedLeaf(type), dialect);
}

/** A leaf inside a JSON column, as something that compares and sorts like a column of its kind. */
export function insideJson(
  column: string,
  steps: readonly string[],
  held: Pick<StoredValue, "type" | "encoding">,
  dialect: SqlDialect,
): string {
  return comparedText(RULES[dialect].inside(column, steps, held.type), held);
}

/** What stands inside JSON, as something that compares like a column: a decimal is a text there. */
export function comparedText(
  extracted: string,
  { encoding: { form } }: Pick<StoredValue, "encoding">,
): string {
  if (!isKindName(form)) throw new InternalError(`no kind is called ${JSON.stringify(form)}`);
  return kindNamed(form).leaf(extracted);
}
