import { expect, test } from "vitest";
import { rows, change } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// What stands inside the JSON of a row is older than the service, or was written by a migration of somebody's own.

const KINDS: Yaml = {
  word: "string",
  fee: { type: "decimal", scale: 2 },
  count: "integer",
  weight: "number",
  tight: "boolean",
  colour: { enum: ["red", "blue"] },
  since: "timestamp",
  key: "uuid",
  labels: { type: "array", items: "string" },
  widths: { type: "array", items: "integer" },
  maker: { reference: "makers", external: true, embed: ["name"] },
  sellers: { type: "array", items: { reference: "sellers", external: true } },
};
const ID = "0190b5a4-7c3e-7abc-8def-0123456789ab";
const VALUES: Yaml = {
  word: "w",
  fee: "1.50",
  count: 1,
  weight: 0.5,
  tight: false,
  colour: "red",
  since: "2024-02-29T23:59:59.999Z",
  key: ID,
  labels: ["l"],
  widths: [1],
  maker: { makerId: ID },
  sellers: [{ sellerId: ID }],
};

const REQUIRED = Object.fromEntries(
  Object.entries(KINDS).map(([name, kind]) => {
    const long = typeof kind === "string" ? { type: kind } : (kind as object);
    return [name, Array.isArray(VALUES[name]) ? long : { ...long, required: true }];
  }),
);

const inner = (properties: Yaml) => ({ type: "object", properties });
const PROPERTIES = {
  free: inner({ ...KINDS, deep: inner(KINDS) }),
  asked: inner({ ...REQUIRED, deep: inner(REQUIRED) }),
  lines: { type: "array", items: inner({ ...KINDS, deep: inner(KINDS) }) },
  askedLines: { type: "array", items: inner({ ...REQUIRED, deep: inner(REQUIRED) }) },
};
const WHOLE = { ...VALUES, deep: VALUES };
const ORDER = { free: WHOLE, asked: WHOLE, lines: [WHOLE, WHOLE], askedLines: [WHOLE] };
const COLUMNS = Object.keys(PROPERTIES);

const service = await orderService("inner-members", PROPERTIES);

type Json = Record<string, unknown>;

/** Each member by its path, and what is answered where it is missing. */
const MEMBERS = ["", "deep."].flatMap((place) =>
  [...Object.keys(KINDS), ...(place === "" ? ["deep"] : [])].map((name) => ({
    path: `${place}${name}`,
    empty: Array.isArray(VALUES[name]) ? [] : null,
  })),
);

function without(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => without(item, path));
  const [name = "", ...rest] = path;
  const { [name]: inside, ...others } = value as Json;
  return rest.length === 0 ? others : { ...others, [name]: without(inside, rest) };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  const [name, ...rest] = path;
  return name === undefined ? value : valueAt((one as Json)[name], rest);
}

test.each(DATABASES)(
  "%s: whatever member a text lacks, every answer is JSON, and has null or an empty list there",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(service, url, async (orders) => {
      await placeOrder(orders, ORDER);
      const [stored = {}] = await rows(url, `SELECT * FROM "orders"`);
      for (const { path, empty } of MEMBERS) {
        const steps = path.split(".");
        const texts = COLUMNS.map((column) =>
          JSON.stringify(without(JSON.parse(String(stored[column])), steps)),
        );
        const set = COLUMNS.map((column) => `"${column}" = ?`).join(", ");
        await change(url, `UPDATE "orders" SET ${set}`, texts);
        const answer = await (await fetch(orders)).text();
        expect(answer).not.toContain("undefined");
        const { results } = JSON.parse(answer) as { results: Json[] };
        for (const column of COLUMNS) {
          expect(valueAt(results[0]?.[column], steps), `${column}.${path}`).toEqual(empty);
        }
      }
    });
  },
);

test.each(DATABASES)(
  "%s: a write keeps what objects hold of removed properties, and what items hold that have not changed",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(service, url, async (orders) => {
      const order = await placeOrder(orders, {
        ...ORDER,
        lines: [{ word: "a" }, { word: "b" }, { word: "c" }],
      });
      const [stored = {}] = await rows(url, `SELECT * FROM "orders"`);
      const free = JSON.parse(String(stored["free"])) as Json;
      const lines = JSON.parse(String(stored["lines"])) as Json[];
      await change(url, `UPDATE "orders" SET "free" = ?, "lines" = ?`, [
        JSON.stringify({ old: 1, ...free, deep: { older: 2, ...(free["deep"] as Json) } }),
        JSON.stringify(lines.map((line, index) => ({ ...line, old: index }))),
      ]);
      const send = async (method: string, body: Yaml): Promise<Json> => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(order, { method, headers, body: JSON.stringify(body) });
        expect(answer.status).toBe(200);
        return (await answer.json()) as Json;
      };
      const held = async (): Promise<Json[]> => {
        const [row = {}] = await rows(url, `SELECT "free", "lines" FROM "orders"`);
        const [object, list] = [row["free"], row["lines"]].map(
          (text) => JSON.parse(String(text)) as unknown,
        );
        return [object as Json, ...(list as Json[])];
      };
      const [b, c] = [lines[1], lines[2]];
      await send("PATCH", { free: { word: "new" }, lines: [c, { ...lines[0], word: "A" }, b] });
      expect(await held()).toMatchObject([
        { word: "new", old: 1, deep: { word: "w", older: 2 } },
        { word: "c", old: 2 },
        { word: "A" },
        { word: "b", old: 1 },
      ]);
      expect((await held())[2]).not.toHaveProperty("old");
      const replaced = await send("PUT", { ...ORDER, free: { deep: { word: "newer" } } });
      expect(await held()).toMatchObject([
        { word: null, old: 1, deep: { word: "newer", older: 2 } },
        {},
        {},
      ]);
      expect(JSON.stringify(replaced)).not.toMatch(/old/);
      // ENT-4: what is kept is no change, and neither is its order.
      const same = await send("PUT", { ...ORDER, free: { deep: { word: "newer" } } });
      expect(same["lastModifiedDate"]).toBe(replaced["lastModifiedDate"]);
    });
  },
);
