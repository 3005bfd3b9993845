import type { StoredTable } from "#runtime/store/storage-model";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { leavesOf } from "../model/leaves.js";
import { sqlName } from "../naming/encoders.js";
import { identifierColumn, textColumn } from "./own-columns.js";
import { shortName } from "./short-name.js";
import type { SqlDialect } from "./sql-dialect.js";
import { ownerClause, type TableStatement } from "./table-statement.js";

/** Its index, whose name has an ending more, has a name of 63 bytes at most. */
const MOST_BYTES = 57;

/** The properties of an entity that are searched (QRY-7). */
export function searchedLeaves({ properties, searched }: EntityModel): PropertyModel[] {
  return leavesOf(properties).filter(({ path }) => searched.includes(path));
}

/** Where the texts of a searched property stand as they are searched; no name of a property has an underscore. */
export function searchName(table: string, path: string): string {
  return shortName(`${table}_${path.replaceAll(".", "_")}_search`, MOST_BYTES);
}

/** A table for each property that is searched, with a row for each entity that has a text. */
export function searchTables(entity: EntityModel): readonly StoredTable[] {
  return searchedLeaves(entity).map(({ path }) => searchTable(entity, path));
}

function searchTable({ name: owner }: EntityModel, path: string): StoredTable {
  const name = searchName(owner.table, path);
  return {
    name,
    holds: "search",
    columns: [
      identifierColumn("owner_id"),
      { ...textColumn("text"), encoding: { form: "string", searched: path } },
    ],
    primaryKey: ["owner_id"],
    foreignKeys: [
      {
        ...{ name: shortName(`${name}_owner_id_reference`), column: "owner_id" },
        ...{ table: owner.table, key: owner.idProperty, onDelete: "cascade" },
      },
    ],
    indexes: [],
  };
}

/** The property that a table is for, by its path; null: it is for none. */
export function searchedPath({ holds, columns }: StoredTable): string | null {
  if (holds !== "search") return null;
  const found = columns.find(({ name }) => name === "text")?.encoding["searched"];
  return typeof found === "string" ? found : null;
}

/** The statements that make a table of searched texts, with its index. */
export function makeSearchTable(table: StoredTable, dialect: SqlDialect): TableStatement[] {
  return dialect === "sqlite" ? sqliteTable(table) : postgresTable(table);
}

/** The numbers of rows stay what they are when a file is made smaller: FTS5 knows texts by them. */
function sqliteTable(table: StoredTable): TableStatement[] {
  const [name, index] = [sqlName(table.name), sqlName(indexOf(table))];
  const added = `INSERT INTO ${index} (rowid, text) VALUES (new.row, new.text);`;
  const removed = `DELETE FROM ${index} WHERE rowid = old.row;`;
  const trigger = (when: string, ...body: readonly string[]): TableStatement => {
    const [ending = ""] = when.toLowerCase().split(" ");
    return {
      what: `keep the index of ${table.name} right after ${ending === "delete" ? "a" : "an"} ${ending}`,
      lines: [
        `CREATE TRIGGER ${sqlName(`${table.name}_${ending}`)} AFTER ${when} ON ${name} BEGIN`,
        ...body.map((line) => `  ${line}`),
        "END",
      ],
    };
  };
  return [
    {
      what: `make the table ${table.name}`,
      lines: [
        `CREATE TABLE ${name} (`,
        "  row INTEGER PRIMARY KEY,",
        `  owner_id TEXT NOT NULL UNIQUE ${ownerClause(table)},`,
        "  text TEXT NOT NULL",
        ")",
      ],
    },
    {
      what: `make the index of ${table.name}`,
      lines: [
        `CREATE VIRTUAL TABLE ${index}`,
        "  USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')",
      ],
    },
    trigger("INSERT", added),
    trigger("UPDATE", removed, added),
    trigger("DELETE", removed),
  ];
}

/** `grams` are each three characters that follow each other in a word. */
function postgresTable(table: StoredTable): TableStatement[] {
  const name = sqlName(table.name);
  return [
    {
      what: `make the table ${table.name}`,
      lines: [
        `CREATE TABLE IF NOT EXISTS ${name} (`,
        `  owner_id TEXT COLLATE "C" PRIMARY KEY ${ownerClause(table)},`,
        '  text TEXT COLLATE "C" NOT NULL,',
        '  grams TEXT[] COLLATE "C" NOT NULL',
        ")",
      ],
    },
    {
      what: `make the index of ${table.name}`,
      lines: [`CREATE INDEX IF NOT EXISTS ${sqlName(indexOf(table))} ON ${name} USING gin (grams)`],
    },
  ];
}

/** The index of a table of searched texts: on SQLite it is a table of its own. */
export function indexOf({ name }: Pick<StoredTable, "name">): string {
  return `${name}_index`;
}
