import type {
  ColumnType,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";
import type { PropertyModel } from "../kinds/property-model.js";
import { storedColumn, storedLeaf } from "../kinds/stored-value.js";
import type { EntityModel } from "../model/entity-model.js";
import { itemLeavesOf, type ItemLeaves } from "../model/leaves.js";
import { referencesOf } from "../model/references.js";
import { sqlName, sqlText } from "../naming/encoders.js";
import { isIndexedText } from "./indexes.js";
import { identifierColumn, integerColumn } from "./own-columns.js";
import { linkName } from "./references.js";
import { shortName } from "./short-name.js";
import { columnTypeIn, insideJson, type SqlDialect } from "./sql-dialect.js";
import type { TableStatement } from "./table-statement.js";

/** What a table is a copy of. */
export interface CopiedPlace {
  readonly table: string;
  readonly key: string;
  readonly path: string;
}

/** The names of its triggers have an ending more. */
const MOST_BYTES = 56;

/** Where the items of a list stand that are compared: no array of references has that path as well (QRY-10). */
function itemTableName(table: string, list: string): string {
  return shortName(linkName(table, list), MOST_BYTES);
}

/** What a query compares inside the items of a list: its column of their table. */
export interface ItemColumn {
  readonly leaf: PropertyModel;
  /** The path of the list. */
  readonly list: string;
  readonly table: string;
  readonly column: string;
}

/** All that is compared inside of items. */
export function itemColumns(entity: EntityModel): readonly ItemColumn[] {
  return queriedLists(entity).flatMap((one) => columnsOf(entity, one));
}

function queriedLists({ properties, queried }: EntityModel): ItemLeaves[] {
  return itemLeavesOf(properties)
    .map(({ list, leaves }) => {
      return { list, leaves: leaves.filter(({ path }) => queried.includes(path)) };
    })
    .filter(({ leaves }) => leaves.length > 0);
}

/** Called after the path inside of an item; no name of a property has an underscore. */
function columnsOf(entity: EntityModel, { list, leaves }: ItemLeaves): ItemColumn[] {
  const table = itemTableName(entity.name.table, list.path);
  return leaves.map((leaf) => {
    const reference = referencesOf(entity).find(({ property }) =>
      leaf.path.startsWith(`${property.path}.`),
    );
    // Of a reference the identifier alone is kept.
    const path = reference?.property.path ?? leaf.path;
    const column = path.slice(list.path.length + 1).replaceAll(".", "_");
    return { leaf, list: list.path, table, column };
  });
}

/** A table for each list of which something is compared, with a row for each item. */
export function itemTables(entity: EntityModel): readonly StoredTable[] {
  const { table, idProperty } = entity.name;
  const owner = identifierColumn("owner_id");
  return queriedLists(entity).map((one): StoredTable => {
    const name = itemTableName(table, one.list.path);
    const columns = columnsOf(entity, one);
    return {
      name,
      holds: "items",
      columns: [
        { ...owner, encoding: { ...owner.encoding, ...{ table, key: idProperty } } },
        { ...integerColumn("item_number"), encoding: { form: "integer", list: one.list.path } },
        ...columns.map(storedItemColumn),
      ],
      primaryKey: ["owner_id", "item_number"],
      // A trigger follows deletions: a key would be looked up for each item.
      foreignKeys: [],
      indexes: columns.map(itemIndex),
    };
  });
}

/** What it holds and how that is told from JSON; bounds mean nothing to a copy. */
function storedItemColumn({ leaf: { type }, column }: ItemColumn): StoredValue {
  const { values: _values, ...encoding } = storedLeaf(type).encoding;
  const leaf = storedLeaf(type).type;
  const stored = storedColumn({ name: column, type, nullable: true }).type;
  const told = { ...encoding, ...(leaf !== stored && { leaf }) };
  return { name: column, type: stored, nullable: true, encoding: told };
}

/** A table of links has an index with the ending that others have. */
function itemIndex({ table, column, leaf }: ItemColumn): StoredIndex {
  return {
    name: shortName(`${table}_${column}_items`),
    unique: false,
    searches: "order",
    terms: [column, "owner_id"],
    databases: isIndexedText(leaf) ? ["sqlite", "postgres"] : ["sqlite"],
  };
}

/** The list whose items a table holds: its table, the identifier there, and its path; null: it is no such table. */
export function itemsOf({ holds, columns }: StoredTable): CopiedPlace | null {
  if (holds !== "items") return null;
  const [owner, number] = columns;
  const told = { ...owner?.encoding, ...number?.encoding };
  return { table: String(told["table"]), key: String(told["key"]), path: String(told["list"]) };
}

/** The statements that make a table of items, and the triggers by which each write of the list writes them. */
export function makeItemTable(table: StoredTable, dialect: SqlDialect): TableStatement[] {
  const name = sqlName(table.name);
  const definitions = table.columns.map(({ name: column, type, nullable }) => {
    return `  ${columnSql(column)} ${columnTypeIn(dialect, type)}${nullable ? "" : " NOT NULL"},`;
  });
  const isThere = dialect === "postgres" ? "IF NOT EXISTS " : "";
  return [
    {
      what: `make the table ${table.name}`,
      lines: [
        `CREATE TABLE ${isThere}${name} (`,
        ...definitions,
        "  PRIMARY KEY (owner_id, item_number)",
        dialect === "sqlite" ? ") WITHOUT ROWID" : ")",
      ],
    },
    ...table.indexes
      .filter(({ databases }) => databases.includes(dialect))
      .map((index) => ({
        what: `make the index ${index.name}`,
        lines: [
          `CREATE INDEX ${isThere}${sqlName(index.name)} ON ${name} (${index.terms.map(columnSql).join(", ")})`,
        ],
      })),
    ...(dialect === "sqlite" ? sqliteTriggers(table) : postgresTriggers(table)),
  ];
}

function sqliteTriggers(table: StoredTable): TableStatement[] {
  const { owner, key, column } = placeOf(table);
  const removed = `DELETE FROM ${sqlName(table.name)} WHERE owner_id = old.${key};`;
  const added = ended(insertItems(table, "sqlite", { from: "new" }));
  const trigger = (ending: Ending, when: string, lines: readonly string[]): TableStatement => ({
    what: keeping(table, ending),
    lines: [
      `CREATE TRIGGER ${sqlName(`${table.name}_${ending}`)} AFTER ${when} BEGIN`,
      ...lines.map((line) => `  ${line}`),
      "END",
    ],
  });
  const isChanged = `WHEN old.${column} IS NOT new.${column}`;
  return [
    trigger("insert", `INSERT ON ${owner}`, added),
    trigger("update", `UPDATE OF ${column} ON ${owner} ${isChanged}`, [removed, ...added]),
    trigger("delete", `DELETE ON ${owner}`, [removed]),
  ];
}

function postgresTriggers(table: StoredTable): TableStatement[] {
  const { owner, key, column } = placeOf(table);
  const kept = sqlName(`${table.name}_kept`);
  const added = ended(insertItems(table, "postgres", { from: "NEW" }));
  const trigger = (ending: Ending, when: string, rows = "FOR EACH ROW"): TableStatement => ({
    what: keeping(table, ending),
    lines: [
      `CREATE OR REPLACE TRIGGER ${sqlName(`${table.name}_${ending}`)} AFTER ${when} ON ${owner}`,
      `  ${rows} EXECUTE FUNCTION ${kept}()`,
    ],
  });
  return [
    {
      what: `say how ${table.name} is kept right`,
      lines: [
        `CREATE OR REPLACE FUNCTION ${kept}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN`,
        "  IF TG_OP <> 'INSERT' THEN",
        `    DELETE FROM ${sqlName(table.name)} WHERE owner_id = OLD.${key};`,
        "  END IF;",
        "  IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;",
        ...added.map((line) => `  ${line}`),
        "  RETURN NULL;",
        "END $$",
      ],
    },
    trigger("insert", "INSERT"),
    trigger(
      "update",
      `UPDATE OF ${column}`,
      `FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column})`,
    ),
    trigger("delete", "DELETE"),
  ];
}

/** After what a trigger runs: its name ends so. */
type Ending = "insert" | "update" | "delete";

const ENDINGS: readonly Ending[] = ["insert", "update", "delete"];

function keeping({ name }: StoredTable, ending: Ending): string {
  return `keep ${name} right after ${ending === "delete" ? "a" : "an"} ${ending}`;
}

function ended(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index + 1 < lines.length ? line : `${line};`));
}

