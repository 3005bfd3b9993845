import { StartRefusal } from "../base/errors.js";
import type { Database, ServingProcess } from "./database.js";
import type { Migration } from "./migration.js";

const LOOK_MILLISECONDS = 500;

/** Waits until no process of an older release serves; throws `StartRefusal` when the time is over. */
export async function olderStopped(
  database: Pick<Database, "serving">,
  migrations: readonly string[],
  seconds: number,
): Promise<void> {
  const last = performance.now() + seconds * 1000;
  for (;;) {
    const older = await database.serving();
    if (older.length === 0) return;
    if (performance.now() >= last) throw stillServing(older, migrations, seconds);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
}

/** `0001-initial on web-1 (process 42)` */
export function namesOf(older: readonly ServingProcess[]): string {
  return older
    .map(({ release, host, process }) => `${release} on ${host} (process ${process})`)
    .join(", ");
}

/** What a database records of a release that serves: the name of its last migration. */
export function releaseName(migrations: readonly Migration[]): string {
  return migrations.at(-1)?.name ?? "no migration";
}

function stillServing(
  older: readonly ServingProcess[],
  migrations: readonly string[],
  seconds: number,
): StartRefusal {
  const what = migrations.length === 1 ? "Migration" : "Migrations";
  return new StartRefusal(
    `${what} ${migrations.join(", ")} cannot be finished: an older release that could not live with it has gone on serving for ${seconds} s (${namesOf(older)}). ` +
      'Stop it, then start this one again; or run "npm run migrate -- --finish", and it answers 503 from then on.',
  );
}
