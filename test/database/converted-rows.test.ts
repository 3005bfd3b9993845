import fc from "fast-check";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { renderValid, type Texts } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import {
  compiled,
  DATABASES,
  newDatabase,
  placeOrder,
  refusal,
  whileServing,
  type OrderService,
  type Yaml,
} from "./support/order-services.js";

// What is there when a newer version comes: v1 shows it as before, and v2 shows what own code makes of it (VER-2).

/** How many sets of differences are tried, each on both databases; one with all of them comes first. */
const SETS = Number(process.env["SETS"] ?? cases({ usual: 3, long: 30 }));
const ROWS = 30;

/** What v2 has in place of what v1 has, what own code makes of it, and what v2 is to show of values of v1. */
interface Difference {
  readonly v1: Yaml;
  readonly v2: Yaml;
  readonly removed?: string;
  /** Of the pair at the top level, each way. */
  readonly pair?: { readonly toNewer: string; readonly toOlder: string };
  /** A file of a pair of its own. */
  readonly file?: Texts;
  /** A value of v1, or null. */
  readonly made: (number: number) => unknown;
  readonly shown: (value: never) => Yaml;
}

const CODE = `const or = (value, make) => (value === null ? null : make(value));\n`;
const orNull = (value: unknown, make: (value: never) => unknown): unknown =>
  value === null ? null : make(value as never);

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "an integer in other units": {
    v1: { size: "integer" },
    v2: { millimetres: { type: "integer", maximum: 200_000, converted: true, filterable: true } },
    pair: {
      toNewer: `millimetres: or(older.size, (size) => { if (size === 666) throw new Error("no"); return size * 10; })`,
      toOlder: `size: or(newer.millimetres, (length) => Math.min(length / 10, 1000))`,
    },
    made: (number) => number * 7 - 20,
    shown: (size) => ({ millimetres: orNull(size, (one: number) => one * 10) }),
  },
  "a decimal with more digits": {
    v1: { weight: { type: "decimal", scale: 2 } },
    v2: { kilograms: { type: "decimal", scale: 5, converted: true, sortable: true } },
    pair: {
      toNewer: `kilograms: or(older.weight, (weight) => (Number(weight) / 1000).toFixed(5))`,
      toOlder: `weight: or(newer.kilograms, (weight) => (Number(weight) * 1000).toFixed(2))`,
    },
    made: (number) => `${number}.${String(number % 100).padStart(2, "0")}`,
    shown: (weight) => ({
      kilograms: orNull(weight, (one: string) => (Number(one) / 1000).toFixed(5)),
    }),
  },
  "a boolean that becomes an enum": {
    v1: { open: "boolean" },
    v2: { state: { enum: ["open", "closed"], converted: true } },
    pair: {
      toNewer: `state: or(older.open, (open) => (open ? "open" : "closed"))`,
      toOlder: `open: or(newer.state, (state) => state === "open")`,
    },
    made: (number) => number % 2 === 0,
    shown: (open) => ({ state: orNull(open, (one: boolean) => (one ? "open" : "closed")) }),
  },
  "a text that becomes two": {
    v1: { name: { type: "string", maxLength: 40 } },
    v2: {
      firstName: { type: "string", maxLength: 40, converted: true },
      lastName: { type: "string", maxLength: 40, converted: true, filterable: true },
    },
    pair: {
      toNewer: `firstName: or(older.name, (name) => name.split(" ")[0]), lastName: or(older.name, (name) => name.split(" ")[1])`,
      toOlder: `name: newer.firstName === null ? null : newer.firstName + " " + newer.lastName`,
    },
    made: (number) => `Grey${number} O'Box\\é`,
    shown: (name) => ({
      firstName: orNull(name, (one: string) => one.split(" ")[0]),
      lastName: orNull(name, (one: string) => one.split(" ")[1]),
    }),
  },
  "a required number": {
    v1: { length: { type: "number", required: true } },
    v2: {
      metres: { type: "decimal", scale: 2, required: true, converted: true, filterable: true },
    },
    pair: {
      toNewer: `metres: (older.length / 100).toFixed(2)`,
      toOlder: `length: Math.round(Number(newer.metres) * 100)`,
    },
    made: (number) => number * 33,
    shown: (length) => ({ metres: (Number(length) / 100).toFixed(2) }),
  },
  "an object that becomes a text": {
    v1: { box: { type: "object", properties: { wide: "integer", high: "integer" } } },
    v2: { format: { type: "string", maxLength: 40, converted: true } },
    pair: {
      toNewer: `format: or(older.box, ({ wide, high }) => wide + "x" + high)`,
      toOlder: `box: or(newer.format, (format) => { const [wide, high] = format.split("x"); return { wide: Number(wide), high: Number(high) }; })`,
    },
    made: (number) => ({ wide: number, high: number + 1 }),
    shown: (box) => ({
      format: orNull(box, ({ wide, high }: Yaml) => `${String(wide)}x${String(high)}`),
    }),
  },
  "a member of an object that is renamed": {
    v1: { where: { type: "object", properties: { street: "string", door: "integer" } } },
    v2: {
      place: {
        type: "object",
        renamedFrom: "where",
        properties: {
          street: "string",
          floor: { type: "integer", converted: true },
          room: { type: "integer", converted: true },
        },
      },
    },
    file: {
      "src/custom/conversions/orders.where-v1-to-v2.ts": `${CODE}export const ordersWhereV1ToV2 = {
  toNewer: ({ door }) => ({ floor: or(door, (one) => Math.floor(one / 100)), room: or(door, (one) => one % 100) }),
  toOlder: ({ floor, room }) => ({ door: floor === null || room === null ? null : floor * 100 + room }),
};
`,
    },
    made: (number) => ({ street: "Main", door: number % 3 === 0 ? null : number * 101 }),
    shown: (where) => ({
      place: orNull(where, ({ street, door }: Yaml) => ({
        street,
        floor: orNull(door, (one: number) => Math.floor(one / 100)),
        room: orNull(door, (one: number) => one % 100),
      })),
    }),
  },
  "a required member of list items": {
    v1: {
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: "string", grams: { type: "integer", required: true } },
        },
      },
    },
    v2: {
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: {
            sku: "string",
            weight: { type: "decimal", scale: 3, required: true, converted: true },
          },
        },
      },
    },
    file: {
      "src/custom/conversions/orders.lines-v1-to-v2.ts": `export const ordersLinesV1ToV2 = {
  toNewer: ({ grams }) => ({ weight: (grams / 1000).toFixed(3) }),
  toOlder: ({ weight }) => ({ grams: Math.round(Number(weight) * 1000) }),
};
`,
    },
    made: (number) =>
      Array.from({ length: number % 3 }, (_, line) => ({
        sku: `s${line}`,
        grams: number * 250 + line,
      })),
    shown: (lines) => ({
      lines: ((lines ?? []) as readonly { sku: string; grams: number }[]).map(({ sku, grams }) => ({
        sku,
        weight: (grams / 1000).toFixed(3),
      })),
    }),
  },
  "a property with another name": {
    v1: { phone: { type: "string", maxLength: 40, filterable: true } },
    v2: { phoneNumber: { type: "string", maxLength: 40, filterable: true, renamedFrom: "phone" } },
    made: (number) => `+46 ${number}`,
    shown: (phone) => ({ phoneNumber: phone }),
  },
  "a property that is removed": {
    v1: { due: { type: "string", format: "date" } },
    v2: {},
    removed: "due",
    made: () => "2026-11-26",
    shown: () => ({}),
  },
  "an enum with a value more": {
    v1: { status: { enum: ["low", "high"] } },
    v2: { status: { enum: ["low", "middle", "high"], inOlderVersions: { middle: "high" } } },
    made: (number) => (number % 3 === 0 ? "low" : "high"),
    shown: (status) => ({ status }),
  },
  "a new property with a default": {
    v1: {},
    v2: { rank: { type: "integer", required: true, default: 3 } },
    made: () => undefined,
    shown: () => ({ rank: 3 }),
  },
};

