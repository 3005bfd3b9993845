import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { migrate as command } from "#runtime/service/migrate";
import { query } from "../support/postgres-schema.js";
import { plainRegistry } from "../unit/runtime/fixture/plain-registry.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
import { change, contentOf, migrate } from "./support/migrated-database.js";
import {
  both,
  BY_HAND,
  filledDatabase,
  INITIAL,
  migrationFolder,
  REBUILD,
  RENAME,
} from "./support/schema-history.js";

const ALL = {
  "0001-initial": INITIAL,
  "0002-rename": RENAME,
  "0003-rebuild": REBUILD,
  "0004-by-hand": BY_HAND,
};
const all = migrationFolder(ALL);

/** What the command prints, and its exit code. */
async function run(
  url: string,
  migrations: URL,
  ...flags: readonly string[]
): Promise<{ out: string; err: string; code: number }> {
  let out = "";
  let err = "";
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((out += String(text)))),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((err += String(text)))),
  ];
  try {
    await command({ ...plainRegistry(), migrations }, flags, { DATABASE_URL: url });
    return { out, err, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
  }
}

test.each(DATABASES)("%s: it applies what is missing, and says so", async (database) => {
  const url = await filledDatabase(database);
  const { out, err, code } = await run(url, all, "--finish");
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toMatch(/^0002-rename {2}1\/\d+ {2}\d+\.\d\d s {2}\S/);
  expect(out).toContain("Applied: 0002-rename, 0003-rebuild, 0004-by-hand.\n");
  expect((await run(url, all)).out).toBe("The database has all migrations.\n");
});

test("PostgreSQL: it does what older releases can live with, and the rest when it is told to", async () => {
  const url = await filledDatabase("postgres");
  expect((await run(url, all)).out).toContain(
    `Older releases can go on serving. When none does, "npm run migrate -- --finish" applies the rest of 0002-rename, 0003-rebuild, 0004-by-hand.\n`,
  );
  expect(await run(url, all, "--status")).toMatchObject({
    out:
      "applied    0001-initial\nprepared   0002-rename  the rest waits until no older release serves\n" +
      "pending    0003-rebuild\npending    0004-by-hand\n",
    code: 1,
  });
  const older = migrationFolder({ "0001-initial": INITIAL });
  expect((await run(url, older, "--status")).out).toContain(
    "begun      0002-rename  by a newer release\n",
  );
  expect((await run(url, all, "--finish")).out).toContain(
    "Applied: 0002-rename, 0003-rebuild, 0004-by-hand.\n",
  );
});

test.each(DATABASES)(
  "%s: it tells which are applied, pending, unknown and changed",
  async (database) => {
    const url = await filledDatabase(database);
    await migrate(url, migrationFolder({ "0001-initial": INITIAL, "0002-theirs": BY_HAND_ONCE }));
    const { out, code } = await run(url, all, "--status");
    expect({ out, code }).toEqual({
      out:
        "applied    0001-initial\npending    0002-rename\npending    0003-rebuild\n" +
        "pending    0004-by-hand\nunknown    0002-theirs\n",
      code: 1,
    });
    const edited = migrationFolder({ "0001-initial": { ...INITIAL, ...both("-- nothing\n") } });
    expect((await run(url, edited, "--status")).out).toContain("changed    0001-initial\n");
  },
);

const BY_HAND_ONCE = both(`DELETE FROM "shipments";\n`);

test("PostgreSQL: it tells how far one is that is half done", async () => {
  const url = await filledDatabase("postgres");
  const tell = (): void => {
    throw new Error("the machine goes down");
  };
  await expect(migrate(url, all, { tell })).rejects.toThrow("the machine goes down");
  expect(await run(url, all, "--status")).toMatchObject({
    out:
      "applied    0001-initial\nhalf done  0002-rename  1 of 9 statements\n" +
      "pending    0003-rebuild\npending    0004-by-hand\n",
    code: 1,
  });
  expect((await run(url, all, "--rehearse")).err).toContain("0002-rename is half done");
});

test.each(DATABASES)(
  "%s: a rehearsal reports, and leaves the database as it is",
  async (database) => {
    const url = await filledDatabase(database);
    const before = await contentOf(url);
    const { out, err, code } = await run(url, all, "--rehearse");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(/^0002-rename {2}\d+\.\d\d s {2}(?:\d+ rows? {2})?\d+\.\d MiB {2}\S/);
    expect(out).toMatch(/0004-by-hand {2}\d+\.\d\d s {2}1 row {2}/);
    expect(out).toMatch(
      /Rehearsed on a copy, in \d+\.\d\d s with the copying: 0002-rename, 0003-rebuild, 0004-by-hand\. The database itself was not changed\.\n$/,
    );
    expect(await contentOf(url)).toEqual(before);
    await expectNothingLeft(url);
    // What it found is what happens.
    await migrate(url, all);
  },
);

test.each(DATABASES)("%s: a rehearsal finds the rows that stand in the way", async (database) => {
  const url = await filledDatabase(database);
  await change(url, `UPDATE "orders" SET "number" = NULL WHERE "orderId" = 'o1'`);
  const { err, code } = await run(url, all, "--rehearse");
  expect(code).toBe(1);
  expect(err).toContain("1 row violates it (orders without a number): o1.");
  await expectNothingLeft(url);
});

test.each(DATABASES)("%s: a rehearsal of nothing says so", async (database) => {
  const url = await filledDatabase(database);
  await migrate(url, all);
  expect((await run(url, all, "--rehearse")).out).toContain("there was nothing to rehearse");
});

test("SQLite: neither the state nor a rehearsal makes a file that is not there", async () => {
  const url = await newDatabase("sqlite");
  expect((await run(url, all, "--status")).out).toContain("pending    0001-initial\n");
  expect((await run(url, all, "--rehearse")).err).toContain("There is no database");
  expect(existsSync(url.slice("sqlite:".length))).toBe(false);
});

test("an unknown flag is answered with what there is", async () => {
  const { err, code } = await run(await newDatabase("sqlite"), all, "--fnish");
  expect(code).toBe(1);
  expect(err).toContain("npm run migrate -- --finish ");
  expect((await run("sqlite::memory:", all)).err).toContain("is in memory");
});

async function expectNothingLeft(url: string): Promise<void> {
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("rehearsal-"))).toEqual([]);
  if (url.startsWith("sqlite:")) return;
  const left = `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rehearsal@_%' ESCAPE '@'`;
  expect(await query(url, left)).toEqual([]);
}
