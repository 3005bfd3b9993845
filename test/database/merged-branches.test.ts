import { inject, expect, test } from "vitest";
import type { StorageModel } from "#runtime/store/storage-model";
import { applySteps, NO_STORAGE } from "../../src/migrations/apply-steps.js";
import type { MigrationFile } from "#runtime/store/migrations/migration";
import {
  linkChain,
  NO_CHAIN,
  type Chain,
  type ChainMigration,
} from "../../src/migrations/chain.js";
import { nextMigration, type NextMigration } from "../../src/migrations/next-migration.js";
import type { Wanted } from "../../src/migrations/wanted.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { openPostgresScripts, openSqliteScripts, partsOf } from "../support/run-script.js";
import { type Schemas, textsOf } from "../support/schema-walk.js";
import { ONCE, STORED, STORING_EDITS } from "../support/storing-edits.js";
import { cases } from "../support/thorough.js";
import {
  compare,
  compareWithFresh,
  dropAll,
  fill,
  type Databases,
} from "../support/walk-databases.js";
import { afterSteps, type Rows } from "../support/walk-rows.js";
import { grown, wantedBy } from "../unit/migrations/support.js";

/** Of all pairs, each so many-th: an odd number that shares no factor with how many edits there are. */
const EVERY = Number(process.env["PAIRS_EVERY"] ?? cases({ usual: 107, long: 1 }));

/** In how many orders the names of the two migrations are. */
const ORDERS = EVERY === 1 ? 2 : 1;

const NAMES = Object.keys(STORING_EDITS);
const PAIRS = NAMES.flatMap((one, index) => NAMES.slice(index + 1).map((other) => [one, other]));

/** What a database has had of two branches when they are merged; in "fresh" there is not even a row. */
const STATES = ["fresh", "neither", "the first", "the second"] as const;

const DROP_SCHEMA = `DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || quote_ident(current_schema()) || ' CASCADE'; END $$`;

interface Branch {
  readonly wanted: Wanted;
  readonly migration: ChainMigration;
}

const seen = { merged: 0, told: 0, byHand: 0, databases: 0 };

test.each(PAIRS.filter((_, index) => index % EVERY === 0))(
  "%s, and on another branch %s: every database ends as a fresh one does, with its values",
  async (one = "", other = "") => {
    const base = await madeBase();
    const orders = [
      [one, other],
      [other, one],
    ] as const;
    for (const [first, second] of orders.slice(0, ORDERS)) {
      const merged = await merge(base, first, second);
      if (merged === null) continue;
      for (const state of STATES) await tried(base, merged, state);
    }
  },
  600_000,
);

const OWN_CODE = {
  "a trigger": `CREATE TRIGGER "own" AFTER UPDATE ON "things" BEGIN SELECT NEW."count"; END`,
  "an index": `CREATE INDEX "own" ON "things" ("count")`,
};

test.each(Object.entries(OWN_CODE))(
  "SQLite: %s that somebody has made stays where another column is made anew, and stops what would lose it",
  async (_what, own) => {
    const base = await madeBase();
    const written = async (edit: string): Promise<string> => {
      const schemas = STORING_EDITS[edit]?.(STORED) ?? STORED;
      return (await branch(base, schemas, "one")).migration.texts["sqlite.sql"] ?? "";
    };
    const sqlite = openSqliteScripts();
    for (const { texts } of base.chain.migrations) await sqlite.migrate(texts["sqlite.sql"] ?? "");
    await sqlite.all(own);
    await sqlite.migrate(await written("more digits, required"));
    const before = await sqlite.all("SELECT * FROM sqlite_schema");
    expect(before.map(({ name }) => name)).toContain("own");
    await expect(sqlite.migrate(await written("integer to number"))).rejects.toThrow(
      /^error in (?:trigger|index) own/,
    );
    expect(await sqlite.all("SELECT * FROM sqlite_schema")).toEqual(before);
    await sqlite.close();
  },
);

test("names that differ in their case alone are told", async () => {
  const base = await madeBase();
  const [one, other] = ["extra", "extrA"].map((name) => ({
    ...STORED,
    days: { entity: "day", properties: { label: "string", [name]: "integer" } },
  }));
  const linked = linkChain([
    ...base.chain.migrations,
    (await branch(base, one ?? STORED, "one")).migration,
    (await branch(base, other ?? STORED, "two")).migration,
  ]);
  expect(linked.ok ? [] : linked.diagnostics.map(({ code }) => code)).toEqual(["SCH-149"]);
});

