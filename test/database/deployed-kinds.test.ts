import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pause } from "../contract/support/process-tests.js";
import { SeenIdentifiers } from "../contract/support/document-requests.js";
import { CHANGE_FIXTURES, fixtureProject } from "../support/change-fixtures.js";
import { renderFiles, renderValid, type Texts } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
import { ReleaseCaller, releaseOf, type Release } from "./support/release-caller.js";
import { killedStart, releaseProcess } from "./support/release-process.js";

// Each kind of edit of docs/changes.md is deployed while both releases read and write: each answer is one that a release
// describes, or 503, and what is stored is what it would be had the newer release come after the older one.

/** `DEPLOYED_EVERY=1` for all kinds in all ways; 47 has one for each outcome. */
const EVERY = Number(process.env["DEPLOYED_EVERY"] ?? cases({ usual: 47, long: 3 }));
const FIRST = 10;
/** A start is killed within this time; a process listens after about a third of it. */
const KILLED_MILLISECONDS = 2000;

/** What becomes of the older release. */
const WAYS = ["it stops", "it is killed", "it is held up"] as const;
type Way = (typeof WAYS)[number];

/** What `generate` makes of an edit. */
type Outcome = "both serve" | "it waits" | "nothing stored changes" | "it is refused";

/** A release that serves. */
interface Running {
  readonly caller: ReleaseCaller;
  readonly end: () => Promise<void>;
  readonly signal?: (name: "SIGSTOP" | "SIGCONT") => void;
}

/** One deploy, and all that it has to do with. */
interface Deploy {
  readonly older: Release;
  readonly newer: Release;
  readonly url: string;
}

const TABLE = readFileSync("docs/reliability.md", "utf8");

/** What `generate` asks for besides an edit, where there is such a thing. */
const ASKED: Readonly<Record<string, { readonly resources?: string; readonly code?: Texts }>> = {
  "property-removed": { resources: "removed: { note: nobody reads it }\n" },
  "property-converted": {
    code: {
      "src/custom/conversions/tickets-v1-to-v2.ts": `export const ticketsV1ToV2 = {
        toNewer: ({ minutes }) => ({
          hour: minutes === null ? null : Math.floor(minutes / 60),
          minute: minutes === null ? null : minutes % 60,
        }),
        toOlder: ({ hour, minute }) => ({
          minutes: hour === null || minute === null ? null : hour * 60 + minute,
        }),
      };`,
    },
  },
};

const KINDS = CHANGE_FIXTURES.filter((_, index) => index % EVERY === FIRST % EVERY);

const DEPLOYS = KINDS.flatMap((kind) => DATABASES.map((database) => ({ kind, database }))).map(
  (one, turn) => ({ ...one, turn }),
);

// Most of the time goes by in waiting for releases that were killed.
test.concurrent.each(DEPLOYS)(
  "$database: $kind is deployed while both releases read and write",
  async ({ kind, database, turn }) => {
    const releases = await releasesOf(kind);
    if (releases === null) return expectTold(kind, "it is refused");
    const ways = EVERY === 1 ? WAYS : WAYS.slice(turn % WAYS.length, (turn % WAYS.length) + 1);
    for (const way of releases.isSame ? WAYS.slice(0, 1) : ways) {
      const waited = await deployed({ ...releases, url: await newDatabase(database) }, way);
      const outcome = waited ? "it waits" : "both serve";
      expectTold(kind, releases.isSame ? "nothing stored changes" : outcome);
    }
  },
  600_000,
);

const generated = new Map<string, ReturnType<typeof generate>>();

/** Generated once for both databases. */
function releasesOf(kind: string): ReturnType<typeof generate> {
  const found = generated.get(kind) ?? generate(kind);
  generated.set(kind, found);
  return found;
}

/** Null where `generate` refuses the edit: it asks for something more. */
async function generate(
  kind: string,
): Promise<(Omit<Deploy, "url"> & { readonly isSame: boolean }) | null> {
  const older = await releaseOf(
    `kind-${kind}-before`,
    await renderValid(fixtureProject(kind, "before")),
  );
  const { resources = "", code = {} } = ASKED[kind] ?? {};
  const edited = Object.entries(fixtureProject(kind, "after")).map(
    ([path, text]) => [path, path.endsWith("/tickets.yaml") ? text + resources : text] as const,
  );
  const after = await renderFiles({ ...Object.fromEntries(edited), ...older.service.migrations });
  if (!after.ok) return null;
  const newer = await releaseOf(`kind-${kind}-after`, after.value, code);
  return { older, newer, isSame: after.value.migration === null };
}

