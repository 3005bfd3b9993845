import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Database, SqlRow, WriteStep } from "#runtime/store/database";
import { applyMigrations } from "#runtime/store/migrations/migrations";
import type { HeldValue, StorageModel, StoredTable } from "#runtime/store/storage-model";
import { filesOf } from "../../src/commands/project-migrations.js";
import { withModels } from "../../src/migrations/apply-steps.js";
import type { NextMigration } from "../../src/migrations/next-migration.js";
import { wantedStorage } from "../../src/migrations/wanted.js";
import { linkName } from "../../src/storage/references.js";
import { EDIT_CASES, editSchemas, editSections } from "../golden/golden-cases.js";
import { plainRows } from "../support/plain-rows.js";
import { renderValid, type Texts } from "../support/render-files.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import {
  afterSteps,
  entityTables,
  insertion,
  logicalRow,
  madeRow,
  repeats,
  visible,
  type Logical,
  type LogicalRow,
  type Rows,
} from "../support/walk-rows.js";
import { afterEdit } from "../unit/migrations/support.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
import { withDatabase } from "./support/migrated-database.js";

/** Rows that own code converts are those of `converted-rows.test.ts`: these services have none. */
const ACCEPTED = EDIT_CASES.filter(
  (name) =>
    "migration/steps.txt" in editSections(name) &&
    !editSections(name)["migration/sqlite.sql"]?.includes("-- convert:"),
);

const CASES = ACCEPTED.flatMap((name) => DATABASES.map((database) => ({ name, database })));

const edits = new Map<string, Promise<Edit>>();

/** An edit is the same for both databases. */
function editOf(name: string): Promise<Edit> {
  const edit = edits.get(name) ?? madeEdit(name);
  edits.set(name, edit);
  return edit;
}

type Edit = Awaited<ReturnType<typeof madeEdit>>;

async function madeEdit(name: string) {
  const [before, after] = [editSchemas(name, "before"), editSchemas(name, "after")];
  const { chain, following } = await afterEdit(before, after);
  if (following.kind !== "next") throw new Error("it leads to no migration");
  return {
    ...{ chain, next: following.next },
    ...{ before: await modelOf(before), after: await modelOf(after) },
  };
}

test.each(CASES)(
  "$database: after the edit $name a service's own runner has every row as declared",
  async ({ name, database: dialect }) => {
    const url = await newDatabase(dialect);
    await withDatabase(url, async (database) => tried(await editOf(name), database));
  },
);

/** Fills a database before the edit, migrates it, and looks at every row. */
async function tried({ chain, next, before, after }: Edit, database: Database): Promise<void> {
  const [initial] = chain.migrations;
  const folder = temporaryFolder();
  write(
    folder,
    Object.entries(initial?.texts ?? {}).map(([file, text]) => [
      `${initial?.name ?? ""}/${file}`,
      text,
    ]),
  );
  await applyMigrations(database, pathToFileURL(folder));
  const rows: Rows = new Map();
  await fill(database, before, rows, 1);
  write(
    folder,
    filesOf(next).map(({ path, text }) => [path.replace("migrations/", ""), text ?? ""]),
  );
  await withoutRowsInTheWay(database, next, rows);
  if (database.dialect === "postgres") {
    // Clients of the older release go on while all but the last statements are run.
    await applyMigrations(database, pathToFileURL(folder), { isFinishing: false });
    await fill(database, before, rows, 40);
    await withoutRowsInTheWay(database, next, rows);
  }
  const report = await applyMigrations(database, pathToFileURL(folder));
  expect([report.waiting, report.known]).toEqual([[], 2]);
  const expected = afterSteps(rows, next.file.steps);
  for (const { step, index, model } of withModels(chain.storage, next.file.steps)) {
    if (step.step !== "createTable" || step.table.holds !== "links") continue;
    const { name, foreignKeys } = step.table;
    const owner = model.tables.find((table) => table.name === foreignKeys[0]?.table);
    if (owner === undefined) throw new Error(`${name} was made before its owner`);
    const found = await query(database, `SELECT owner_id, other_id FROM "${name}"`);
    const links = found.map((row) => `${String(row["owner_id"])} ${String(row["other_id"])}`);
    const holders = expected.get(owner.name) ?? [];
    expect(links.sort(), `${name}, step ${index}`).toEqual(linksOf(name, owner, holders));
  }
  // What the edited service writes is written, through every index that it needs.
  await fill(database, after, expected, 80);
  const indexes = wanted(after, database.dialect);
  expect(await indexesOf(database)).toEqual(expect.arrayContaining(indexes));
  for (const table of entityTables(after)) {
    const [key = ""] = table.primaryKey;
    const found = await query(database, `SELECT * FROM "${table.name}" ORDER BY "${key}"`);
    expect(found.map((row) => logicalRow(table, row))).toEqual(
      visible(expected.get(table.name) ?? []),
    );
  }
}