test("a search that is filled from a property, and another name of that, get in each other's way", async () => {
  const days = (label: object): Schemas => ({
    ...STORED,
    days: { entity: "day", properties: label as never },
  });
  const first = await wantedOf(days({ label: { type: "string", filterable: true } }));
  if (first === null) throw new Error("the schemas have a mistake");
  const base = { chain: grown(NO_CHAIN, next(NO_CHAIN, first)), wanted: first };
  const searched = days({ label: { type: "string", filterable: "search" } });
  const renamed = days({ title: { type: "string", filterable: true, renamedFrom: "label" } });
  const linked = linkChain([
    ...base.chain.migrations,
    (await branch(base, searched, "one")).migration,
    (await branch(base, renamed, "two")).migration,
  ]);
  expect(linked.ok ? [] : linked.diagnostics.map(({ code }) => code)).toEqual(["SCH-149"]);
});

test("most pairs can be merged", () => {
  if (EVERY === 1) process.stdout.write(`${JSON.stringify(seen)}\n`);
  expect(seen.merged).toBeGreaterThan(seen.told + seen.byHand);
});

interface Base {
  readonly chain: Chain;
  readonly wanted: Wanted;
}

/** A first migration, and a second one that retires a column. */
async function madeBase(): Promise<Base> {
  const { things } = STORED;
  const { removed: _removed, ...rest } = things ?? {};
  const properties = { ...(rest["properties"] as object), ...ONCE };
  const first = await wantedOf({ ...STORED, things: { ...rest, properties } });
  const wanted = await wantedOf(STORED);
  if (first === null || wanted === null) throw new Error("the schemas have a mistake");
  const initial = grown(NO_CHAIN, next(NO_CHAIN, first));
  return { chain: grown(initial, next(initial, wanted)), wanted };
}

async function wantedOf(schemas: Schemas): Promise<Wanted | null> {
  return wantedBy(textsOf(schemas));
}

function next(chain: Chain, wanted: Wanted): NextMigration {
  const following = nextMigration(chain, wanted);
  if (following.kind !== "next") throw new Error(JSON.stringify(following));
  return following.next;
}

interface Merged {
  readonly chain: Chain;
  readonly wanted: Wanted;
  /** In the order of their names. */
  readonly branches: readonly [Branch, Branch];
}

/** Null where the branches cannot be merged without a person, who is told. */
async function merge(base: Base, one: string, other: string): Promise<Merged | null> {
  const edits = [STORING_EDITS[one], STORING_EDITS[other]] as const;
  const [first, second] = [edits[0]?.(STORED), edits[1]?.(STORED)];
  const both = first && edits[1]?.(first);
  const wanted = both ? await wantedOf(both) : null;
  if (!first || !second || wanted === null) {
    seen.byHand += 1;
    return null;
  }
  const branches = [await branch(base, first, "one"), await branch(base, second, "two")] as const;
  const linked = linkChain([
    ...base.chain.migrations,
    ...branches.map(({ migration }) => migration),
  ]);
  if (!linked.ok) {
    expect(linked.diagnostics.map(({ code }) => code)).toEqual(["SCH-149"]);
    seen.told += 1;
    return null;
  }
  seen.merged += 1;
  return { chain: linked.value, wanted, branches };
}

async function branch({ chain }: Base, schemas: Schemas, word: string): Promise<Branch> {
  const wanted = await wantedOf(schemas);
  if (wanted === null) throw new Error("the schemas of a branch have a mistake");
  const last = grown(chain, next(chain, wanted)).migrations.at(-1);
  if (last === undefined) throw new Error("there is no migration");
  return { wanted, migration: { ...last, name: `0003-${word}` } };
}

async function tried(base: Base, merged: Merged, state: (typeof STATES)[number]): Promise<void> {
  const databases = [await madeDatabases(), await madeDatabases()] as const;
  try {
    await migratedAs(base, merged, state, databases);
  } finally {
    for (const { sqlite, postgres } of databases) {
      await sqlite.close();
      // Thousands of them would make the catalogs of the server slow.
      await postgres.all(DROP_SCHEMA);
      await postgres.close();
    }
  }
}

