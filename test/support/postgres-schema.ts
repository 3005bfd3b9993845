import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** A number that nothing else of these tests locks. */
const SCHEMA_LOCK = 7_146_021;

/** The URL of a schema of its own in a server's database: as good as a database, and made in a millisecond. */
export function schemaUrl(
  serverUrl: string,
  schema = `t${randomUUID().replaceAll("-", "")}`,
): string {
  return `${serverUrl}&options=${encodeURIComponent(`-csearch_path=${schema}`)}`;
}

/** Makes the schema that a URL of `schemaUrl` names, unless it is there; other URLs name none. */
export async function makeSchema(url: string): Promise<void> {
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1];
  if (schema === undefined) return;
  // Two that look at once would both make it, and IF NOT EXISTS fails for the second.
  const lock = `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`;
  await query(url, `${lock}; CREATE SCHEMA IF NOT EXISTS "${schema}"`);
}

/** One statement of a test, on a connection of its own. */
export async function query(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
