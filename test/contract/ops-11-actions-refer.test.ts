import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError, expectFields } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

/** What own code uses of its services: the generated types are not known here. */
interface Acting {
  create(input: Values): Promise<Values>;
  read(id: string): Promise<Values>;
  change(id: string, changes: Values): Promise<Values>;
  remove(id: string): Promise<void>;
  readonly actions: Readonly<Record<string, (...given: unknown[]) => Promise<Values>>>;
}
type Services = Readonly<Record<"deliveries" | "depots" | "parcels" | "vaults", Acting>> & {
  readonly unrestricted: Services;
};

const DELIVERIES = "/api/v1/deliveries";
const DEPOTS = "/api/v1/depots";
const V2 = "/api/v2";
const MISSING = "ffffffff-ffff-4fff-8fff-ffffffffffff";

const keys = await newKeys("only");
const secured = await startSecured((await startKeyServer([keys.jwk])).url);
const service = await startService("contract");
const shop = await startService("versions");
const deliveries = await customCode("deliveries");
const widgets = await customCode("widgets");
const parcels = await customCode("parcels", "secured");
// Own code is replaced for a test, and put back by the next one.
const hooks = deliveries as unknown as { actions: Record<string, unknown> };

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const newDelivery = async (): Promise<JsonObject> =>
  service.create(DELIVERIES, { reference: "to the harbour" });
const newDepot = async (name: string): Promise<JsonObject> =>
  service.create(DEPOTS, { name, fee: "1", grade: "small", open: true });
const at = ({ deliveryId }: JsonObject): string => `${DELIVERIES}/${String(deliveryId)}`;
const route = async (made: JsonObject, body: JsonObject) =>
  service.send("POST", `${at(made)}/route`, { body });

async function instead(code: unknown, run: () => Promise<void>): Promise<void> {
  const before = hooks.actions["route"];
  hooks.actions["route"] = code;
  try {
    await run();
  } finally {
    hooks.actions["route"] = before;
  }
}

test("its own code is given the identifiers, and what the input embeds", async () => {
  const { depotId = "" } = await newDepot("north");
  const seen: unknown[] = [];
  const code = (_delivery: unknown, input: unknown): unknown => {
    seen.push(input);
    return { first: { depotId } };
  };
  await instead(code, async () => {
    const stop = { depot: { depotId }, note: null };
    const sent = { depot: { depotId }, others: [{ depotId }], stop, carrier: null };
    const { json } = await route(await newDelivery(), sent);
    expect(json).toMatchObject({ depots: [], stops: [], carrier: null, last: null });
    const depot = { depotId, name: "north", fee: "1.00" };
    expect(seen).toEqual([
      { ...sent, depot, stop: { ...stop, depot: { depotId, grade: "small" } } },
    ]);
  });
});

test.each<{ name: string; answer: JsonObject }>([
  { name: "a reference to nothing", answer: { first: { depotId: MISSING } } },
  { name: "no identifier", answer: { first: {} } },
  { name: "nothing for what is required", answer: {} },
])("an answer with $name is 500, and nothing is stored", async ({ answer }) => {
  const made = await newDelivery();
  const { depotId = "" } = await newDepot("north");
  const code = (delivery: Values): unknown => {
    delivery["reference"] = "elsewhere";
    return answer;
  };
  await instead(code, async () => {
    const sent = await route(made, { depot: { depotId } });
    expectError(sent, 500, "InternalErrorMessage");
  });
  expect(await service.read(at(made))).toEqual(made);
});

test("an answer can refer to what its action has made, and not to what it has deleted", async () => {
  const made = await newDelivery();
  const { depotId = "" } = await newDepot("north");
  const sent = { depot: { depotId } };
  const making = async (_: unknown, __: unknown, context: Context): Promise<unknown> => {
    const first = await servicesOf(context).depots.create({ name: "made here" });
    return { first, depots: [first] };
  };
  await instead(making, async () => {
    const { status, json } = await route(made, sent);
    expect([status, json["first"]]).toMatchObject([200, { name: "made here", grade: null }]);
    expect(json["depots"]).toMatchObject([{ open: null }]);
  });
  const deleting = async (_: unknown, __: unknown, context: Context): Promise<unknown> => {
    await servicesOf(context).depots.remove(String(depotId));
    return { first: { depotId } };
  };
  await instead(deleting, async () => {
    expectError(await route(made, sent), 500, "InternalErrorMessage");
  });
  expect(await service.read(`${DEPOTS}/${String(depotId)}`)).toMatchObject({ name: "north" });
});

