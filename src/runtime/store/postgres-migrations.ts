import type { Migrator } from "./migrator.js";
import { makeHistory } from "./postgres-history.js";
import { whileLocked } from "./postgres-migration-lock.js";
import { PostgresMigrator } from "./postgres-migrator.js";
import type { PostgresClient } from "./postgres-module.js";

/** A statement on a large table takes as long as it takes, whatever the server's settings are. */
const NO_TIMES =
  "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0";

/** Does what changes the schema, over a connection of its own. `open` gives one that nobody else uses. */
export async function migratePostgres<T>(
  open: () => PostgresClient,
  work: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  const client = open();
  await client.connect();
  try {
    await client.query({ text: NO_TIMES });
    await makeHistory(client);
    return await whileLocked(client, open, () => work(new PostgresMigrator(client)));
  } finally {
    await client.end();
  }
}
