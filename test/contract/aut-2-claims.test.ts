import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const keys = await newKeys("only");
const service = await startSecured((await startKeyServer([keys.jwk])).url, {}, "claims");
const ACCOUNTS = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
] as const;
const STAFF = "33333333-3333-4333-8333-333333333333";
const VERSIONS = ["v1", "v2"] as const;

/** Who asks: a subject, with claims of the token. */
interface Asking {
  readonly sub: string;
  readonly claims: JsonObject;
}

/** An order, as the test knows it. */
interface Order {
  readonly id: string;
  readonly parcel: string;
  readonly account: string | null;
  readonly region: string | null;
  readonly department: string | null;
}

const staff: Asking = { sub: STAFF, claims: { kind: "staff", level: 3, auditor: true } };
const askers: readonly Asking[] = [
  ...ACCOUNTS.map((sub) => ({ sub, claims: {} })),
  { sub: STAFF, claims: {} },
  { sub: STAFF, claims: { org: { department: "sales" } } },
  { sub: STAFF, claims: { org: { department: ["sales", "legal"] }, region: "north" } },
  { sub: STAFF, claims: { org: { department: [] }, region: ["south", "north"] } },
  // A claim whose name is the whole path wins.
  { sub: STAFF, claims: { "org.department": "legal", org: { department: "sales" } } },
  { sub: STAFF, claims: { org: { department: null }, region: "" } },
  { sub: STAFF, claims: { org: { department: { sales: true } }, region: "nor%" } },
  { sub: STAFF, claims: { org: { department: "sales\u0000" }, region: "NORTH" } },
  { sub: STAFF, claims: { level: "3", auditor: "true" } },
  { sub: STAFF, claims: { level: [1, 2], auditor: false, kind: ["staff"] } },
  { sub: ACCOUNTS[0], claims: { region: "south", auditor: [false, true] } },
];

async function send(
  { sub, claims }: Asking,
  method: string,
  path: string,
  body?: JsonObject,
): ReturnType<typeof sendAs> {
  const token = await tokenOf(keys, sub, [], { claims: { ...claims } });
  return sendAs(service, token, [method, path], body);
}

