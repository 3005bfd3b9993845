import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { indexOf, makeSearchTable, searchedPath } from "../../storage/search-tables.js";
import { shortName } from "../../storage/short-name.js";
import { insideJson, type SqlDialect } from "../../storage/sql-dialect.js";
import { statement, type Statement } from "./statement.js";
import { heldAt } from "./stored-values.js";

/** The storage that a table is added to, and the steps of its migration. */
interface Turn {
  readonly model: StorageModel;
  readonly steps: readonly MigrationStep[];
}

/** Names and values that an older release knows otherwise: what is read of them is there when none serves any more. */
const CHANGING = ["renameColumn", "convertColumn", "convertRows", "restoreColumn"];

/** The statements for a new table of searched texts: it is made, and filled from the texts that are there. */
export function searchStatements(
  table: StoredTable,
  turn: Turn,
  dialect: SqlDialect,
): readonly Statement[] {
  const found = sourceOf(table, turn);
  const source = found && { ...found, model: turn.model };
  const isLate = dialect === "postgres" && source !== null && isChanging(source.table, turn.steps);
  const kind = isLate ? "contract" : "run";
  const made = makeSearchTable(table, dialect).map(({ what, lines }) =>
    statement(kind, what, ...lines),
  );
  if (source === null) return made;
  if (dialect === "sqlite") return [...made, filling("fill", table, source, "sqlite")];
  const last = filling("refill", table, source, "postgres");
  if (isLate) return [...made, last];
  return [...made, ...marked(table, source), filling("fill", table, source, "postgres"), last];
}

/** What is left where a table of searched texts is dropped. */
export function dropSearchIndex({ name, holds }: StoredTable): Statement[] {
  if (holds !== "search") return [];
  const index = indexOf({ name });
  return [statement("run", `drop the index of ${name}`, `DROP TABLE IF EXISTS ${sqlName(index)}`)];
}

/** Where the texts stand. */
interface Source {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** Inside the JSON of the column. */
  readonly steps: readonly string[];
  readonly path: string;
}

/** Null where no entity is there yet. */
function sourceOf(table: StoredTable, { steps }: Turn): Source | null {
  const [owner] = table.foreignKeys;
  const path = searchedPath(table);
  if (owner === undefined || path === null) return null;
  const isNew = steps.some(
    (step) => step.step === "createTable" && step.table.name === owner.table,
  );
  if (isNew) return null;
  const [column = "", ...inside] = path.split(".");
  return { table: owner.table, key: owner.key, column, steps: inside, path };
}

/** Whether a migration gives a table, or what it holds, another name or form. */
export function isChanging(table: string, steps: readonly MigrationStep[]): boolean {
  return steps.some(
    (step) =>
      (step.step === "renameTable" && step.to === table) ||
      (step.step === "restoreTable" && step.table === table) ||
      ("table" in step && step.table === table && CHANGING.includes(step.step)),
  );
}

/** A text that an older release writes is searched for no more, until it is filled in again. */
function marked(table: StoredTable, { table: of, column, key, path }: Source): Statement[] {
  const marker = sqlName(markerOf(table));
  const value = (row: string): string => `${row}.${sqlName(column)}`;
  return [
    statement(
      "run",
      `say how texts of ${of}.${path} are marked that are written meanwhile`,
      `CREATE OR REPLACE FUNCTION ${marker}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN`,
      `  DELETE FROM ${sqlName(table.name)} WHERE owner_id = NEW.${sqlName(key)};`,
      "  RETURN NULL;",
      "END $$",
    ),
    statement(
      "run",
      `mark them`,
      `CREATE OR REPLACE TRIGGER ${marker} AFTER UPDATE ON ${sqlName(of)}`,
      `  FOR EACH ROW WHEN (${value("OLD")} IS DISTINCT FROM ${value("NEW")}) EXECUTE FUNCTION ${marker}()`,
    ),
    statement(
      "contract",
      `mark them no more`,
      `DROP TRIGGER IF EXISTS ${marker} ON ${sqlName(of)}`,
    ),
    statement("contract", `forget how they were marked`, `DROP FUNCTION IF EXISTS ${marker}()`),
  ];
}

function markerOf({ name }: StoredTable): string {
  return shortName(`${name}_marker`);
}

/** Reads the texts that have no row, from one identifier on: the runtime writes them as they are searched. */
function filling(
  kind: "fill" | "refill",
  table: StoredTable,
  { model, ...source }: Source & Pick<Turn, "model">,
  dialect: SqlDialect,
): Statement {
  const [of, key] = [sqlName(source.table), sqlName(source.key)];
  const column = `${of}.${sqlName(source.column)}`;
  const text = { type: "text", encoding: { form: "string" } } as const;
  const value =
    source.steps.length === 0 ? column : insideJson(column, source.steps, text, dialect);
  const lines = [
    `SELECT ${of}.${key} AS id, ${value} AS value FROM ${of}`,
    `WHERE ${of}.${key} > :after AND ${column} IS NOT NULL`,
    `  AND NOT EXISTS (SELECT 1 FROM ${sqlName(table.name)} WHERE owner_id = ${of}.${key})`,
    `ORDER BY ${of}.${key} LIMIT :limit${dialect === "postgres" ? " FOR SHARE" : ""}`,
  ];
  const isList = heldAt(model, source)?.type === "json";
  const rule = JSON.stringify({ table: table.name, ...(isList && { isList }) });
  return statement(
    kind,
    `fill ${table.name} from ${source.table}.${source.path}`,
    `-- ${rule}`,
    ...lines,
  );
}
