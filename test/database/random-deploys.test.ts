import fc from "fast-check";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { pause } from "../contract/support/process-tests.js";
import { cases } from "../support/thorough.js";
import { renderFiles } from "../support/render-files.js";
import { edits, FIRST, textsOf, type Schemas, type Yaml } from "../support/schema-walk.js";
import { serviceFolder } from "../support/service-folders.js";
import { bodyOf, shownOf } from "./support/deploy-bodies.js";
import { migrate } from "./support/migrated-database.js";
import { compiled, DATABASES, newDatabase, type OrderService } from "./support/order-services.js";
import { killedStart, releaseProcess } from "./support/release-process.js";

/** How many edits are deployed; `DEPLOYS=100` for more. */
const DEPLOYS = Number(process.env["DEPLOYS"] ?? cases({ usual: 4, long: 20 }));
const SEED = Number(process.env["DEPLOYS_SEED"] ?? 20_261_123);
/** How often the older release is not waited for: an odd number takes both databases. */
const FINISHED_EVERY = 5;
/** How often both releases are processes that are killed: an odd number takes both databases. */
const KILLED_EVERY = 5;
/** Within this time from the beginning of a deploy; a process listens after about a third of it. */
const KILLED_MILLISECONDS = 2500;
const SEEDS = [1, 2];
const RIGHT = [200, 201, 400, 404, 409, 503];

/** A release, and the schemas that it was generated from. */
interface Release {
  readonly schemas: Schemas;
  readonly service: OrderService;
  /** Its folder. */
  readonly name: string;
  readonly migrations: URL;
}

/** A release that serves. */
interface Running extends Release {
  readonly base: string;
  /** Stops it, or kills its process. */
  readonly end: () => Promise<void>;
}

/** An entity that a release has made: of a resource, from a number. */
interface Made {
  readonly resource: string;
  readonly seed: number;
  readonly identifier: string;
  readonly shown: Yaml;
}

const counts = { deployed: 0, waited: 0, finished: 0, compared: 0, refused: 0 };
const killed = { starts: 0, again: 0 };
const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), {
  numRuns: DEPLOYS * 20,
  seed: SEED,
});

test("random edits are deployed while both releases write: no value is changed, and each answers right or 503", async () => {
  const walk = fc.sample(edits, { numRuns: DEPLOYS * 3, seed: SEED });
  let last = await release(FIRST, null);
  if (last === null) throw new Error("the first schemas have a mistake");
  const urls = await Promise.all(DATABASES.map(async (database) => newDatabase(database)));
  for (const url of urls) await (await start(last, url, 0)).end();
  for (const { edit, turn } of walk) {
    if (counts.deployed === DEPLOYS * urls.length) break;
    const next = await release(edit(last.schemas, turn), last);
    if (next === null) continue;
    const outcomes = [];
    for (const url of urls) outcomes.push(await deploy(last, next, url));
    expect(new Set(outcomes).size).toBe(1);
    if (outcomes[0] === "deployed") last = next;
    else counts.refused += 1;
  }
  expect(counts.compared).toBeGreaterThan(DEPLOYS * 4);
  expect(counts.waited).toBeGreaterThan(DEPLOYS / 10);
  expect(counts.finished).toBeGreaterThan(0);
  expect(killed.starts).toBeGreaterThan(0);
  expect(killed.again).toBeGreaterThan(0);
}, 3_600_000);

let generated = 0;

/** Null where the schemas have a mistake, or the edit asks for no migration. */
async function release(schemas: Schemas, before: Release | null): Promise<Release | null> {
  const project = await renderFiles({ ...textsOf(schemas), ...before?.service.migrations });
  if (!project.ok) return null;
  generated += 1;
  const name = `deploy-${generated}`;
  const service = await compiled(name, project.value);
  const isSame =
    Object.keys(service.migrations).length === Object.keys(before?.service.migrations ?? {}).length;
  if (isSame) return null;
  const migrations = pathToFileURL(`${serviceFolder(`storage/${name}`)}/migrations/`);
  return { schemas, service, name: `storage/${name}`, migrations };
}

async function start(release: Release, databaseUrl: string, seconds: number): Promise<Running> {
  const { createService, registry } = release.service;
  const running = await createService(registry, { databaseUrl, migrateWaitSeconds: seconds });
  return { ...release, base: await running.listen(), end: async () => running.close() };
}

/** In a process of its own, which ends by `kill -9`. */
async function startApart(release: Release, databaseUrl: string): Promise<Running> {
  const { base, kill } = await releaseProcess(release.name, databaseUrl);
  return { ...release, base, end: kill };
}

/** Some time of a deploy. */
function moment(): number {
  return (random.pop() ?? 0.5) * KILLED_MILLISECONDS;
}

/** Kills the older release at some moment, and starts it again: what it makes then, unless it is refused. */
async function killedAndAgain(old: Running, url: string): Promise<readonly Made[]> {
  await pause(moment());
  await old.end();
  let again: Running;
  try {
    again = await start(old, url, 0);
  } catch (error) {
    expect(String(error)).toMatch(/^(?:StartRefusal|ReleaseRetired): /);
    return [];
  }
  const made = await makeAll(again);
  await readAll(again, made, RIGHT);
  await again.end();
  killed.again += 1;
  return made;
}

