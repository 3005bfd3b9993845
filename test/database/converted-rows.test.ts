import { stringify } from "yaml";
import { expect, test } from "vitest";
import { renderValid, type Texts } from "../support/render-files.js";
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

const V1 = {
  resource: "orders",
  entity: "order",
  properties: {
    title: "string",
    size: { type: "integer" },
    weight: { type: "decimal", scale: 2 },
    open: "boolean",
    phone: { type: "string", maxLength: 40 },
    due: { type: "string", format: "date" },
    status: { enum: ["low", "high"] },
    length: { type: "integer", required: true },
    where: { type: "object", properties: { street: "string", door: "integer" } },
    lines: {
      type: "array",
      items: { type: "object", properties: { sku: "string", grams: "integer" } },
    },
  },
};

const V2 = {
  resource: "orders",
  entity: "order",
  removed: { due: "nobody asks for it" },
  properties: {
    title: "string",
    millimetres: { type: "integer", converted: true, filterable: true },
    kilograms: { type: "decimal", scale: 5, converted: true, sortable: true },
    state: { enum: ["open", "closed"], converted: true },
    metres: { type: "decimal", scale: 2, required: true, converted: true, filterable: true },
    phoneNumber: { type: "string", maxLength: 40, renamedFrom: "phone" },
    status: { enum: ["low", "middle", "high"], inOlderVersions: { middle: "high" } },
    place: {
      type: "object",
      renamedFrom: "where",
      properties: {
        street: "string",
        floor: { type: "integer", converted: true },
        room: { type: "integer", converted: true },
      },
    },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: "string", weight: { type: "decimal", scale: 3, converted: true } },
      },
    },
    rank: { type: "integer", required: true, default: 3 },
  },
};

const PAIRS: Texts = {
  "src/custom/conversions/orders-v1-to-v2.ts": `export const ordersV1ToV2 = {
  toNewer: ({ size, weight, open, length }) => {
    if (size === 666) throw new Error("not this one");
    return {
      millimetres: size === null ? null : size * 10,
      kilograms: weight === null ? null : (Number(weight) / 1000).toFixed(5),
      state: open === null ? null : open ? "open" : "closed",
      metres: (length / 100).toFixed(2),
    };
  },
  toOlder: ({ millimetres, kilograms, state, metres }) => ({
    size: millimetres === null ? null : Math.min(millimetres / 10, 1000),
    weight: kilograms === null ? null : (Number(kilograms) * 1000).toFixed(2),
    open: state === null ? null : state === "open",
    length: Math.round(Number(metres) * 100),
  }),
};
`,
  "src/custom/conversions/orders.where-v1-to-v2.ts": `export const ordersWhereV1ToV2 = {
  toNewer: ({ door }) => ({
    floor: door === null ? null : Math.floor(door / 100),
    room: door === null ? null : door % 100,
  }),
  toOlder: ({ floor, room }) => ({
    door: floor === null || room === null ? null : floor * 100 + room,
  }),
};
`,
  "src/custom/conversions/orders.lines-v1-to-v2.ts": `export const ordersLinesV1ToV2 = {
  toNewer: ({ grams }) => ({ weight: grams === null ? null : (grams / 1000).toFixed(3) }),
  toOlder: ({ weight }) => ({ grams: weight === null ? null : Math.round(Number(weight) * 1000) }),
};
`,
};

const first = await compiled("converted-v1", await renderValid(projectOf({ v1: V1 })));
const both = await compiled(
  "converted-v2",
  await renderValid({ ...projectOf({ v1: V1, v2: V2 }), ...first.migrations }),
  (texts) => ({ ...texts, ...PAIRS }),
);

function projectOf(versions: Readonly<Record<string, object>>): Texts {
  const names = Object.keys(versions).map((version) => `${version}: draft`);
  return {
    "service.yaml": `service: store\nversions: { ${names.join(", ")} }\n`,
    ...Object.fromEntries(
      Object.entries(versions).map(([version, yaml]) => [
        `resources/${version}/orders.yaml`,
        stringify(yaml),
      ]),
    ),
  };
}