const INDEXES = {
  sqlite: `SELECT "name" FROM sqlite_schema WHERE "type" = 'index'`,
  postgres: `SELECT "indexname" AS "name" FROM pg_indexes WHERE "schemaname" = current_schema()`,
};

async function query(database: Database, sql: string): Promise<readonly SqlRow[]> {
  return plainRows(await database.all(sql, []));
}

async function indexesOf(database: Database): Promise<readonly string[]> {
  return (await query(database, INDEXES[database.dialect])).map(({ name }) => String(name));
}

function wanted({ tables }: StorageModel, database: "sqlite" | "postgres"): string[] {
  const indexes = tables.flatMap((table) => table.indexes);
  return indexes.filter(({ databases }) => databases.includes(database)).map(({ name }) => name);
}

/** What a table of links holds where the rows of its owner are these. */
function linksOf(
  name: string,
  { name: table, columns, primaryKey }: StoredTable,
  rows: readonly LogicalRow[],
): readonly string[] {
  const links = rows.flatMap((row) =>
    columns
      .flatMap((column) => identifiersIn(column, row[column.name] ?? null, column.name))
      .filter(({ path }) => linkName(table, path) === name)
      .map(({ value }) => `${String(row[primaryKey[0] ?? ""])} ${value}`),
  );
  return [...new Set(links)].sort();
}

function identifiersIn(
  { encoding }: HeldValue,
  value: Logical,
  path: string,
): readonly { readonly path: string; readonly value: string }[] {
  const { form, items, members = [] } = encoding;
  if (value === null) return [];
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item) => identifiersIn(items, item, path));
  }
  if (typeof value !== "object") return form === "uuid" ? [{ path, value: String(value) }] : [];
  return members.flatMap((member) =>
    identifiersIn(member, value[member.name] ?? null, `${path}.${member.name}`),
  );
}

async function modelOf(schemas: Texts): Promise<StorageModel> {
  return wantedStorage((await renderValid(schemas)).model).model;
}

function write(folder: string, files: readonly (readonly [string, string])[]): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What has to be referred to before what refers to it. */
function referredFirst(tables: readonly StoredTable[]): readonly StoredTable[] {
  const names = tables.map(({ name }) => name);
  const isFree = ({ name, columns, foreignKeys }: StoredTable): boolean =>
    foreignKeys.every(({ table, column }) => {
      const isNullable = columns.find((one) => one.name === column)?.nullable === true;
      return isNullable || table === name || !names.includes(table);
    });
  const next = tables.find(isFree) ?? tables[0];
  return next === undefined ? [] : [next, ...referredFirst(tables.filter((one) => one !== next))];
}

async function fill(
  database: Database,
  model: StorageModel,
  rows: Rows,
  first: number,
): Promise<void> {
  const insertions: WriteStep[] = [];
  for (const table of referredFirst(entityTables(model))) {
    for (let seed = first; seed < first + 6; seed += 1) {
      const row = madeRow(table, seed, rows);
      if (repeats(table, row, rows)) continue;
      insertions.push({ sql: insertion(table, row, database.dialect), values: [] });
      rows.set(table.name, [...(rows.get(table.name) ?? []), row]);
    }
  }
  await database.write(insertions);
}

/** Deletes what a check finds: other tests look at how it is refused. */
async function withoutRowsInTheWay(
  database: Database,
  { scripts }: NextMigration,
  rows: Rows,
): Promise<void> {
  for (const [, sql = ""] of scripts[database.dialect].matchAll(/^-- check: .*\n([^;]*);/gm)) {
    const [, table = ""] = /FROM "(\w+)"/.exec(sql) ?? [];
    for (const found of await query(database, sql)) {
      const [[key = "", id = ""] = []] = Object.entries(found);
      const deletion = `DELETE FROM "${table}" WHERE "${key}" = '${String(id)}'`;
      await database.write([{ sql: deletion, values: [] }]);
      const kept = (rows.get(table) ?? []).filter((row) => row[key] !== id);
      rows.set(table, kept);
    }
  }
}