/** Not among those that are tried together: the name of what rows are read by, and what two rows can have. */
const ALONE: Readonly<Record<string, Difference>> = {
  "a property that is called id": {
    v1: { id: { type: "string", maxLength: 40 } },
    v2: { number: { type: "integer", converted: true } },
    pair: {
      toNewer: `number: or(older.id, Number)`,
      toOlder: `id: or(newer.number, String)`,
    },
    made: (number) => String(number),
    shown: (id) => ({ number: orNull(id, Number) }),
  },
  "a decimal in an object, in another form": {
    v1: { box: { type: "object", properties: { grams: "integer" } } },
    v2: {
      box: {
        type: "object",
        properties: { kilograms: { type: "decimal", scale: 5, converted: true } },
      },
    },
    file: {
      "src/custom/conversions/orders.box-v1-to-v2.ts": `${CODE}export const ordersBoxV1ToV2 = {
  toNewer: ({ grams }) => ({ kilograms: or(grams, (one) => String(one / 1000)) }),
  toOlder: ({ kilograms }) => ({ grams: or(kilograms, (one) => Math.round(Number(one) * 1000)) }),
};
`,
    },
    made: (number) => ({ grams: number * 500 }),
    shown: (box) => ({
      box: orNull(box, ({ grams }: Yaml) => ({ kilograms: (Number(grams) / 1000).toFixed(5) })),
    }),
  },
  "an object whose members come in another order": {
    v1: { box: { type: "object", properties: { wide: "integer", high: "integer" } } },
    v2: { format: { type: "string", maxLength: 40, converted: true } },
    pair: {
      toNewer: `format: or(older.box, ({ wide, high }) => wide + "x" + high)`,
      toOlder: `box: or(newer.format, (format) => { const [wide, high] = format.split("x"); return { high: Number(high), wide: Number(wide) }; })`,
    },
    made: (number) => ({ wide: number, high: number + 1 }),
    shown: (box) => ({
      format: orNull(box, ({ wide, high }: Yaml) => `${String(wide)}x${String(high)}`),
    }),
  },
};

