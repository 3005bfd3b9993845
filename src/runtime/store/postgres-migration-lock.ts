import { randomUUID } from "node:crypto";

import { sqlState } from "./postgres-errors.js";
import type { PostgresClient } from "./postgres-module.js";
import { pause } from "./postgres-transaction.js";

/** How often whoever migrates says that it is still there. */
const RENEWAL_MILLISECONDS = 3000;
/** Whoever has said nothing for so long is gone. */
const SILENT_SECONDS = 15;
const LONGEST_PAUSE_MILLISECONDS = 500;
const NO_SUCH_FUNCTION = "42883";
/** Beside the keys of others in the same database. */
const KEY = `726511000000000 + CAST(CAST(CAST('"schema_lock"' AS regclass) AS oid) AS BIGINT)`;
const LOCK = `SELECT pg_try_advisory_lock(${KEY}) AS locked`;
const UNLOCK = `SELECT pg_advisory_unlock(${KEY})`;
/**
 * A row that nobody holds, or whose holder is gone: it is silent, or its connection has lost the advisory lock that this
 * one now has. Behind a pooler both can have the same connection, which proves nothing.
 */
const TAKE = `INSERT INTO "schema_lock" AS held ("id", "holder", "backend", "renewed_date")
  VALUES (1, $1, pg_backend_pid(), clock_timestamp())
  ON CONFLICT ("id") DO UPDATE
  SET "holder" = excluded."holder", "backend" = excluded."backend", "renewed_date" = excluded."renewed_date"
  WHERE held."renewed_date" < clock_timestamp() - interval '${SILENT_SECONDS} seconds'
    OR (CAST($2 AS BIGINT) = 1 AND held."backend" <> excluded."backend")`;
const RENEW = `UPDATE "schema_lock" SET "renewed_date" = clock_timestamp() WHERE "holder" = $1`;
const LET_GO = `DELETE FROM "schema_lock" WHERE "holder" = $1`;

/**
 * Does its work while no other process migrates: an advisory lock of the connection, which is free as soon as its process
 * has died, and a row for servers and poolers where there is none to rely on. Waits as long as another one goes on.
 */
export async function whileLocked<T>(
  client: PostgresClient,
  open: () => PostgresClient,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const isLocked = await take(client, holder);
  const renewal = new Renewal(open, holder);
  try {
    return await work();
  } finally {
    await renewal.end();
    await client.query({ text: LET_GO, values: [holder] }).catch(() => undefined);
    if (isLocked) await client.query({ text: UNLOCK }).catch(() => undefined);
  }
}

/** True where it has the advisory lock as well. */
async function take(client: PostgresClient, holder: string): Promise<boolean> {
  for (;;) {
    const isLocked = await tryLock(client);
    const values = [holder, isLocked ? 1 : 0];
    const { rowCount } = await client.query({ text: TAKE, values });
    if (rowCount === 1) return isLocked;
    if (isLocked) await client.query({ text: UNLOCK });
    await pause(Math.random() * LONGEST_PAUSE_MILLISECONDS);
  }
}

async function tryLock(client: PostgresClient): Promise<boolean> {
  try {
    const { rows } = await client.query({ text: LOCK });
    return rows[0]?.["locked"] === 1;
  } catch (error) {
    if (sqlState(error) === NO_SUCH_FUNCTION) return false;
    throw error;
  }
}

/** Renews the row from a connection of its own: the other one may be busy for long. */
class Renewal {
  private client: Promise<PostgresClient> | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly open: () => PostgresClient,
    private readonly holder: string,
  ) {
    // Whoever takes the row over sees by its progress what is done: a renewal that fails does no harm.
    this.timer = setInterval(() => void this.renew().catch(() => undefined), RENEWAL_MILLISECONDS);
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    const client = await this.client?.catch(() => null);
    await client?.end();
  }

  private async renew(): Promise<void> {
    this.client ??= this.connect();
    const client = await this.client;
    await client.query({ text: RENEW, values: [this.holder] });
  }

  private async connect(): Promise<PostgresClient> {
    const client = this.open();
    await client.connect();
    return client;
  }
}
