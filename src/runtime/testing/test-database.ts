import { randomUUID } from "node:crypto";

import { isPostgresUrl } from "../store/open-database.js";
import { loadPostgres } from "../store/postgres/client.js";

/** An empty database of a test. */
export interface TestDatabase {
  /** What `createService` takes as `databaseUrl`. */
  readonly url: string;
  /** To be called when the service is closed. */
  remove(): Promise<void>;
}

/**
 * SQLite in memory; a schema of its own in the PostgreSQL database that TEST_DATABASE_URL names, if it does. Rejects
 * when that server cannot be reached, or does not let the role make schemas.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env["TEST_DATABASE_URL"] ?? "";
  if (server === "") return { url: "sqlite::memory:", remove: async () => undefined };
  if (!isPostgresUrl(server)) {
    throw new Error("TEST_DATABASE_URL is not of the form postgres://user:password@host:port/name");
  }
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.searchParams.set("options", `-csearch_path=${schema}`);
  await run(server, `CREATE SCHEMA ${schema}`);
  return { url: url.href, remove: () => run(server, `DROP SCHEMA ${schema} CASCADE`) };
}

async function run(url: string, text: string): Promise<void> {
  const { Client } = loadPostgres();
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    await client.query({ text });
  } finally {
    await client.end();
  }
}