/** What the words of the schema convert, which custom code has no part in. */
const BY_WORDS: Readonly<Record<string, Difference>> = {
  "a decimal of small units": {
    v1: { cents: { type: "integer", required: true } },
    v2: {
      amount: {
        ...{ type: "decimal", scale: 2, required: true, filterable: "range" },
        converted: { from: "cents", unit: 100 },
      },
    },
    made: (number) => number * 333 - 1999,
    shown: (cents) => ({ amount: (Number(cents) / 100).toFixed(2) }),
  },
  "an enum with other names": {
    v1: { status: { enum: ["open", "done"] } },
    v2: {
      progress: {
        ...{ enum: ["open", "closed"], filterable: true },
        converted: { from: "status", values: { done: "closed" } },
      },
    },
    made: (number) => (number % 3 === 0 ? "open" : "done"),
    shown: (status) => ({ progress: status === "done" ? "closed" : status }),
  },
};

const CLASH: Readonly<Record<string, Difference>> = {
  "two rows with one value": {
    v1: { size: { type: "integer", unique: true } },
    v2: {
      tens: { type: "integer", converted: true, unique: true },
      rest: { type: "integer", converted: true },
    },
    pair: {
      toNewer: `tens: or(older.size, (size) => Math.floor(size / 10)), rest: or(older.size, (size) => size % 10)`,
      toOlder: `size: newer.tens === null ? null : newer.tens * 10 + newer.rest`,
    },
    made: (number) => number,
    shown: () => ({}),
  },
};

type Names = readonly string[];

function chosen(names: Names): readonly Difference[] {
  return names.flatMap(
    (name) => DIFFERENCES[name] ?? ALONE[name] ?? BY_WORDS[name] ?? CLASH[name] ?? [],
  );
}

function projectOf(names: Names, versions: readonly ("v1" | "v2")[]): Texts {
  const differences = chosen(names);
  const removed = differences.flatMap((one) => one.removed ?? []);
  const files = versions.map((version) => {
    const own = Object.assign({}, ...differences.map((one) => one[version])) as Yaml;
    const gone = version === "v2" && removed.length > 0;
    const yaml = {
      ...{ resource: "orders", entity: "order", properties: { title: "string", ...own } },
      ...(gone && { removed: Object.fromEntries(removed.map((name) => [name, "not asked for"])) }),
    };
    return [`resources/${version}/orders.yaml`, stringify(yaml)] as const;
  });
  const served = versions.map((version) => `${version}: draft`).join(", ");
  return {
    "service.yaml": `service: store\nversions: { ${served} }\n`,
    ...Object.fromEntries(files),
  };
}

