import { randomUUID } from "node:crypto";

import type { Migration } from "./migration.js";
import { readMigrations } from "./migration-folder.js";
import { migrationState } from "./migration-state.js";
import { applyMigrations, type MigrationOptions, type MigrationReport } from "./migrations.js";
import { HISTORY_TABLES, makeHistory } from "./postgres-history.js";
import { PostgresMigrator } from "./postgres-migrator.js";
import type { PostgresClient } from "./postgres-module.js";
import { connectPostgres, type PostgresOptions } from "./postgres-client.js";

const OWN_SCHEMA = `SELECT quote_ident(current_schema()) AS "name"`;
/** Columns that both schemas have, of tables that both have. */
const SHARED_COLUMNS = `SELECT quote_ident(copied.table_name) AS "table", string_agg(quote_ident(copied.column_name), ', ') AS "columns"
  FROM information_schema.columns AS copied JOIN information_schema.columns AS original USING (table_name, column_name)
  WHERE copied.table_schema = current_schema() AND quote_ident(original.table_schema) = $1
    AND original.is_generated = 'NEVER' AND NOT (CAST(copied.table_name AS TEXT) = ANY (CAST($2 AS TEXT[])))
  GROUP BY copied.table_name ORDER BY copied.table_name`;
const FOREIGN_KEYS = `SELECT quote_ident(c.relname) AS "table", quote_ident(k.conname) AS "key"
  FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND k.contype = 'f'`;

/** Applies migrations to a copy of the tables in a schema of its own, which goes again. Throws `StartRefusal`. */
export async function rehearsePostgres(
  options: PostgresOptions,
  folder: URL,
  migrating: MigrationOptions,
): Promise<MigrationReport> {
  const client = await connectPostgres(options);
  const schema = `rehearsal_${randomUUID().replaceAll("-", "")}`;
  try {
    const migrations = await readMigrations(folder, "postgres");
    const { applied } = migrationState(migrations, await new PostgresMigrator(client).history());
    const original = String((await client.query({ text: OWN_SCHEMA })).rows[0]?.["name"]);
    await client.query({ text: `CREATE SCHEMA ${schema}` });
    await client.query({ text: `SET search_path TO ${schema}` });
    await makeTables(
      client,
      applied.map(({ migration }) => migration),
    );
    await copyRows(client, original);
    return await applyMigrations(asDatabase(client, options.name), folder, migrating);
  } finally {
    // It is not there where its making was refused.
    await client.query({ text: `DROP SCHEMA IF EXISTS ${schema} CASCADE` }).catch(() => undefined);
    await client.end();
  }
}

function asDatabase(client: PostgresClient, name: string): Parameters<typeof applyMigrations>[0] {
  const migrator = new PostgresMigrator(client);
  return {
    dialect: "postgres",
    name,
    history: () => migrator.history(),
    migrating: (_schema, work) => work(migrator),
    serve: async () => undefined,
    serving: async () => [],
  };
}

/** As the migrations have made them, with the names that later ones ask for. */
async function makeTables(client: PostgresClient, applied: readonly Migration[]): Promise<void> {
  await makeHistory(client);
  const migrator = new PostgresMigrator(client);
  for (const migration of applied) {
    await migrator.run(migration, { isFinishing: true, tell: () => undefined });
  }
}

async function copyRows(client: PostgresClient, original: string): Promise<void> {
  const values = [original, `{${HISTORY_TABLES.join(",")}}`];
  const { rows: tables } = await client.query({ text: SHARED_COLUMNS, values });
  const keys = (await client.query({ text: FOREIGN_KEYS })).rows;
  // Tables refer to each other: their keys are checked when all rows are there.
  await alterKeys(client, keys, "DEFERRABLE INITIALLY DEFERRED");
  await client.query({ text: "BEGIN" });
  // Migrations that were written by hand may have made rows.
  for (const { table } of tables) await client.query({ text: `TRUNCATE ${table} CASCADE` });
  for (const { table, columns } of tables) {
    const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${original}.${table}`;
    await client.query({ text });
  }
  await client.query({ text: "COMMIT" });
  await alterKeys(client, keys, "NOT DEFERRABLE");
  for (const { table } of tables) await client.query({ text: `ANALYZE ${table}` });
}

async function alterKeys(
  client: PostgresClient,
  keys: readonly Readonly<Record<string, unknown>>[],
  how: string,
): Promise<void> {
  for (const { table, key } of keys) {
    await client.query({
      text: `ALTER TABLE ${String(table)} ALTER CONSTRAINT ${String(key)} ${how}`,
    });
  }
}
