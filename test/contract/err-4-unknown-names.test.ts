import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { customCode, type Hooks } from "./support/custom-code.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

// Names that nothing has are refused alike, whether custom code has a word in it or not.

const service = await startService();
const shop = await startService("versions");
const widgets = await customCode("widgets");
const orders = await customCode("orders", "versions");

function unknown(count: number, prefix = "x"): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));
}

const NAMES = ["one", "another", "__proto__", "constructor", "toString", ".a", "[0]", "5", ""];
const strange: JsonObject = Object.fromEntries(NAMES.map((name) => [name, 1]));

const WIDGET_BODIES: Readonly<Record<string, JsonObject>> = {
  "one name": { name: "drill", colour: "red" },
  "near names": { name: "drill", nam: 1, sise: 2, deliveryAddres: 3 },
  "strange names": { name: "drill", ...strange },
  "a long name": { name: "drill", ["n".repeat(3000)]: 1 },
  "names in objects": { name: "drill", deliveryAddress: { place: unknown(5), ...unknown(5) } },
  "names in the items of a list": { name: "drill", parts: [unknown(3), { label: "a", b: 1 }] },
  "names beside wrong values": { ...unknown(3), name: 5, size: "x", tags: ["a", "a"] },
  "100 names": { name: "drill", ...unknown(100) },
  "1,000 names before a wrong value": { ...unknown(1000), name: 5 },
  "1,000 names in an object": { name: "drill", deliveryAddress: unknown(1000) },
};

const ORDER_BODIES: Readonly<Record<string, JsonObject>> = {
  "names of both versions": { remark: "a", note: "b", deliveryAddress: {}, shippingAddress: {} },
  "names in objects": {
    deliveryAddress: { zip: "1", postalCode: "2" },
    shippingAddress: { zip: "1" },
  },
  "names in the items of a list": {
    lines: [{ sku: "a", article: "b", quantity: 1, ...unknown(2) }],
  },
  "names beside wrong values": { ...unknown(3), note: 5, remark: 5, lines: 1, status: "lost" },
  "1,000 names before wrong values": { ...unknown(1000), ...strange, note: 5, remark: 5 },
};

const ROWS = [
  ...Object.entries(WIDGET_BODIES).map(([what, body]) => [WIDGETS, what, body] as const),
  ...["/api/v1/orders", "/api/v2/orders"].flatMap((path) =>
    Object.entries(ORDER_BODIES).map(([what, body]) => [path, what, body] as const),
  ),
];

async function answers(path: string, body: JsonObject): Promise<string> {
  const answer = await (path === WIDGETS ? service : shop).send("POST", path, { body });
  expect(answer.status).toBe(400);
  return answer.text;
}

test.each(ROWS)("%s, %s: a rule without a problem changes no byte", async (path, _what, body) => {
  const hooks: Hooks = path === WIDGETS ? widgets : orders;
  const without = await answers(path, body);
  const asked: Json[] = [];
  hooks.validate = (next, stored, problems) => {
    asked.push(stored);
    // A rule that goes through all that was read ends at what is refused.
    for (const name of Object.keys(next)) if (next[name] === "nothing") problems.add(name, "is");
    problems.add("never", "is reached where a name is unknown");
  };
  expect(await answers(path, body)).toBe(without);
  expect(asked).toEqual([null]);
  delete hooks.validate;
});

test("what a rule says of a known property is listed beside unknown names, by the name of its version", async () => {
  orders.validate = (next, _stored, problems) => {
    if (next["note"] === "short") problems.add("note", "is too short");
  };
  for (const [path, name] of [
    ["/api/v1/orders", "remark"],
    ["/api/v2/orders", "note"],
  ] as const) {
    const { json } = await shop.send("POST", path, { body: { [name]: "short", ...unknown(20) } });
    const [error] = json["errors"] as readonly JsonObject[];
    expect(error?.["fields"]).toContainEqual({ field: name, message: "is too short" });
  }
  delete orders.validate;
});