/** The files of all pairs. */
function pairsOf(names: Names): Texts {
  const pairs = chosen(names).flatMap(({ pair }) => pair ?? []);
  const whole = `${CODE}export const ordersV1ToV2 = {
  toNewer: (older) => ({ ${pairs.map(({ toNewer }) => toNewer).join(", ")} }),
  toOlder: (newer) => ({ ${pairs.map(({ toOlder }) => toOlder).join(", ")} }),
};
`;
  return Object.assign(
    pairs.length > 0 ? { "src/custom/conversions/orders-v1-to-v2.ts": whole } : {},
    ...chosen(names).map(({ file = {} }) => file),
  ) as Texts;
}

let compilations = 0;

/** A release with v1 alone, and the one after it with both. */
async function releases(names: Names): Promise<readonly [OrderService, OrderService]> {
  compilations += 1;
  const first = await compiled(
    `converted-${compilations}-v1`,
    await renderValid(projectOf(names, ["v1"])),
  );
  const both = await renderValid({ ...projectOf(names, ["v1", "v2"]), ...first.migrations });
  const pairs = pairsOf(names);
  const change = (texts: Texts): Texts => ({ ...texts, ...pairs });
  return [first, await compiled(`converted-${compilations}-v2`, both, change)];
}

/** An order of v1: every fourth value that may be null is. */
function order(names: Names, number: number): Yaml {
  const values = chosen(names).flatMap(({ v1, made }, turn) =>
    Object.entries(v1).map(([name, yaml]) => {
      const isNullable = !JSON.stringify(yaml).includes("required") && name !== "lines";
      return [name, isNullable && (number + turn) % 4 === 0 ? null : made(number)] as const;
    }),
  );
  return { title: `order ${number}`, ...Object.fromEntries(values) };
}

/** All orders as a version shows them. */
async function shown(
  service: OrderService,
  url: string,
  version: string,
): Promise<readonly Yaml[]> {
  return whileServing(service, url, async (orders) => {
    const list = `${orders.replace("v1", version)}?sort=createdDate&pageSize=100`;
    const { results } = (await (await fetch(list)).json()) as { results: readonly Yaml[] };
    return results;
  });
}

function newer(names: Names, older: Yaml): Yaml {
  const parts = chosen(names).map(({ v1, shown }) => {
    const [name] = Object.keys(v1);
    return shown((name === undefined ? undefined : older[name]) as never);
  });
  return Object.assign({ title: older["title"] }, ...parts) as Yaml;
}

const ALL = Object.keys(DIFFERENCES);
const sets = [
  ALL,
  ...Object.keys(ALONE).map((name) => [name]),
  Object.keys(BY_WORDS),
  ...fc.sample(fc.subarray(ALL, { minLength: 1 }), { numRuns: SETS - 1, seed: 20_261_126 }),
];

test.each(
  sets.map((names) => ({ names, what: names.length === ALL.length ? "all" : names.join(", ") })),
)(
  "v1 shows the rows of before as before, and v2 what own code makes of them: $what",
  async ({ names }) => {
    const [first, both] = await releases(names);
    for (const database of DATABASES) {
      const url = await newDatabase(database);
      await whileServing(first, url, async (orders) => {
        for (let number = 1; number <= ROWS; number += 1) {
          await placeOrder(orders, order(names, number));
        }
      });
      const before = await shown(first, url, "v1");
      expect(before).toHaveLength(ROWS);
      expect(await shown(both, url, "v1"), database).toEqual(before);
      const expected = before.map((one) => newer(names, one));
      expect(await shown(both, url, "v2"), database).toMatchObject(expected);
      // What is written through v1 then is seen through both.
      await whileServing(both, url, async (orders) => {
        await placeOrder(orders, order(names, ROWS + 1));
      });
      const after = await shown(both, url, "v1");
      expect(after.slice(0, ROWS), database).toEqual(before);
      expect(after[ROWS]).toMatchObject(order(names, ROWS + 1));
      const last = (await shown(both, url, "v2"))[ROWS];
      expect(last).toMatchObject(newer(names, after[ROWS] ?? {}));
    }
  },
);

const UNITS = ["an integer in other units"];
const [first, both] = await releases(UNITS);