/** The triggers go before the lists change that they read. */
export function dropItemTriggers({ name }: StoredTable, dialect: SqlDialect): TableStatement[] {
  const what = `keep ${name} no more`;
  if (dialect === "postgres") {
    // With its triggers.
    return [{ what, lines: [`DROP FUNCTION IF EXISTS ${sqlName(`${name}_kept`)}() CASCADE`] }];
  }
  return ENDINGS.map((ending) => ({
    what: `${what} after ${ending === "delete" ? "a" : "an"} ${ending}`,
    lines: [`DROP TRIGGER IF EXISTS ${sqlName(`${name}_${ending}`)}`],
  }));
}

/** Adds the items of the lists in rows of `from`, which may be the one that a trigger tells. */
export function insertItems(
  table: StoredTable,
  dialect: SqlDialect,
  { from }: { readonly from: string },
): readonly string[] {
  const { key, column, inside } = placeOf(table);
  const columns = table.columns.slice(2);
  const names = [`owner_id`, `item_number`, ...columns.map(({ name }) => columnSql(name))];
  const values = columns.map((value) => {
    const type = (value.encoding["leaf"] ?? value.type) as ColumnType;
    return insideJson("item.value", value.name.split("_"), { ...value, type }, dialect);
  });
  const held = `${from}.${column}`;
  const isRow = from === "new" || from === "NEW";
  const [number, items] =
    dialect === "sqlite" ? ["item.key", sqliteItems(held, inside)] : postgresItems(held, inside);
  return [
    `INSERT INTO ${sqlName(table.name)} (${names.join(", ")})`,
    `  SELECT ${[`${from}.${key}`, number, ...values].join(", ")}`,
    `  FROM ${isRow ? "" : `${from}, `}${items}`,
  ];
}

function sqliteItems(held: string, inside: readonly string[]): string {
  const path = inside.length === 0 ? "" : `, ${sqlText(`$.${inside.join(".")}`)}`;
  return `json_each(${held}${path}) AS item`;
}

/** What is no list, inside of an object, has no items. */
function postgresItems(held: string, inside: readonly string[]): [number: string, items: string] {
  const json = `CAST(${held} AS jsonb)`;
  const list = `(${json} #> ${sqlText(`{${inside.join(",")}}`)})`;
  const items =
    inside.length === 0 ? json : `CASE WHEN jsonb_typeof${list} = 'array' THEN ${list} END`;
  return [
    "item.number - 1",
    `jsonb_array_elements(${items}) WITH ORDINALITY AS item (value, number)`,
  ];
}

function placeOf(table: StoredTable) {
  const { table: owner = "", key = "", path = "" } = itemsOf(table) ?? {};
  const [column = "", ...inside] = path.split(".");
  return { owner: sqlName(owner), key: sqlName(key), column: sqlName(column), inside };
}

function columnSql(name: string): string {
  return name === "owner_id" || name === "item_number" ? name : sqlName(name);
}