async function migratedAs(
  base: Base,
  { chain, wanted, branches }: Merged,
  state: (typeof STATES)[number],
  [walked, fresh]: readonly [Databases, Databases],
): Promise<void> {
  let rows: Rows = new Map();
  let seed = 1;
  const filled = async ({ model }: Wanted, count: number): Promise<void> => {
    if (state !== "fresh") seed = await fill(walked, model, rows, { seed, count });
  };
  let model = NO_STORAGE;
  const apply = async ({ texts, steps }: Applied): Promise<void> => {
    await withoutRowsInTheWay(walked, model, texts, rows);
    await walked.sqlite.migrate(texts["sqlite.sql"] ?? "");
    await walked.postgres.migrate(texts["postgres.sql"] ?? "");
    rows = afterSteps(rows, steps);
    model = applySteps(model, steps);
  };
  for (const migration of base.chain.migrations) await apply(migration);
  await filled(base.wanted, 6);
  const ordered = state === "the second" ? branches.toReversed() : branches;
  for (const { migration, wanted: ofBranch } of ordered) {
    await apply(migration);
    if (state.startsWith("the") && migration === ordered[0]?.migration) await filled(ofBranch, 3);
  }
  let whole = chain;
  const following = nextMigration(chain, wanted);
  if (following.kind === "problems") throw new Error(JSON.stringify(following.problems));
  if (following.kind === "next") {
    whole = grown(chain, following.next);
    await apply({ texts: whole.migrations.at(-1)?.texts ?? {}, ...following.next.file });
  }
  await compare(walked, wanted.model, rows);
  await filled(wanted, 3);
  await compare(walked, wanted.model, rows);
  await dropAll(walked, whole);
  await compareWithFresh(walked, fresh, wanted);
  seen.databases += 1;
}

type Applied = Pick<ChainMigration, "texts"> & Pick<MigrationFile, "steps">;

/** Deletes what a check finds, in both databases. */
async function withoutRowsInTheWay(
  walked: Databases,
  model: StorageModel,
  texts: Applied["texts"],
  rows: Rows,
): Promise<void> {
  for (const { kind, sql } of partsOf(texts["sqlite.sql"] ?? "")) {
    if (kind !== "check") continue;
    const [, table = ""] = /FROM "(\w+)"/.exec(sql) ?? [];
    for (const found of await walked.sqlite.all(sql)) {
      const id = String(Object.values(found)[0]);
      for (const change of deletion(model, table, id, rows)) {
        await walked.sqlite.all(change);
        await walked.postgres.all(change);
      }
    }
  }
}

/** The statements that delete a row, to which nothing refers any more. */
function deletion(model: StorageModel, table: string, id: string, rows: Rows): readonly string[] {
  const referring = model.tables.flatMap(({ name, columns, foreignKeys }) =>
    foreignKeys
      .filter((key) => key.table === table && key.onDelete === "refuse")
      .map(({ column }) => {
        const isNullable = columns.find((one) => one.name === column)?.nullable === true;
        return { name, column, isNullable };
      }),
  );
  for (const { name, column, isNullable } of referring) {
    const all = rows.get(name) ?? [];
    const held = all.filter((row) => row[column] === id);
    if (!isNullable)
      rows.set(
        name,
        all.filter((row) => !held.includes(row)),
      );
    else for (const row of held) row[column] = null;
  }
  const key = model.tables.find(({ name }) => name === table)?.primaryKey[0] ?? "";
  const kept = (rows.get(table) ?? []).filter((row) => row[key] !== id);
  rows.set(table, kept);
  return [
    ...referring.map(({ name, column, isNullable }) =>
      isNullable
        ? `UPDATE "${name}" SET "${column}" = NULL WHERE "${column}" = '${id}'`
        : `DELETE FROM "${name}" WHERE "${column}" = '${id}'`,
    ),
    `DELETE FROM "${table}" WHERE "${key}" = '${id}'`,
  ];
}

async function madeDatabases(): Promise<Databases> {
  const url = schemaUrl(inject("postgresUrl"));
  await makeSchema(url);
  return { sqlite: openSqliteScripts(), postgres: await openPostgresScripts(url) };
}