test.each(DATABASES)("%s: what is written through v2 is seen through v1", async (database) => {
  const url = await newDatabase(database);
  await whileServing(first, url, (orders) => placeOrder(orders, order(UNITS, 1)));
  await whileServing(both, url, async (orders) => {
    const list = orders.replace("v1", "v2");
    const two = await placeOrder(list, { title: "new", millimetres: 1230 });
    const one = (await (await fetch(two.replace("v2", "v1"))).json()) as Yaml;
    expect(one).toMatchObject({ title: "new", size: 123 });
    expect(await (await fetch(`${list}?millimetres=-130`)).json()).toMatchObject({ itemCount: 1 });
  });
});

const WORDS = Object.keys(BY_WORDS);
const [, byWords] = await releases(WORDS);

test.each(DATABASES)(
  "%s: a retired version that is served again has its form of all rows",
  async (database) => {
    const served = projectOf(WORDS, ["v1", "v2"]);
    const status = { "service.yaml": "service: store\nversions: { v1: retired, v2: draft }\n" };
    const retired = await compiled(
      "converted-retired",
      await renderValid({ ...served, ...status, ...byWords.migrations }),
    );
    const project = await renderValid({ ...served, ...retired.migrations });
    const again = await compiled("converted-again", project);
    const url = await newDatabase(database);
    await whileServing(byWords, url, (orders) => placeOrder(orders, order(WORDS, 1)));
    await whileServing(retired, url, (orders) =>
      placeOrder(orders.replace("v1", "v2"), { title: "order 2", amount: "0.70" }),
    );
    expect(await shown(again, url, "v1")).toMatchObject([
      { title: "order 1", cents: -1666, status: "done" },
      { title: "order 2", cents: 70, status: null },
    ]);
  },
);

test.each(DATABASES)(
  "%s: each version reads and finds what the other wrote, in its own words",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(byWords, url, async (orders) => {
      const list = orders.replace("v1", "v2");
      const sent = { title: "a", amount: "19.99", progress: "closed" };
      const two = await placeOrder(list, sent);
      const read = async (at: string): Promise<Yaml> => (await (await fetch(at)).json()) as Yaml;
      const inV1 = two.replace("v2", "v1");
      const one = { title: "a", cents: 1999, status: "done" };
      expect(await read(inV1)).toMatchObject(one);
      // What v1 shows is sent back, and changes nothing; then it changes something else.
      for (const title of ["a", "b"]) {
        const answer = await fetch(inV1, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...one, title }),
        });
        expect(answer.status).toBe(200);
        expect(await read(two)).toMatchObject({ ...sent, title });
      }
      const found = await read(`${list}?amount.atLeast=19.99&progress=closed`);
      expect(found).toMatchObject({ itemCount: 1 });
    });
  },
);

test.each(
  DATABASES.flatMap((database) => [
    { database, size: 666, what: "own code throws for" },
    { database, size: 30_000, what: "v2 could not have been sent" },
  ]),
)(
  "$database: a row that $what refuses the migration, and v1 goes on as before",
  async ({ database, size }) => {
    const url = await newDatabase(database);
    await whileServing(first, url, async (orders) => {
      for (const number of [1, 2]) await placeOrder(orders, order(UNITS, number));
      await placeOrder(orders, { ...order(UNITS, 3), size });
    });
    const before = await shown(first, url, "v1");
    expect(await refusal(both, url)).toContain(
      `1 row violates it (rows of orders that ordersV1ToV2 cannot convert): ${String(before[2]?.["orderId"])}. Nothing of it was done: ordersV1ToV2 cannot convert `,
    );
    expect(await shown(first, url, "v1")).toEqual(before);
  },
);

test.each(DATABASES)(
  "%s: where converted values are not unique, nothing is done that v1 could not live with",
  async (database) => {
    const [older, newer] = await releases(Object.keys(CLASH));
    const url = await newDatabase(database);
    await whileServing(older, url, async (orders) => {
      for (const size of [11, 12]) await placeOrder(orders, { title: "t", size });
    });
    const before = await shown(older, url, "v1");
    expect(await refusal(newer, url)).toMatch(/unique|UNIQUE/);
    expect(await shown(older, url, "v1")).toEqual(before);
    await whileServing(older, url, (orders) => placeOrder(orders, { title: "t", size: 30 }));
    expect(await refusal(newer, url)).toMatch(/unique|UNIQUE/);
    expect((await shown(older, url, "v1")).slice(0, 2)).toEqual(before);
  },
);
