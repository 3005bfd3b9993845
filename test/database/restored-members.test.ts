import { expect, test } from "vitest";
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

// Properties that are removed, and come back: columns, and what stands in objects and in items of lists.

const ID = "0190b5a4-7c3e-7abc-8def-0123456789ab";

/** Each kind as it was, as it comes back, a value, and what a row has that was made in between. */
const KINDS: Readonly<Record<string, { was: Yaml; is: Yaml; value: unknown; other: unknown }>> = {
  word: {
    was: { type: "string" },
    is: { type: "string", maxLength: 5 },
    value: "one",
    other: null,
  },
  fee: {
    was: { type: "decimal", scale: 2 },
    is: { type: "decimal", scale: 3, required: true, default: "2" },
    value: "1.50",
    other: "2.000",
  },
  count: {
    was: { type: "integer", required: true },
    is: { type: "integer", required: true, default: 7, maximum: 9 },
    value: 1,
    other: 7,
  },
  weight: { was: { type: "number" }, is: { type: "number" }, value: 0.5, other: null },
  tight: {
    was: { type: "boolean" },
    is: { type: "boolean", required: true, default: true },
    value: false,
    other: true,
  },
  colour: {
    was: { enum: ["red", "blue"] },
    is: { enum: ["red"], required: true, default: "red" },
    value: "red",
    other: "red",
  },
  since: {
    was: { type: "timestamp" },
    is: { type: "timestamp" },
    value: "2024-02-29T23:59:59.999Z",
    other: null,
  },
  key: { was: { type: "uuid" }, is: { type: "uuid" }, value: ID, other: null },
  labels: {
    was: { type: "array", items: "string" },
    is: { type: "array", items: "string", maxItems: 3 },
    value: ["a"],
    other: [],
  },
  inside: {
    was: { type: "object", properties: { word: "string" } },
    is: { type: "object", properties: { word: "string", more: "string" } },
    value: { word: "w" },
    other: null,
  },
};

type Form = "was" | "is";

function kinds(form: Form): Yaml {
  return Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, kind[form]]));
}

function values(part: "value" | "other"): Yaml {
  return Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, kind[part]]));
}

function properties(inside: Yaml, deepest: Yaml = inside): Yaml {
  const { inside: _inside, ...leaves } = deepest;
  const deep = { type: "object", properties: { kept: "string", ...leaves } };
  const object = { type: "object", properties: { kept: "string", ...inside, deep } };
  const item = { type: "object", properties: { kept: "string", ...leaves } };
  return { kept: "string", ...inside, object, lines: { type: "array", items: item } };
}

const REMOVED = Object.fromEntries(
  ["", "object.", "object.deep.", "lines."].flatMap((place) =>
    Object.keys(KINDS)
      .filter((name) => name !== "inside" || !/deep|lines/.test(place))
      .map((name) => [`${place}${name}`, "why"] as const),
  ),
);

const first = await orderService("restored-1", properties(kinds("was")));
const second = await orderService("restored-2", properties({}), { removed: REMOVED }, first);
const third = await orderService("restored-3", properties(kinds("is")), {}, second);

/** An order as it is sent, and as it is answered. */
function order(part: Yaml): Yaml {
  const { inside: _inside, ...leaves } = part;
  const deep = { kept: "k", ...leaves };
  return {
    kept: "k",
    ...part,
    object: { kept: "k", ...part, deep },
    lines: [{ kept: "k", ...leaves }],
  };
}

async function patch(url: string, orders: string, body: Yaml): Promise<void> {
  const headers = { "content-type": "application/json" };
  const path = new URL(url).pathname.replace(/^.*\//, "");
  const answer = await fetch(`${orders}/${path}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

test.each(DATABASES)(
  "%s: what was removed and comes back has its values, also where it was written in between, and rows without get null, a default or an empty list",
  async (database) => {
    const url = await newDatabase(database);
    const old = await whileServing(first, url, (orders) =>
      placeOrder(orders, order(values("value"))),
    );
    const made = await whileServing(second, url, async (orders) => {
      await patch(old, orders, { object: { kept: "new", deep: { kept: "newer" } } });
      return placeOrder(orders, order({}));
    });
    await whileServing(third, url, async (orders) => {
      const { object, ...others } = await readOrder(orders, old);
      const was = order({ ...values("value"), fee: "1.500", inside: { word: "w", more: null } });
      const { object: wasObject, ...wasOthers } = was as { object: Yaml };
      expect(others).toMatchObject(wasOthers);
      const deep = { ...(wasObject["deep"] as Yaml), kept: "newer" };
      expect(object).toEqual({ ...wasObject, kept: "new", deep });
      expect(await readOrder(orders, made)).toMatchObject(order(values("other")));
      const list = (await (await fetch(orders)).json()) as { results: unknown[] };
      expect(list.results).toHaveLength(2);
    });
  },
);

const WORD = { word: { type: "string", required: true } };
const item = (held: Yaml): Yaml => ({ type: "object", properties: { kept: "string", ...held } });
const PLACES: Readonly<
  Record<string, { schema: (held: Yaml) => Yaml; order: (held: Yaml) => Yaml }>
> = {
  word: { schema: (held) => ({ kept: "string", ...held }), order: (held) => held },
  "object.word": {
    schema: (held) => ({ object: item(held) }),
    order: (held) => ({ object: held }),
  },
  "lines.word": {
    schema: (held) => ({ lines: { type: "array", items: item(held) } }),
    order: (held) => ({ lines: [held] }),
  },
};

test.each(Object.entries(PLACES))(
  "rows that were made while the required %s was removed refuse the migration that brings it back",
  async (path, { schema, order: body }) => {
    const name = path.replace(".", "-");
    const removed = { removed: { [path]: "why" } };
    const before = await orderService(`asked-1-${name}`, schema(WORD));
    const without = await orderService(`asked-2-${name}`, schema({}), removed, before);
    const after = await orderService(`asked-3-${name}`, schema(WORD), {}, without);
    for (const database of DATABASES) {
      const url = await newDatabase(database);
      await whileServing(before, url, (orders) => placeOrder(orders, body({ word: "w" })));
      const sent = body({ kept: "k" });
      const made = await whileServing(without, url, (orders) => placeOrder(orders, sent));
      const id = new URL(made).pathname.replace(/^.*\//, "");
      expect(await refusal(after, url)).toContain(
        `1 row violates it (rows of orders whose ${path} is null): ${id}`,
      );
    }
  },
);