/** The older release serves, and the newer one is started: refused, next to it, after it, or by `--finish`. */
async function deploy(older: Release, newer: Release, url: string) {
  const isKilled = (counts.deployed + counts.refused) % KILLED_EVERY === 0;
  const old = isKilled ? await startApart(older, url) : await start(older, url, 0);
  const alone = await makeAll(old);
  const during: Made[] = [];
  let isOver = false;
  const writing = (async () => {
    while (!isOver) during.push(...(await makeAll(old)));
  })();
  writing.catch(() => undefined);
  const again = isKilled ? killedAndAgain(old, url) : Promise.resolve([]);
  again.catch(() => undefined);
  let now: Running;
  try {
    if (isKilled) killed.starts += Number(await killedStart(newer.name, url, moment()));
    now = await switched(old, newer, url);
  } catch (error) {
    isOver = true;
    await writing;
    await again;
    await old.end();
    // Rows violate the migration: the older release goes on.
    expect(String(error)).toMatch(/cannot be applied|could not be applied|stopped at statement/);
    return "refused";
  }
  const beside = await makeAll(now);
  isOver = true;
  await writing;
  during.push(...(await again));
  await readAll(old, during, RIGHT);
  await old.end();
  await compare(now, alone, during);
  await readAll(now, beside, [200]);
  await now.end();
  counts.deployed += 1;
  return "deployed";
}

async function switched(old: Running, newer: Release, url: string): Promise<Running> {
  try {
    return await start(newer, url, 0);
  } catch (error) {
    if (!String(error).includes("cannot be finished")) throw error;
  }
  if ((counts.waited + counts.finished) % FINISHED_EVERY === 1) {
    counts.finished += 1;
    await migrate(url, newer.migrations);
    return start(newer, url, 0);
  }
  counts.waited += 1;
  const starting = start(newer, url, 30);
  starting.catch(() => undefined);
  await pause(300);
  await old.end();
  return starting;
}

/** One entity of each resource and number; those that are refused are left out. */
async function makeAll(at: Running): Promise<readonly Made[]> {
  const known = new Map<string, string>();
  const made: Made[] = [];
  for (const resource of Object.keys(at.schemas)) {
    for (const seed of SEEDS) {
      const body = bodyOf(at.schemas, resource, seed, known);
      const answer = await send(`${at.base}/api/v1/${resource}`, { method: "POST", body });
      if (answer === null) {
        // It has ended: others need the processor.
        await pause(20);
        return made;
      }
      expect(RIGHT, `${resource} ${answer.text}`).toContain(answer.status);
      if (answer.status !== 201) continue;
      const json = JSON.parse(answer.text) as Yaml;
      const identifier = String(json[`${String(at.schemas[resource]?.["entity"])}Id`]);
      known.set(resource, identifier);
      made.push({ resource, seed, identifier, shown: shownOf(at.schemas, resource, json) });
    }
  }
  return made;
}

/** Whoever has made an entity shows it as it was made. */
async function readAll(
  at: Running,
  made: readonly Made[],
  right: readonly number[],
): Promise<void> {
  for (const { resource, identifier, shown } of made) {
    const answer = await send(`${at.base}/api/v1/${resource}/${identifier}`);
    if (answer === null) return;
    expect(right, answer.text).toContain(answer.status);
    expect(answer.text).not.toContain("undefined");
    if (answer.status !== 200) continue;
    expect(shownOf(at.schemas, resource, JSON.parse(answer.text) as Yaml)).toEqual(shown);
  }
}

/** What was made during a migration is what it would be had it been made before, from the same body. */
async function compare(
  now: Running,
  alone: readonly Made[],
  during: readonly Made[],
): Promise<void> {
  for (const { resource, seed, identifier } of during) {
    const before = alone.find((one) => one.resource === resource && one.seed === seed);
    if (before === undefined || now.schemas[resource] === undefined) continue;
    const url = `${now.base}/api/v1/${resource}`;
    const [want, got] = [
      await send(`${url}/${before.identifier}`),
      await send(`${url}/${identifier}`),
    ];
    expect([want?.status, got?.status]).toEqual([200, 200]);
    const [one, other] = [want, got].map((answer) =>
      withoutReferences(shownOf(now.schemas, resource, JSON.parse(answer?.text ?? "") as Yaml)),
    );
    expect(other).toEqual(one);
    counts.compared += 1;
  }
}

/** Each round refers to customers of its own. */
function withoutReferences(shown: Yaml): unknown {
  return JSON.parse(JSON.stringify(shown).replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"id"'));
}

/** Null where nobody listens any more. */
async function send(
  url: string,
  { method = "GET", body }: { readonly method?: string; readonly body?: Yaml } = {},
): Promise<{ readonly status: number; readonly text: string } | null> {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  try {
    const answer = await fetch(url, { method, ...sent });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
