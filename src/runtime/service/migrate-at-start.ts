import type { FastifyBaseLogger } from "fastify";

import type { ServiceRegistry } from "../http/settings.js";
import type { Database } from "../store/database.js";
import { laterMigrations } from "../store/migrations/folder.js";
import { applyMigrations } from "../store/migrations/migrations.js";
import { processNames } from "../store/releases.js";

const WAIT_SECONDS = 30;

const BEGUN =
  "a newer release has migrated the database, or has begun to: this one can live with what was done so far";

const LOCKED =
  "a migration waits for another process that keeps the database locked: for 5 minutes, then this start is refused";

const LATER =
  'migrations that were made after this release was built are ignored: "npm run build" makes a release that has them';

/** What the environment decides about it. */
interface MigrateAtStartOptions {
  readonly migrateAtStart?: boolean;
  readonly migrateWaitSeconds?: number;
}

/** Applies what the database lacks, and records that this process serves; returns how many migrations there are. Throws `StartRefusal`. */
export async function migrateAtStart(
  database: Database,
  { migrations: folder, convert }: Pick<ServiceRegistry, "migrations" | "convert">,
  { migrateAtStart: isApplying = true, migrateWaitSeconds = WAIT_SECONDS }: MigrateAtStartOptions,
  log: FastifyBaseLogger,
): Promise<number> {
  const later = await laterMigrations(folder);
  if (later.length > 0) log.warn({ migrations: later }, LATER);
  const { applied, begun, known } = await applyMigrations(database, folder, {
    isApplying,
    isServing: true,
    waitSeconds: migrateWaitSeconds,
    onWait: (older) =>
      log.warn({ older: processNames(older) }, "a migration waits for an older release to stop"),
    onLocked: () => log.warn({ database: database.name }, LOCKED),
    convert: convert ?? null,
    tell: (event) => log.debug(event, "a statement of a migration was run"),
  });
  if (applied.length > 0) log.info({ applied }, "migrations applied");
  if (begun.length > 0) log.warn({ begun }, BEGUN);
  return known;
}