test("an answer embeds what becomes of the entity itself, and of others in the hooks that follow", async () => {
  const made = await newDelivery();
  const { deliveryId = "" } = made;
  const { depotId = "" } = await newDepot("north");
  const code = (delivery: Values): unknown => {
    delivery["reference"] = "to the station";
    return { first: { depotId }, last: { deliveryId } };
  };
  await instead(code, async () => {
    deliveries.beforeCommit = async (_, context) => {
      await servicesOf(context).depots.change(String(depotId), { name: "south" });
    };
    const { json } = await route(made, { depot: { depotId } });
    expect(json).toMatchObject({ first: { name: "south" }, last: { reference: "to the station" } });
    deliveries.beforeUpdate = async (_next, _stored, context) =>
      servicesOf(context).depots.remove(String(depotId));
    delete deliveries.beforeCommit;
    const gone = await route(made, { depot: { depotId } });
    expectError(gone, 500, "InternalErrorMessage");
  });
  expect(await service.read(`${DEPOTS}/${String(depotId)}`)).toMatchObject({ name: "south" });
});

test("own code calls such actions, with identifiers or whole entities", async () => {
  const seen: unknown[] = [];
  const { depotId = "" } = await newDepot("north");
  widgets.beforeCreate = async (_, context) => {
    const { deliveries: all, depots } = servicesOf(context);
    const id = String((await all.create({ reference: "by a hook" }))["deliveryId"]);
    const depot = await depots.create({ name: "made here" });
    const others = [await depots.read(String(depotId))];
    seen.push(await all.actions["route"]?.(id, { depot, others }));
    const lost = { depot: { depotId: MISSING } };
    await all.actions["route"]?.(id, lost).catch((error: unknown) => seen.push(error));
  };
  await service.create("/api/v1/widgets", { name: "drill" });
  expect(seen).toMatchObject([
    {
      first: { name: "made here", fee: null },
      depots: [{ open: null }, { depotId, open: true }],
      last: { reference: "by a hook" },
    },
    {
      name: "OwnCodeFault",
      code: "services.deliveries.actions.route",
      fields: [{ field: "depot.depotId" }],
    },
  ]);
});

test("what the caller may not read is not there, and what is disclosed is answered to all", async () => {
  const [maker, other] = [await tokenOf(keys, "maker"), await tokenOf(keys, "other")];
  const { json: vault } = await sendAs(secured, maker, ["POST", "/api/v1/vaults"], {
    name: "in the cellar",
  });
  const reference = { vaultId: vault["vaultId"] ?? null };
  const lock = async (token: string, body: JsonObject) =>
    sendAs(secured, token, ["POST", "/api/v1/parcels/lock"], body);
  expectFields(await lock(other, { vault: reference }), "vault.vaultId");
  const both = { vault: reference, others: [reference] };
  expectFields(await lock(other, both), "vault.vaultId", "others[0].vaultId");
  const { status, json } = await lock(maker, both);
  expect([status, json]).toEqual([200, { vault: { ...reference, name: "in the cellar" } }]);

  const seen: unknown[] = [];
  parcels.beforeCreate = async (_, context) => {
    const { parcels: own, unrestricted } = servicesOf(context);
    const told = (error: unknown) => seen.push((error as Values)["fields"]);
    await own.actions["lock"]?.({ vault: reference }).catch(told);
    seen.push(await unrestricted.parcels.actions["lock"]?.({ vault: reference }));
  };
  await sendAs(secured, other, ["POST", "/api/v1/parcels"], { label: "a" });
  expect(seen).toMatchObject([[{ field: "vault.vaultId" }], { vault: { name: "in the cellar" } }]);
});

test("an action of an older version answers what is stored as that version calls it", async () => {
  const { customerId = null } = await shop.create(`${V2}/customers`, {
    ...{ fullName: "Ada Lovelace", email: "ada@example.com" },
    ...{ phoneNumber: "12", standing: "suspended" },
  });
  const { invoiceId = null } = await shop.create(`${V2}/bills`, { kind: "reminder", total: "5" });
  const { orderId } = await shop.create(`${V2}/orders`, { customer: { customerId } });
  const body = { customer: { customerId, name: "ignored" }, invoices: [{ invoiceId }] };
  const { json } = await shop.send("POST", `/api/v1/orders/${String(orderId)}/assign`, { body });
  expect(json).toEqual({
    customer: { customerId, name: "Ada Lovelace", phone: "12", standing: "blocked" },
    rows: [{ invoice: { invoiceId, amount: "5.00", kind: "bill" } }],
  });
});
