import { join } from "node:path";
import { connectSqlite, type SqliteConnection } from "#runtime/store/sqlite/module";
import type { Client, JsonObject } from "../../contract/support/client.js";
import { pause } from "../../contract/support/process-tests.js";
import { CONVOYS } from "../../contract/support/convoys.js";

/** Where a service that runs in a folder keeps its entities. */
export function databaseFile(folder: string): string {
  return join(folder, "data/workshop.db");
}

/** Another connection to the database of a service, as another process has one. */
export async function otherConnection(folder: string): Promise<SqliteConnection> {
  const connection = await connectSqlite(databaseFile(folder));
  connection.exec(
    "PRAGMA busy_timeout = 10000; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000",
  );
  return connection;
}

/** A convoy with as many wagons as no client would send one by one. */
export async function longConvoy(
  client: Client,
  folder: string,
  wagons: number,
): Promise<JsonObject> {
  const convoy = await client.create(CONVOYS, { name: "ore" });
  const connection = await otherConnection(folder);
  connection
    .prepare(
      `INSERT INTO "wagons"
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       SELECT printf('019a0000-%04x-7000-8000-%012x', n >> 16, n),
         'wagon ' || (n % 1000), ?, CASE n % 2 WHEN 0 THEN 'parked' ELSE 'lost' END, NULL,
         '2026-01-15T10:30:00.000Z', '00000000-0000-4000-8000-000000000000', 'anonymous',
         '2026-01-15T10:30:00.000Z', '00000000-0000-4000-8000-000000000000', 'anonymous', 1
       FROM numbers`,
    )
    .run(wagons, String(convoy["convoyId"]));
  connection.close();
  // The service looks at the size of a table now and then.
  await pause(1100);
  return convoy;
}

/** How long other clients wait while something goes on, in milliseconds, ascending. */
export async function waitsDuring(
  work: Promise<unknown>,
  request: () => Promise<unknown>,
): Promise<readonly number[]> {
  let isDone = false;
  const finished = work.finally(() => (isDone = true));
  const waits: number[] = [];
  while (!isDone) {
    const began = performance.now();
    await request();
    waits.push(performance.now() - began);
    await pause(2);
  }
  await finished;
  return waits.sort((left, right) => left - right);
}

/** The wait that one in a hundred is longer than. */
export function percentile99(sorted: readonly number[]): number {
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