/** docs/reliability.md lists the kinds by outcome. */
function expectTold(kind: string, outcome: Outcome): void {
  const row = TABLE.split("\n").find((line) => line.includes(`\`${kind}\``));
  expect(row ?? `| ${kind} is not listed |`).toMatch(new RegExp(`^\\| ${outcome} \\|`));
}

/** True where the newer release waits for the older one. */
async function deployed(deploy: Deploy, way: Way): Promise<boolean> {
  let old = way === "it stops" ? await start(deploy, "older") : await startApart(deploy);
  const alone = await old.caller.readAll(await old.caller.changeAll(await old.caller.makeAll()));
  const open = await old.caller.makeAll();
  if (way === "it is held up") old.signal?.("SIGSTOP");
  if (way === "it is killed") {
    const killing = pause(moment()).then(async () => old.end());
    await killedStart(deploy.newer.name, deploy.url, moment());
    await killing;
    old = (await startedAgain(deploy)) ?? old;
  }
  let now = await startedBeside(deploy);
  const isWaiting = now === null;
  if (way === "it is held up") {
    now ??= await start(deploy, "newer", 30);
    old.signal?.("SIGCONT");
  }
  const during = await old.caller.changeAll(await old.caller.makeAll());
  const changed = await old.caller.changeAll(open);
  const later = await old.caller.readAll([...during, ...changed]);
  const theirs = now === null ? [] : await now.caller.makeAll();
  const seen = new SeenIdentifiers();
  if (now !== null) await Promise.all([old.caller.useAll(2, seen), now.caller.useAll(3, seen)]);
  await old.caller.expectSame([...alone, ...later]);
  const touched = await old.caller.touchAll(theirs);
  await old.end();
  now ??= await start(deploy, "newer", 30);
  await now.caller.expectUntouched(touched);
  await now.caller.useAll(4, seen);
  await now.caller.expectAlike([alone, during, changed]);
  await now.end();
  expect([...old.caller.problems, ...now.caller.problems]).toEqual([]);
  return isWaiting;
}

let moments = 0;

/** Some time of a start. */
function moment(): number {
  moments += 1;
  return ((moments * 0.618) % 1) * KILLED_MILLISECONDS;
}

async function start(deploy: Deploy, which: "older" | "newer", seconds = 0): Promise<Running> {
  const { registry, createService } = deploy[which].service;
  const service = await createService(registry, {
    databaseUrl: deploy.url,
    migrateWaitSeconds: seconds,
    authentication: { scheme: "none" },
  });
  const end = async (): Promise<void> => {
    service.app.server.closeIdleConnections();
    await service.close();
  };
  return { caller: callerOf(deploy, which, await service.listen()), end };
}

/** The older release in a process of its own, which ends by `kill -9`. */
async function startApart(deploy: Deploy): Promise<Running> {
  const { base, kill, signal } = await releaseProcess(deploy.older.name, deploy.url);
  return { caller: callerOf(deploy, "older", base), end: kill, signal };
}

function callerOf(deploy: Deploy, which: "older" | "newer", base: string): ReleaseCaller {
  const other = which === "older" ? "newer" : "older";
  const isNewer = which === "newer";
  return new ReleaseCaller({ own: deploy[which], other: deploy[other], isNewer }, base);
}

/** The older release, unless it is refused: the newer one has retired it. */
async function startedAgain(deploy: Deploy): Promise<Running | null> {
  return start(deploy, "older").catch((error: unknown) => {
    expect(String(error)).toMatch(/^(?:StartRefusal|ReleaseRetired): .* newer /);
    return null;
  });
}

/** The newer release, unless it waits for the older one. */
async function startedBeside(deploy: Deploy): Promise<Running | null> {
  return start(deploy, "newer").catch((error: unknown) => {
    expect(String(error)).toContain("cannot be finished: an older release");
    return null;
  });
}
