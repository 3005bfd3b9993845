import { spawnSync } from "node:child_process";
import {
  existsSync,
  openSync,
  closeSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { connectSqlite } from "#runtime/store/sqlite/module";
import type { Client } from "../contract/support/client.js";
import { CONVOYS } from "../contract/support/convoys.js";
import { expectError } from "../contract/support/errors.js";
import { pause, places, stop } from "../contract/support/process-tests.js";
import { pathOf, WIDGETS } from "../contract/support/samples.js";
import { logOf, startProcess, type ServiceProcess } from "../contract/support/service-process.js";
import { databaseFile } from "./support/sqlite-file.js";

const place = places();
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) spawnSync("umount", ["-l", folder]);
});

async function expectUnusable(client: Client, path: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const write = await client.send("POST", CONVOYS, { body: { name: "lost" } });
    expectError(write, 503, "ServiceUnavailableMessage");
    expect(write.headers["retry-after"]).toBe("1");
  }
  expect((await client.send("GET", path)).status).toBe(503);
  expect((await client.send("GET", "/readyz")).status).toBe(503);
  expect((await client.send("GET", "/healthz")).status).toBe(200);
}

function linesAbout({ output }: ServiceProcess, text: string): readonly string[] {
  return logOf(output)
    .map(({ msg }) => msg)
    .filter((line) => line.includes(text));
}

test.each(["", "-wal", "-shm"])(
  "a database whose %s file is deleted takes no write that nobody finds, until the very file is back",
  async (suffix) => {
    const cwd = place(`deleted${suffix}`);
    const running = startProcess(cwd);
    const client = await running.ready;
    const path = pathOf(CONVOYS, await client.create(CONVOYS, { name: "kept" }));
    const file = databaseFile(cwd) + suffix;
    renameSync(file, `${file}.away`);
    await expectUnusable(client, path);
    // Another one of the same name is not the same.
    writeFileSync(file, "");
    await expectUnusable(client, path);
    expect(linesAbout(running, "was removed or replaced")).toHaveLength(1);

    renameSync(`${file}.away`, file);
    await pause(1100);
    expect((await client.send("GET", "/readyz")).status).toBe(200);
    await client.create(CONVOYS, { name: "again" });
    expect((await client.read(CONVOYS))["itemCount"]).toBe(2);
    expect(await stop(running)).toBe(0);
    const again = startProcess(cwd);
    expect((await (await again.ready).read(CONVOYS))["itemCount"]).toBe(2);
    expect(await stop(again)).toBe(0);
  },
);

test("a start without the database that there was, or with an empty one, is refused in one line that says how to go on", async () => {
  const cwd = place("lost");
  const first = startProcess(cwd);
  await (await first.ready).create(CONVOYS, { name: "kept" });
  expect(await stop(first)).toBe(0);
  const file = databaseFile(cwd);
  renameSync(file, `${file}.away`);
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const refused = async (reason: string): Promise<void> => {
    const { code, output } = await startProcess(cwd).ended;
    expect(code).toBe(1);
    expect(output.stderr).toMatch(/^workshop cannot start: [^\n]+ there was one before[^\n]+\n$/);
    expect(output.stderr).toContain(reason);
    expect(output.stderr).toContain("workshop.db.created");
  };
  await refused("is gone");
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "");
  await refused("is empty");
  rmSync(file);
  const other = await connectSqlite(file);
  other.exec("CREATE TABLE notes (text)");
  other.close();
  await refused("has none of its tables");

  renameSync(`${file}.away`, file);
  const again = startProcess(cwd);
  expect((await (await again.ready).read(CONVOYS))["itemCount"]).toBe(1);
  expect(await stop(again)).toBe(0);
  // In development everything goes at once.
  rmSync(join(cwd, "data"), { recursive: true });
  const anew = startProcess(cwd);
  expect((await (await anew.ready).read(CONVOYS))["itemCount"]).toBe(0);
  expect(await stop(anew)).toBe(0);
});

test("at the stop everything is in the database itself", async () => {
  const cwd = place("checkpoint");
  const running = startProcess(cwd);
  await (await running.ready).create(CONVOYS, { name: "kept" });
  expect(await stop(running)).toBe(0);
  const log = statSync(`${databaseFile(cwd)}-wal`, { throwIfNoEntry: false });
  expect(log?.size ?? 0).toBe(0);
  const alone = join(cwd, "alone.db");
  writeFileSync(alone, readFileSync(databaseFile(cwd)));
  const connection = await connectSqlite(alone);
  expect(connection.prepare(`SELECT "name" FROM "convoys"`).all()).toEqual([{ name: "kept" }]);
  connection.close();
});

