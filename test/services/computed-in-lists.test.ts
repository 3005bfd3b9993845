import { afterAll, expect, test } from "vitest";
import { projectOf, Trials } from "../random/trial-of-service.js";
import type { Texts } from "../support/render-files.js";

const trials = new Trials(null);
afterAll(() => trials.stop());

const LINES = `
    type: array
    uniqueItems: true
    items:
      type: object
      properties:
        label: { type: string, required: true, maxLength: 40 }
        quantity: { type: integer, required: true, minimum: 1, maximum: 10000 }
        price: { type: decimal, scale: 2, required: true, minimum: 0, maximum: 1000000 }
        total: { type: decimal, scale: 2, readOnly: true }
        state: { enum: [fresh, counted], readOnly: true, required: true, default: fresh }
        parcel: { type: object, properties: { weight: integer, code: { type: string, readOnly: true } } }
`;
const ORDERS = `resource: orders
entity: order
properties:
  title: { type: string, maxLength: 40 }
  status: { enum: [open, closed], filterable: true }
  factor: { type: integer, required: true, default: 1, minimum: 1, maximum: 9 }
  lines:${LINES}  firstLines:
    immutable: true${LINES}states: { property: status, initial: open, transitions: { open: [closed], closed: [] }, updatableIn: [open] }
`;
/** It renames the list, and a member of the item. */
const RENAMED = ORDERS.replace("  lines:\n", "  positions:\n    renamedFrom: lines\n").replace(
  "quantity: {",
  "pieces: { renamedFrom: quantity,",
);

/** The name of the list, and of how many there are, in the newest version. */
function hooks(list: string, pieces: string, more = ""): Texts {
  const text = `import type { OrderProperties } from "../generated/entities/orders/orders.entity.js";
import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";
import { Decimal } from "@rulebound/runtime";
function compute(order: OrderProperties, stored?: unknown): void {
  for (const line of order.${list}) {
    line.total = Decimal.of(line.price).times(line.${pieces}).times(order.factor).toString();
    line.state = "counted";
    if (line.parcel !== null) line.parcel.code = "P" + line.parcel.weight;
    ${more}
  }
}
function computeAll(order: OrderProperties): void {
  compute(order);
  for (const line of order.firstLines) line.total = Decimal.of(line.price).toString();
}
export const orders: OrderHooks = { beforeCreate: computeAll, beforeUpdate: compute };
`;
  return { "src/custom/orders.ts": text };
}

const ONE = { schemas: { "service.yaml": "service: desk\n", "resources/v1/orders.yaml": ORDERS } };
const TWO = {
  schemas: {
    ...ONE.schemas,
    "service.yaml": "service: desk\nversions: { v1: draft, v2: draft }\n",
    "resources/v2/orders.yaml": RENAMED,
  },
};
const SERVICES = {
  one: { ...ONE, code: hooks("lines", "quantity"), isSecured: false },
  late: {
    ...ONE,
    code: hooks(
      "lines",
      "quantity",
      'if ((stored as OrderProperties | undefined)?.status === "closed") line.total = "0.00";',
    ),
    isSecured: false,
  },
  two: { ...TWO, code: hooks("positions", "pieces"), isSecured: false },
};

type Body = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** Requests to a service of its own. */
async function started(name: keyof typeof SERVICES) {
  const service = SERVICES[name];
  const project = await projectOf(service);
  if (Array.isArray(project)) throw new Error(project.join("\n"));
  const { url } = await trials.start(project, service, `computed-${name}`);
  return async (method: string, path: string, body?: Body): Promise<Answer> => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
}

const TEA = { label: "tea", quantity: 2, price: "2.50", parcel: { weight: 3 } };
const RUM = { label: "rum", quantity: 1, price: "9.00" };
const SOLD_TEA = {
  ...TEA,
  total: "5.00",
  state: "counted",
  parcel: { weight: 3, code: "P3" },
};
const SOLD_RUM = { ...RUM, total: "9.00", state: "counted", parcel: null };

