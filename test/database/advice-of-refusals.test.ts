import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { change, migrate, migrationRefusal } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type Yaml,
} from "./support/order-services.js";
import {
  both,
  filledDatabase,
  INITIAL,
  migrationFolder,
  RENAME,
  WIDEN,
  type WrittenMigration,
} from "./support/schema-history.js";

// Each refusal of a start because of migrations says what to do. That is done here, to the letter.

const FIRST = { "0001-initial": INITIAL };

async function patch(orders: string, url: string, body: Yaml): Promise<void> {
  const path = `${orders}/${new URL(url).pathname.replace(/^.*\//, "")}`;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "PATCH", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

test("rows that violate a migration: change them with the release that serves now, then start this one again", async () => {
  const before = await orderService("advice-loose", { fax: "string", note: "string" });
  const fax = { type: "string", required: true };
  const after = await orderService("advice-tight", { fax, note: "string" }, {}, before);
  for (const database of DATABASES) {
    const url = await newDatabase(database);
    const order = await whileServing(before, url, (orders) => placeOrder(orders, { note: "n" }));
    expect(await refusal(after, url)).toContain("change them with the release that serves now");
    await whileServing(before, url, (orders) => patch(orders, order, { fax: "f" }));
    const shown = await whileServing(after, url, (orders) => readOrder(orders, order));
    expect(shown["fax"]).toBe("f");
  }
});

/** The statements of the page for a database. */
function statementsFor(database: string): readonly string[] {
  const page = readFileSync("docs/migrations.md", "utf8");
  const [, section = ""] = page.split("### Rows that no release can change\n");
  const name = database === "sqlite" ? "SQLite" : "PostgreSQL";
  const [, block = ""] = section.split(`-- ${name}\n`);
  return (block.split("```")[0] ?? "").split(";\n").filter((sql) => sql.trim() !== "");
}

test("rows of a property that comes back: change them in the database", async () => {
  const item = (held: Yaml): Yaml => ({ type: "object", properties: { note: "string", ...held } });
  const schema = (held: Yaml): Yaml => ({
    ...{ note: "string", ...held },
    ...{ address: item(held), lines: { type: "array", items: item(held) } },
  });
  const fax = { fax: { type: "string", required: true } };
  const removed = { fax: "why", "address.fax": "why", "lines.fax": "why" };
  const before = await orderService("advice-1", schema(fax));
  const without = await orderService("advice-2", schema({}), { removed }, before);
  const after = await orderService("advice-3", schema(fax), {}, without);
  for (const database of DATABASES) {
    const url = await newDatabase(database);
    const held = { fax: "f", address: { fax: "f" }, lines: [{ fax: "f" }, { fax: "g" }] };
    const old = await whileServing(before, url, (orders) => placeOrder(orders, held));
    const made = await whileServing(without, url, (orders) =>
      placeOrder(orders, { address: { note: "n" }, lines: [{ note: "n" }] }),
    );
    for (const sql of statementsFor(database)) {
      expect(await refusal(after, url)).toContain(
        '"npx generator explain migrations" has the statements',
      );
      await change(url, sql);
    }
    await whileServing(after, url, async (orders) => {
      expect(await readOrder(orders, old)).toMatchObject(held);
      expect(await readOrder(orders, made)).toMatchObject({
        fax: "none",
        address: { note: "n", fax: "none" },
        lines: [{ note: "n", fax: "none" }],
      });
    });
  }
});

const NOTHING = { steps: [WIDEN], ...both("-- run: nothing\nSELECT 1;\n") };

test.each(DATABASES)(
  "%s: a newer database: start a release that knows its migrations",
  async (database) => {
    const url = await filledDatabase(database);
    // Nobody knows whether an older release can live with what was written by hand.
    const newer = migrationFolder({ ...FIRST, "0002-more": both("-- run: nothing\nSELECT 1;\n") });
    await migrate(url, newer);
    expect(await migrationRefusal(url, migrationFolder(FIRST))).toContain(
      "otherwise start a release that does",
    );
    expect(await migrate(url, newer)).toMatchObject({ applied: [], known: 2 });
  },
);

test.each(DATABASES)(
  "%s: a database that has diverged: start a release that has both, made from the merged schemas",
  async (database) => {
    const url = await filledDatabase(database);
    await migrate(url, migrationFolder({ ...FIRST, "0002-mine": NOTHING }));
    const other = migrationFolder({ ...FIRST, "0003-theirs": NOTHING });
    expect(await migrationRefusal(url, other)).toContain("otherwise start a release that has both");
    const merged = migrationFolder({ ...FIRST, "0002-mine": NOTHING, "0003-theirs": NOTHING });
    expect(await migrate(url, merged)).toMatchObject({ applied: ["0003-theirs"] });
  },
);

test.each(DATABASES)("%s: a migration that was changed: restore its file", async (database) => {
  const url = await filledDatabase(database);
  const run: WrittenMigration = NOTHING;
  const whole = migrationFolder({ ...FIRST, "0002-more": run });
  await migrate(url, whole);
  const edited = migrationFolder({ ...FIRST, "0002-more": { ...run, ...both("SELECT 2;\n") } });
  expect(await migrationRefusal(url, edited)).toContain(
    `otherwise restore migrations/0002-more/${database}.sql.`,
  );
  expect(await migrate(url, whole)).toMatchObject({ applied: [] });
});

test.each(DATABASES)(
  "%s: a start that does not migrate: npm run migrate -- --finish applies what is missing",
  async (database) => {
    const url = await filledDatabase(database);
    const folder = migrationFolder({ ...FIRST, "0002-rename": RENAME });
    const start = { isApplying: false };
    expect(await migrationRefusal(url, folder, start)).toContain("applies what is missing");
    if (database === "postgres") {
      await migrate(url, folder, { isFinishing: false });
      expect(await migrationRefusal(url, folder, start)).toContain('-- --finish" finishes it');
    }
    await migrate(url, folder, { isFinishing: true });
    expect(await migrate(url, folder, start)).toMatchObject({ applied: [], known: 2 });
  },
);