test("a damaged page is 503 for what needs it, one line that names it, and nothing for the rest", async () => {
  const cwd = place("damaged");
  const first = startProcess(cwd);
  const client = await first.ready;
  for (let index = 0; index < 40; index += 1) {
    await client.create(WIDGETS, { name: `w${index}`, note: "x".repeat(400) });
  }
  await client.create(CONVOYS, { name: "kept" });
  expect(await stop(first)).toBe(0);
  const file = databaseFile(cwd);
  const connection = await connectSqlite(file);
  const row = connection.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'widgets'`).get();
  connection.close();
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, (Number(row?.["rootpage"]) - 1) * 4096);
  closeSync(descriptor);

  const running = startProcess(cwd);
  const again = await running.ready;
  // Nobody has asked for a widget yet.
  expectError(await again.send("GET", "/readyz"), 503, "ServiceUnavailableMessage");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expectError(
      await again.send("GET", `${WIDGETS}?pageSize=50`),
      503,
      "ServiceUnavailableMessage",
    );
    const writes = await Promise.all([
      again.send("POST", WIDGETS, { body: { name: "w" } }),
      again.send("POST", CONVOYS, { body: { name: "fine" } }),
    ]);
    expect(writes.map(({ status }) => status)).toEqual([503, 201]);
  }
  expect((await again.read(CONVOYS))["itemCount"]).toBe(4);
  await pause(2000);
  const lines = linesAbout(running, "is damaged");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(file.split("/").at(-1));
  expect(lines[0]).toContain("widgets");
  // What can still be written does not make the file sound.
  expectError(await again.send("GET", "/readyz"), 503, "ServiceUnavailableMessage");
  expect(await stop(running)).toBe(0);
});

/** A disk of its own; null where this user may not make one. */
function smallDisk(name: string): string | null {
  const folder = place(name);
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder]);
  if (made.status !== 0) return null;
  mounted.push(folder);
  return folder;
}

test("a full disk is 503 for writes and for /readyz, and over when there is room", async ({
  skip,
}) => {
  const disk = smallDisk("full");
  if (disk === null) return skip("this user may not mount a file system");
  const running = startProcess(place("full-service"), { DATABASE_URL: `sqlite:${disk}/data/a.db` });
  const client = await running.ready;
  const path = pathOf(WIDGETS, await client.create(WIDGETS, { name: "first" }));
  writeFileSync(join(disk, "ballast"), Buffer.alloc(4096));
  spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "ballast")}`, "bs=4k"]);
  const body = { name: "big", note: "x".repeat(10_000) };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    expectError(await client.send("POST", WIDGETS, { body }), 503, "ServiceUnavailableMessage");
  }
  expect((await client.send("GET", "/readyz")).status).toBe(503);
  expect((await client.send("GET", path)).status).toBe(200);
  expect(linesAbout(running, "cannot be used now")).toHaveLength(1);
  rmSync(join(disk, "ballast"));
  await pause(1100);
  expect((await client.send("GET", "/readyz")).status).toBe(200);
  await client.create(WIDGETS, body);
  expect((await client.read(WIDGETS))["itemCount"]).toBe(2);
  expect(linesAbout(running, "can be written again")).toHaveLength(1);
  expect(await stop(running)).toBe(0);
});

test("a start on a read-only disk is refused in one line", async ({ skip }) => {
  const disk = smallDisk("read-only");
  if (disk === null) return skip("this user may not mount a file system");
  const cwd = place("read-only-service");
  const variables = { DATABASE_URL: `sqlite:${disk}/data/a.db` };
  const running = startProcess(cwd, variables);
  await (await running.ready).create(CONVOYS, { name: "first" });
  expect(await stop(running)).toBe(0);
  expect(spawnSync("mount", ["-o", "remount,ro", disk]).status).toBe(0);
  const { code, output } = await startProcess(cwd, variables).ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(
    /^workshop cannot start: The database [^\n]+ cannot be opened: [^\n]+\n$/,
  );
});