test("a hook writes what clients only read in the items of a list, whatever they send", async () => {
  const send = await started("one");
  const forged = { total: "0.01", state: {}, parcel: { weight: 3, code: ["mine"] } };
  const made = await send("POST", "v1/orders", { lines: [{ ...TEA, ...forged }] });
  expect(made).toMatchObject({ status: 201, body: { lines: [SOLD_TEA] } });
  const path = `v1/orders/${String(made.body["orderId"])}`;
  expect(await send("GET", path)).toEqual({ status: 200, body: made.body });

  const without = await send("PATCH", path, { title: "of Ada" });
  expect(without).toMatchObject({ status: 200, body: { title: "of Ada", lines: [SOLD_TEA] } });
  const added = await send("PATCH", path, { lines: [RUM, TEA] });
  expect(added).toMatchObject({ status: 200, body: { lines: [SOLD_RUM, SOLD_TEA] } });
  const more = await send("PUT", path, { ...added.body, lines: [{ ...RUM, quantity: 3 }, TEA] });
  const threeRums = { ...SOLD_RUM, quantity: 3, total: "27.00" };
  expect(more).toMatchObject({ status: 200, body: { lines: [threeRums, SOLD_TEA] } });
  expect((await send("GET", path)).body).toEqual(more.body);

  const dearer = await send("PATCH", path, { factor: 2 });
  expect(dearer.body["lines"]).toMatchObject([{ total: "54.00" }, { total: "10.00" }]);
});

test("an item that is sent as it is stored keeps what the service has written", async () => {
  const send = await started("one");
  const made = await send("POST", "v1/orders", { lines: [TEA, RUM], firstLines: [TEA, RUM] });
  const path = `v1/orders/${String(made.body["orderId"])}`;
  const first = made.body["firstLines"];
  // No hook writes that of the immutable list again.
  expect(first).toMatchObject([{ total: "2.50", state: "fresh" }, { total: "9.00" }]);
  expect(await send("PUT", path, made.body)).toEqual({ status: 200, body: made.body });
  const short = { ...made.body, lines: [TEA, RUM], firstLines: [TEA, RUM] };
  expect(await send("PUT", path, short)).toEqual({ status: 200, body: made.body });
  const refused = await send("PATCH", path, { firstLines: [RUM, TEA] });
  expect(refused.status).toBe(400);

  // STA-3: what changes nothing is never refused.
  const closed = await send("PATCH", path, { status: "closed" });
  expect(closed.status).toBe(200);
  expect(await send("PATCH", path, { lines: [TEA, RUM] })).toEqual(closed);
  expect((await send("PATCH", path, { lines: [TEA] })).status).toBe(409);
});

test("own code writes it in every state", async () => {
  const send = await started("late");
  const made = await send("POST", "v1/orders", { lines: [TEA] });
  const path = `v1/orders/${String(made.body["orderId"])}`;
  expect((await send("PATCH", path, { status: "closed" })).status).toBe(200);
  const written = { status: 200, body: { lines: [{ ...SOLD_TEA, total: "0.00" }] } };
  expect(await send("PATCH", path, {})).toMatchObject(written);
});

test("a version that renames the list, or a member of its items, shows the same", async () => {
  const send = await started("two");
  const made = await send("POST", "v1/orders", { lines: [TEA, { ...RUM, total: "0.01" }] });
  expect(made).toMatchObject({ status: 201, body: { lines: [SOLD_TEA, SOLD_RUM] } });
  const path = `orders/${String(made.body["orderId"])}`;
  const renamed = ({ quantity, ...rest }: typeof TEA | typeof SOLD_TEA) => ({
    pieces: quantity,
    ...rest,
  });
  const newer = await send("GET", `v2/${path}`);
  expect(newer.body["positions"]).toMatchObject([renamed(SOLD_TEA), { total: "9.00" }]);
  const fewer = await send("PATCH", `v2/${path}`, { positions: [{ ...renamed(TEA), pieces: 4 }] });
  expect(fewer.body["positions"]).toMatchObject([{ pieces: 4, total: "10.00" }]);
  const older = await send("PATCH", `v1/${path}`, { lines: [RUM, { ...TEA, quantity: 4 }] });
  const four = { ...SOLD_TEA, quantity: 4, total: "10.00" };
  expect(older).toMatchObject({ status: 200, body: { lines: [SOLD_RUM, four] } });
});

test.each(["one", "two"] as const)("verify has nothing to say about it: %s", async (name) => {
  for (const leave of [true, false]) {
    const folder = `verified-${name}-${leave}`;
    expect(await trials.failures(SERVICES[name], { name: folder, leave })).toEqual([]);
  }
});

const READ_ONLY = ", readOnly: true";
const counted = (flag: string) => `resource: orders
entity: order
properties:
  lines: { type: array, items: { type: object, properties: { quantity: { type: integer, required: true }, total: { type: integer${flag} } } } }
`;

test.each([
  { older: READ_ONLY, newer: "" },
  { older: "", newer: READ_ONLY },
])("one version can only read it: v1 $older, v2 $newer", async ({ older, newer }) => {
  const schemas = {
    "service.yaml": "service: desk\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/orders.yaml": counted(older),
    "resources/v2/orders.yaml": counted(newer),
  };
  const service = { schemas, code: {}, isSecured: false };
  const name = `counted-${older.length}`;
  expect(await trials.failures(service, { name, leave: false })).toEqual([]);
});