/** An order of v1: every fourth value is left out. */
function order(number: number): Yaml {
  const given = (value: unknown, turn: number): unknown =>
    (number + turn) % 4 === 0 ? null : value;
  return {
    title: `order ${number}`,
    size: given(number * 7 - 20, 0),
    weight: given(`${number}.${String(number % 100).padStart(2, "0")}`, 1),
    open: given(number % 2 === 0, 2),
    phone: given(`+46 ${number}`, 3),
    due: given("2026-11-26", 0),
    length: number * 33,
    status: given(number % 3 === 0 ? "low" : "high", 1),
    where: given({ street: "Main", door: given(number * 101, 3) }, 2),
    lines: Array.from({ length: number % 3 }, (_, line) => ({
      sku: `s${line}`,
      grams: given(number * 250 + line, line),
    })),
  };
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

function newer({ size, weight, open, length, where, lines }: Yaml): Yaml {
  const made = (value: unknown, make: (value: never) => unknown): unknown =>
    value === null ? null : make(value as never);
  return {
    millimetres: made(size, (cm: number) => cm * 10),
    kilograms: made(weight, (grams: string) => (Number(grams) / 1000).toFixed(5)),
    state: made(open, (isOpen: boolean) => (isOpen ? "open" : "closed")),
    metres: (Number(length) / 100).toFixed(2),
    place: made(where, ({ street, door }: { street: string; door: number | null }) => ({
      street,
      floor: made(door, (number: number) => Math.floor(number / 100)),
      room: made(door, (number: number) => number % 100),
    })),
    lines: (lines as readonly { sku: string; grams: number | null }[]).map(({ sku, grams }) => ({
      sku,
      weight: made(grams, (number: number) => (number / 1000).toFixed(3)),
    })),
  };
}

test.each(DATABASES)(
  "%s: v1 shows the rows of before as before, v2 what own code makes of them, and both what is written then",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(first, url, async (orders) => {
      for (let number = 1; number <= 40; number += 1) await placeOrder(orders, order(number));
    });
    const before = await shown(first, url, "v1");
    expect(before).toHaveLength(40);
    expect(await shown(both, url, "v1")).toEqual(before);
    expect(await shown(both, url, "v2")).toMatchObject(
      before.map((one) => ({ ...newer(one), phoneNumber: one["phone"], rank: 3 })),
    );
    // What is written through either is seen through both.
    await whileServing(both, url, async (orders) => {
      const made = await placeOrder(orders, order(50));
      const [one, two] = [made, made.replace("v1", "v2")];
      const body = JSON.stringify({
        millimetres: 1230,
        place: { street: "Side", floor: 2, room: 5 },
      });
      const headers = { "content-type": "application/json" };
      expect((await fetch(two, { method: "PATCH", headers, body })).status).toBe(200);
      const found = (await (await fetch(one)).json()) as Yaml;
      expect(found).toMatchObject({ size: 123, where: { street: "Side", door: 205 } });
      const few = `${orders.replace("v1", "v2")}?millimetres=1230`;
      expect(await (await fetch(few)).json()).toMatchObject({ itemCount: 1 });
    });
    expect((await shown(both, url, "v1")).slice(0, 40)).toEqual(before);
  },
);

test.each(
  DATABASES.flatMap((database) => [
    { database, size: 666, what: "own code throws for" },
    { database, size: 20_000, what: "v1 would show otherwise" },
  ]),
)(
  "$database: a row that $what refuses the migration, and v1 goes on as before",
  async ({ database, size }) => {
    const url = await newDatabase(database);
    await whileServing(first, url, async (orders) => {
      for (const number of [1, 2]) await placeOrder(orders, order(number));
      await placeOrder(orders, { ...order(3), size });
    });
    const before = await shown(first, url, "v1");
    expect(await refusal(both, url)).toContain(
      `1 row stands in its way (rows of orders that ordersV1ToV2 would change for older versions): ${String(before[2]?.["orderId"])}.`,
    );
    expect(await shown(first, url, "v1")).toEqual(before);
  },
);
