import { StartRefusal } from "../base/errors.js";
import { formatTimestamp } from "../base/time.js";
import type { EventFailure, EventWork } from "../http/settings.js";
import { createApp, type App } from "./app.js";
import { readEnvironment } from "./environment.js";

const USAGE = `npm run events -- list               lists the events that were given up, with the reason.
npm run events -- retry [id ...]     delivers them now; all of them, or those with these ids.
npm run events -- drop <id ...>      deletes them; --all deletes all of them.`;

/** Lists, retries or deletes the events whose delivery was given up (EVT-1). The exit code is 1 if a retry fails. */
export async function events<Provided extends object, OwnContext extends object>(
  app: App<Provided, OwnContext>,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const read = readEnvironment(environment, app.registry.settings.service);
    const running = await createApp(app, { ...read, environment });
    try {
      if (running.events === null) throw new StartRefusal("No resource of the service has events.");
      await carryOut(running.events, given);
    } finally {
      await running.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function carryOut(work: EventWork, [command, ...ids]: readonly string[]): Promise<void> {
  const known = await work.failures();
  const isAll = ids.length === 0 ? command !== "drop" : ids.includes("--all");
  const unknown = isAll ? [] : ids.filter((id) => !known.some((one) => one.id === id));
  if (unknown.length > 0) throw new StartRefusal(`No event was given up with ${unknown.join()}.`);
  const chosen = isAll ? known : known.filter(({ id }) => ids.includes(id));
  if (command === "list") return print(known);
  if (command === "retry") return retry(work, chosen);
  if (command !== "drop" || (ids.length === 0 && !isAll)) throw new StartRefusal(USAGE);
  for (const failure of chosen) await work.drop(failure);
  process.stdout.write(`${chosen.length} events were deleted.\n`);
}

function print(failures: readonly EventFailure[]): void {
  for (const failure of failures) {
    const { id, sink, type, entityId, failed, reason } = failure;
    const when = formatTimestamp(failed);
    process.stdout.write(`${when}  ${id}  ${type} ${entityId}  ${sink}: ${reason}\n`);
  }
  process.stdout.write(`${failures.length} events were given up.\n`);
}

async function retry(work: EventWork, failures: readonly EventFailure[]): Promise<void> {
  let delivered = 0;
  for (const failure of failures) {
    const reason = await work.retry(failure);
    if (reason === null) delivered += 1;
    else process.stdout.write(`${failure.id}  ${failure.sink}: ${reason}\n`);
  }
  process.stdout.write(`${delivered} of ${failures.length} events were delivered.\n`);
  if (delivered < failures.length) process.exitCode = 1;
}
