import { expect } from "vitest";
import type { StorageModel } from "#runtime/store/storage-model";
import { dropSteps } from "../../src/migrations/drop-retired.js";
import { NO_CHAIN, type Chain } from "../../src/migrations/chain.js";
import {
  migrationOf,
  nextMigration,
  type NextMigration,
} from "../../src/migrations/next-migration.js";
import type { Wanted } from "../../src/migrations/wanted.js";
import { grown, wantedBy } from "../unit/migrations/support.js";
import { postgresStructure, sqliteStructure } from "./database-structure.js";
import { RowsInTheWay, type ScriptDatabase } from "./run-script.js";
import { FIRST, textsOf, type Edit } from "./schema-walk.js";
import {
  afterSteps,
  entityTables,
  insertion,
  logicalRow,
  madeRow,
  repeats,
  visible,
  type Rows,
} from "./walk-rows.js";

/** A database of each kind, empty; the second pair is for what is made anew. */
export interface Databases {
  readonly sqlite: ScriptDatabase;
  readonly postgres: ScriptDatabase;
}

/** What happened on walks. */
export interface WalkCounts {
  migrations: number;
  refusedBySchema: number;
  refusedByRows: number;
}

const ROWS = 7;

/** Carries out a walk of edits on databases with rows in them, and compares them with each other and with fresh ones. */
export async function walkDatabases(
  walk: readonly { readonly edit: Edit; readonly turn: number }[],
  walked: Databases,
  fresh: Databases,
  counts: WalkCounts,
): Promise<void> {
  let [schemas, chain] = [FIRST, NO_CHAIN];
  let rows: Rows = new Map();
  let last = await wanted(schemas);
  let seed = 1;
  const same: Edit = (schemas) => schemas;
  for (const { edit, turn } of [{ edit: same, turn: 0 }, ...walk]) {
    const edited = edit(schemas, turn);
    const asked = await wantedBy(textsOf(edited));
    if (asked === null) continue;
    const following = nextMigration(chain, asked);
    if (following.kind === "problems") counts.refusedBySchema += 1;
    if (following.kind === "problems") continue;
    if (following.kind === "next") {
      const { next } = following;
      if (!(await migrated(walked, next))) {
        counts.refusedByRows += 1;
        continue;
      }
      counts.migrations += 1;
      chain = grown(chain, next);
      rows = afterSteps(rows, next.file.steps);
    }
    [schemas, last] = [edited, asked];
    await compare(walked, last.model, rows);
    const count = chain.migrations.length === 1 ? ROWS : 1;
    seed = await fill(walked, last.model, rows, { seed, count });
  }
  chain = await dropAll(walked, chain);
  await compare(walked, last.model, rows);
  await compareWithFresh(walked, fresh, last);
}

async function wanted(schemas: typeof FIRST): Promise<Wanted> {
  const found = await wantedBy(textsOf(schemas));
  if (found === null) throw new Error("the first schemas have a mistake");
  return found;
}

/** False where rows stand in the way: the same ones in both. */
async function migrated({ sqlite, postgres }: Databases, next: NextMigration): Promise<boolean> {
  const one = await attempt(() => sqlite.migrate(next.scripts.sqlite));
  const other = await attempt(() => postgres.migrate(next.scripts.postgres));
  expect(other, next.name).toEqual(one);
  return one === null;
}

async function attempt(work: () => Promise<void>): Promise<readonly string[] | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof RowsInTheWay) return [error.what, ...error.identifiers];
    throw error;
  }
}

/** Writes rows of some numbers into every table, as the service of a model does; returns the next number. */
export async function fill(
  { sqlite, postgres }: Databases,
  model: StorageModel,
  rows: Rows,
  { seed: first, count }: { readonly seed: number; readonly count: number },
): Promise<number> {
  let seed = first;
  for (const table of entityTables(model)) {
    for (let number = 0; number < count; number += 1) {
      const row = madeRow(table, seed, rows);
      seed += 1;
      // A reference that has to be there, and leads to a table without rows.
      const isMissing = table.columns.some(({ name, nullable }) => !nullable && row[name] === null);
      if (isMissing || repeats(table, row, rows)) continue;
      await sqlite.all(insertion(table, row, "sqlite"));
      await postgres.all(insertion(table, row, "postgres"));
      rows.set(table.name, [...(rows.get(table.name) ?? []), row]);
      await link({ sqlite, postgres }, model, table.name, row);
    }
  }
  return seed;
}

/** The members of lists of references, in their tables. */
async function link(
  { sqlite, postgres }: Databases,
  { tables }: StorageModel,
  owner: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { name, holds, foreignKeys } of tables) {
    const [own] = foreignKeys;
    if (holds !== "links" || own?.table !== owner) continue;
    const members = new Set(row[name.slice(owner.length + 1)] as readonly string[]);
    for (const member of members) {
      const sql = `INSERT INTO "${name}" VALUES ('${String(row[own.key])}', '${member}')`;
      await sqlite.all(sql);
      await postgres.all(sql);
    }
  }
}

/** Both databases hold what the rows have become by the declared meaning of each step. */
export async function compare(
  { sqlite, postgres }: Databases,
  model: StorageModel,
  rows: Rows,
): Promise<void> {
  for (const table of entityTables(model)) {
    const sql = `SELECT * FROM "${table.name}" ORDER BY "${table.primaryKey[0]}"`;
    const expected = visible(rows.get(table.name) ?? []).toSorted((a, b) =>
      String(a[table.primaryKey[0] ?? ""]) < String(b[table.primaryKey[0] ?? ""]) ? -1 : 1,
    );
    const ofSqlite = (await sqlite.all(sql)).map((row) => logicalRow(table, row));
    const ofPostgres = (await postgres.all(sql)).map((row) => logicalRow(table, row));
    expect(ofSqlite, `SQLite: ${table.name}`).toEqual(expected);
    expect(ofPostgres, `PostgreSQL: ${table.name}`).toEqual(expected);
  }
  for (const { name, holds, foreignKeys } of model.tables) {
    const [own] = foreignKeys;
    if (holds !== "links" || own === undefined) continue;
    const list = name.slice(own.table.length + 1);
    const expected = (rows.get(own.table) ?? []).flatMap((row) =>
      [...new Set(row[list] as readonly string[])].map(
        (member) => `${String(row[own.key])} ${member}`,
      ),
    );
    const sql = `SELECT owner_id || ' ' || other_id AS "pair" FROM "${name}"`;
    for (const database of [sqlite, postgres]) {
      const found = (await database.all(sql)).map(({ pair }) => String(pair)).sort();
      expect(found, name).toEqual(expected.sort());
    }
  }
}

/** Drops all that is retired. */
export async function dropAll(walked: Databases, chain: Chain): Promise<Chain> {
  const steps = dropSteps(chain.storage);
  if (steps.length === 0) return chain;
  const next = migrationOf(chain, steps);
  expect(await migrated(walked, next)).toBe(true);
  return grown(chain, next);
}

/** What migrations have led to is what a first migration makes of the same schemas. */
export async function compareWithFresh(
  walked: Databases,
  fresh: Databases,
  last: Wanted,
): Promise<void> {
  const initial = nextMigration(NO_CHAIN, last);
  if (initial.kind !== "next") throw new Error("there is no first migration");
  await fresh.sqlite.migrate(initial.next.scripts.sqlite);
  await fresh.postgres.migrate(initial.next.scripts.postgres);
  expect(await sqliteStructure(walked.sqlite)).toEqual(await sqliteStructure(fresh.sqlite));
  expect(await postgresStructure(walked.postgres)).toEqual(await postgresStructure(fresh.postgres));
}