async function made(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await send(staff, "POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

async function order(
  account: string | null,
  region: string | null,
  department: string | null,
): Promise<Order> {
  const held = account === null ? null : { accountId: account };
  const { customerId = null } = await made("/api/v1/customers", { account: held, region });
  const { orderId } = await made("/api/v1/orders", { customer: { customerId }, department });
  const id = String(orderId);
  const parcel = await made(`/api/v1/orders/${id}/parcels`, {});
  return { id, parcel: String(parcel["parcelId"]), account, region, department };
}

const orders: Order[] = [];
for (const account of [...ACCOUNTS, null])
  for (const region of ["north", "south", null])
    for (const department of ["sales", "legal", null])
      orders.push(await order(account, region, department));

/** The values of a claim, as texts. */
function textsOf({ claims }: Asking, name: string): string[] {
  const [first = "", second = ""] = name.split(".");
  const inside = (claims[first] ?? {}) as JsonObject;
  const found: Json | undefined = claims[name] ?? (second === "" ? undefined : inside[second]);
  const all = Array.isArray(found) ? (found as Json[]) : [found];
  return all
    .filter((one) => one !== undefined && one !== null && typeof one !== "object")
    .map(String);
}

const equals = (asking: Asking, claim: string, value: string | null): boolean =>
  value !== null && textsOf(asking, claim).includes(value);
const isOwner = ({ sub }: Asking, { account }: Order): boolean => sub === account;

/** What the schema of fixtures/claims gives. */
const may = {
  read: (asking: Asking, one: Order) =>
    isOwner(asking, one) ||
    equals(asking, "org.department", one.department) ||
    textsOf(asking, "level").includes("3"),
  update: (asking: Asking, one: Order) =>
    isOwner(asking, one) || equals(asking, "region", one.region),
  delete: (asking: Asking, one: Order) =>
    isOwner(asking, one) || textsOf(asking, "auditor").includes("true"),
  close: (asking: Asking, one: Order) => equals(asking, "org.department", one.department),
  /** The representation, which has rules of its own. */
  shipment: (asking: Asking, one: Order) => equals(asking, "region", one.region),
};

const idsOf = (found: readonly Order[]): string[] => found.map(({ id }) => id).sort();
const changed = (isSeen: boolean, isAllowed: boolean): number =>
  isSeen ? (isAllowed ? 200 : 403) : 404;

test("the orders differ in whose they are", () => {
  expect(orders).toHaveLength(27);
  for (const asking of askers.slice(0, 5)) {
    const seen = orders.filter((one) => may.read(asking, one));
    expect(seen.length).toBeLessThan(27);
  }
});

test.each(askers)(
  "$sub with $claims sees, changes and closes what the rules give",
  async (asking) => {
    const wrong: string[] = [];
    const check = (what: string, found: unknown, expected: unknown): void => {
      if (JSON.stringify(found) !== JSON.stringify(expected))
        wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
    };
    for (const version of VERSIONS) {
      const at = `/api/${version}`;
      const listed = async (path: string, name: string): Promise<unknown> => {
        const answer = await send(asking, "GET", `${at}/${path}`);
        if (answer.status !== 200) return answer.status;
        return resultsOf(answer.json)
          .map((one) => String(one[name]))
          .sort();
      };
      const seen = orders.filter((one) => may.read(asking, one));
      check(`${version} list`, await listed("orders?pageSize=100", "orderId"), idsOf(seen));
      const parcels = seen.map(({ parcel }) => parcel).sort();
      check(`${version} parcels`, await listed("parcels?pageSize=100", "parcelId"), parcels);
      const shipped = orders.filter((one) => may.shipment(asking, one));
      const hasRegion = textsOf(asking, "region").some((one) => /^[^\p{Cc}]{1,200}$/u.test(one));
      const all = hasRegion ? idsOf(shipped) : 403;
      check(`${version} shipments`, await listed("shipments?pageSize=100", "orderId"), all);
      for (const one of orders) {
        const path = `${at}/orders/${one.id}`;
        const isSeen = may.read(asking, one);
        const status = async (method: string, end = "", body?: JsonObject): Promise<number> =>
          (await send(asking, method, path + end, body)).status;
        check(`${version} read`, await status("GET"), isSeen ? 200 : 404);
        const patched = await status("PATCH", "", { note: `n${Math.random()}` });
        check(`${version} change`, patched, changed(isSeen, may.update(asking, one)));
        const closed = changed(isSeen, may.close(asking, one));
        check(`${version} close`, await status("POST", "/close"), closed);
        const parcel = `${at}/parcels/${one.parcel}`;
        const found = await send(asking, "GET", parcel);
        check(`${version} parcel`, found.status, isSeen ? 200 : 404);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test.each(askers)("$sub with $claims deletes what the rules give", async (asking) => {
  const wrong: unknown[] = [];
  for (const one of [
    await order(ACCOUNTS[0], "north", "sales"),
    await order(ACCOUNTS[1], "south", "legal"),
    await order(null, null, null),
  ]) {
    const { status } = await send(asking, "DELETE", `/api/v1/orders/${one.id}`);
    const isSeen = may.read(asking, one);
    const allowed = isSeen && may.delete(asking, one) ? 204 : changed(isSeen, false);
    if (status !== allowed) wrong.push([one, status, allowed]);
  }
  expect(wrong).toEqual([]);
});

test("only callers with the claim create an order, and parcels only in one that they may change", async () => {
  const [first] = orders;
  const path = "/api/v1/orders";
  const body = { department: "sales" };
  for (const [claims, status] of [
    [{ kind: "staff" }, 201],
    [{ kind: ["guest", "staff"] }, 201],
    [{ kind: "staff guest" }, 403],
    [{ kind: { staff: true } }, 403],
    [{}, 403],
  ] as const)
    expect((await send({ sub: STAFF, claims: { ...claims } }, "POST", path, body)).status).toBe(
      status,
    );
  expect((await sendAs(service, null, ["POST", path], body)).status).toBe(401);
  const parcels = `/api/v1/orders/${first?.id ?? ""}/parcels`;
  const reader = { level: 3 };
  for (const [sub, claims, status] of [
    [ACCOUNTS[0], {}, 201],
    [ACCOUNTS[1], {}, 404],
    [STAFF, { ...reader, region: "north" }, 201],
    [STAFF, { ...reader, region: "south" }, 403],
  ] as const)
    expect((await send({ sub, claims }, "POST", parcels, {})).status).toBe(status);
});

test("a number that is rounded when the token is read equals nothing", async () => {
  const { id } = await order(null, null, "9007199254740992");
  const statusFor = async (department: Json): Promise<number> =>
    (await send({ sub: STAFF, claims: { org: { department } } }, "GET", `/api/v1/orders/${id}`))
      .status;
  expect(await statusFor(2 ** 53)).toBe(404);
  expect(await statusFor("9007199254740992")).toBe(200);
});
