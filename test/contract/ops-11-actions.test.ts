import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { apiErrorClass, customCode, type Values } from "./support/custom-code.js";
import { expectError, expectFields } from "./support/errors.js";
import { startService } from "./support/service.js";

/** What the actions of deliveries use of what they are given. */
interface Given {
  readonly services: { readonly deliveries: { create(input: Values): Promise<Values> } };
}

const DELIVERIES = "/api/v1/deliveries";
const MISSING = "ffffffff-ffff-4fff-8fff-ffffffffffff";

const service = await startService("contract");
const own = await customCode("deliveries");
const ApiError = await apiErrorClass();
// Own code is replaced for a test, and put back by the next one.
const hooks = own as unknown as { actions: Record<string, unknown> };

const newDelivery = async (): Promise<JsonObject> =>
  service.create(DELIVERIES, { reference: "to the harbour" });
const at = ({ deliveryId }: JsonObject, action = ""): string =>
  `${DELIVERIES}/${String(deliveryId)}${action === "" ? "" : `/${action}`}`;
const act = async (
  path: string,
  body?: JsonObject,
  headers: Readonly<Record<string, string>> = {},
) => service.send("POST", path, { ...(body !== undefined && { body }), headers });

async function instead(name: string, code: unknown, run: () => Promise<void>): Promise<void> {
  const before = hooks.actions[name];
  hooks.actions[name] = code;
  try {
    await run();
  } finally {
    hooks.actions[name] = before;
  }
}

test("an action answers with the entity, changed by its own code and in the state that it leads to", async () => {
  const made = await newDelivery();
  const answer = await act(at(made, "cancel"), { reason: "too late" });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({ status: "cancelled", reason: "too late" });
  expect(answer.headers.etag).toMatch(/^"2-/);
  expect(await service.read(at(made))).toEqual(answer.json);
});

test("an action without an answer is 204, and needs no body where it has no input", async () => {
  const made = await newDelivery();
  const answer = await act(at(made, "start"));
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(await service.read(at(made))).toMatchObject({ status: "underway" });
  expect((await act(at(await newDelivery(), "start"), {})).status).toBe(204);
  expectFields(await act(at(await newDelivery(), "start"), { force: true }), "force");
  expect((await act(`${DELIVERIES}/sweep`)).status).toBe(204);
});

test("an action answers an object of its own, with defaults in what it is sent", async () => {
  const made = await newDelivery();
  const answer = await act(at(made, "estimate"), { place: { city: "Oslo" } });
  expect(answer.json).toMatchObject({ cost: "4.50", stops: ["Oslo"] });
  expect(answer.text).toContain('\n  "cost"');
  const plan = await act(`${DELIVERIES}/plan`, { vans: 3 });
  expect([plan.status, plan.json]).toEqual([200, { deliveries: 120 }]);
});

test("its input is read like a body: every mistake is named at once", async () => {
  const made = await newDelivery();
  const wrong = { reason: "", tellCustomer: "yes", codes: [1, "x"], more: 1 };
  expectFields(await act(at(made, "cancel"), wrong), "reason", "tellCustomer", "codes[1]", "more");
  expectFields(
    await act(at(made, "estimate"), { place: { zone: "far" } }),
    "place.city",
    "place.zone",
  );
  expectFields(await act(`${DELIVERIES}/plan`, { vans: 101 }), "vans");
  expectError(await act(at(made, "cancel")), 400, "MalformedRequestMessage");
  expect(await service.read(at(made))).toEqual(made);
});

test.each([
  { name: "the action", write: (code: unknown) => (hooks.actions["cancel"] = code) },
  { name: "beforeUpdate", write: (code: unknown) => (own.beforeUpdate = code as never) },
])("where $name leads elsewhere than the action says, nothing is stored", async ({ write }) => {
  const made = await newDelivery();
  for (const status of ["underway", "planned", "done"]) {
    await instead("cancel", hooks.actions["cancel"], async () => {
      write((delivery: Values) => void (delivery["status"] = status));
      const sent = await act(at(made, "cancel"), { reason: "a" });
      expectError(sent, 500, "InternalErrorMessage");
    });
    expect(await service.read(at(made))).toEqual(made);
  }
});

test("an action is refused in another state, after its input was read", async () => {
  const made = await newDelivery();
  expect((await act(at(made, "cancel"), { reason: "a" })).status).toBe(200);
  const refused = await act(at(made, "cancel"), { reason: "b" });
  const { description } = expectError(refused, 409, "InvalidDeliveryStateMessage");
  expect(description).toBe(
    "Its state is cancelled; no update leads to another one. This can be done where its state is planned or underway.",
  );
  expectFields(await act(at(made, "cancel"), {}), "reason");
});

test("nothing but a POST is offered, on what there is", async () => {
  const made = await newDelivery();
  for (const path of [at(made, "cancel"), `${DELIVERIES}/plan`]) {
    const answer = await service.send("GET", path);
    expectError(answer, 405, "MethodNotAllowedMessage");
    expect(answer.headers.allow).toBe("OPTIONS, POST");
  }
  const lost = await act(`${DELIVERIES}/${MISSING}/cancel`, { reason: "a" });
  expectError(lost, 404, "DeliveryNotFoundMessage");
  expectError(
    await act(`${DELIVERIES}/no-uuid/cancel`, { reason: "a" }),
    404,
    "DeliveryNotFoundMessage",
  );
  expectError(await act(at(made, "nothing"), {}), 404, "PathNotFoundMessage");
});

test("authorize is asked before an action, by its name, and refuses it", async () => {
  const refusing = await startService("contract", { ownErrors: true });
  const made = await refusing.create(DELIVERIES, { reference: "to the harbour" });
  const tried = async (path: string) => refusing.send("POST", path, { body: { more: 1 } });
  const asked: unknown[] = [];
  own.authorize = (operation, entity) => {
    asked.push([operation, entity === null ? null : entity["deliveryId"]]);
    if (operation === "read") return;
    throw new ApiError(403, "ForbiddenMessage", "This is not allowed.");
  };
  for (const path of [at(made, "cancel"), `${DELIVERIES}/plan`]) {
    expectError(await tried(path), 403, "ForbiddenMessage");
  }
  const lost = await tried(`${DELIVERIES}/${MISSING}/cancel`);
  expectError(lost, 404, "DeliveryNotFoundMessage");
  expect(asked).toEqual([
    ["action:cancel", made["deliveryId"]],
    ["action:plan", null],
  ]);
  expect(await refusing.read(at(made))).toEqual(made);
});

test("If-Match is obeyed, and an unchanged entity keeps its revision", async () => {
  const made = await newDelivery();
  const input = { place: { city: "Oslo" } };
  expectError(
    await act(at(made, "estimate"), input, { "if-match": '"7-000000000000"' }),
    412,
    "PreconditionFailedMessage",
  );
  expect((await act(at(made, "estimate"), input, { "if-match": '"1-000000000000"' })).status).toBe(
    200,
  );
  expect((await service.send("GET", at(made))).headers.etag).toMatch(/^"1-/);
});

test("a key carries an action out once", async () => {
  const made = await newDelivery();
  const headers = { "idempotency-key": `cancel-${String(made["deliveryId"])}` };
  const first = await act(at(made, "cancel"), { reason: "a" }, headers);
  const second = await act(at(made, "cancel"), { reason: "a" }, headers);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.json).toEqual(first.json);
  const other = await act(at(made, "cancel"), { reason: "b" }, headers);
  expectError(other, 409, "IdempotencyKeyReusedMessage");
  const swept = { "idempotency-key": "sweep" };
  expect((await act(`${DELIVERIES}/sweep`, undefined, swept)).status).toBe(204);
  expect((await act(`${DELIVERIES}/sweep`, undefined, swept)).status).toBe(204);
});

test.each(["done", "cancelled"])(
  "own code that leads to %s, which no transition does, stores nothing, and is 500",
  async (status) => {
    const made = await newDelivery();
    const code = (delivery: Values): void => void (delivery["status"] = status);
    await instead("start", code, async () => {
      expectError(await act(at(made, "start")), 500, "InternalErrorMessage");
    });
    expect(await service.read(at(made))).toEqual(made);
  },
);

test.each([
  { name: "a number for a decimal", answer: { cost: 4.5, arrivalDate: null, stops: [] } },
  { name: "a time in another form", answer: { cost: "4.50", arrivalDate: "today", stops: [] } },
  { name: "nothing for what is required", answer: { arrivalDate: null, stops: [] } },
  { name: "what the schema does not have", answer: { cost: "1", arrivalDate: null, more: 1 } },
])("an answer with $name is not sent, and nothing is stored", async ({ answer }) => {
  const made = await newDelivery();
  const code = (delivery: Values): unknown => {
    delivery["reason"] = "estimated";
    return answer;
  };
  await instead("estimate", code, async () => {
    const sent = await act(at(made, "estimate"), { place: { city: "Oslo" } });
    expectError(sent, 500, "InternalErrorMessage");
  });
  expect(await service.read(at(made))).toEqual(made);
});

test("what an answer leaves out is null, or an empty list", async () => {
  const made = await newDelivery();
  await instead(
    "estimate",
    () => ({ cost: "1.5" }),
    async () => {
      const { json } = await act(at(made, "estimate"), { place: { city: "Oslo" } });
      expect(json).toEqual({ cost: "1.50", arrivalDate: null, stops: [] });
    },
  );
});

test.each<{ name: string; write: Values }>([
  { name: "a text that is too long", write: { reason: "x".repeat(101) } },
  { name: "a required property that is null", write: { reference: null } },
  { name: "a property that there is not", write: { colour: "red" } },
])("$name that an action writes is a 500, and nothing is stored", async ({ write }) => {
  const made = await newDelivery();
  const code = (delivery: Values): void => void Object.assign(delivery, write);
  await instead("cancel", code, async () => {
    expectError(await act(at(made, "cancel"), { reason: "a" }), 500, "InternalErrorMessage");
  });
  expect(await service.read(at(made))).toEqual(made);
});

test("what an action writes gets the one form of a value, in states that allow no update", async () => {
  const made = await newDelivery();
  expect((await act(at(made, "start"))).status).toBe(204);
  const refused = await service.send("PATCH", at(made), { body: { reference: "b" } });
  expectError(refused, 409, "InvalidDeliveryStateMessage");
  const code = (delivery: Values): void =>
    void Object.assign(delivery, { reference: "b", reason: "" });
  await instead("cancel", code, async () => {
    expect((await act(at(made, "cancel"), { reason: "a" })).status).toBe(200);
  });
  const now = { reference: "b", reason: null, status: "cancelled" };
  expect(await service.read(at(made))).toMatchObject(now);
});

test("hooks of an update are asked about an action, and its change is announced as one", async () => {
  const made = await newDelivery();
  const seen: unknown[] = [];
  own.beforeUpdate = (next) => void (next["reason"] = `${String(next["reason"])}!`);
  own.beforeCommit = ({ kind, entity }) => void seen.push([kind, entity["reason"]]);
  own.afterCommit = ({ kind, entity }) => void seen.push([kind, entity["status"]]);
  const answer = await act(at(made, "cancel"), { reason: "late" });
  expect(answer.json).toMatchObject({ reason: "late!", status: "cancelled" });
  await expect
    .poll(() => seen)
    .toEqual([
      ["updated", "late!"],
      ["updated", "cancelled"],
    ]);
});

test("what actions do through services belongs to their transaction", async () => {
  const countOf = async () => (await service.read(DELIVERIES))["itemCount"];
  const before = Number(await countOf());
  const made = await newDelivery();
  const another = async ({ services }: Given): Promise<void> =>
    void (await services.deliveries.create({ reference: "another" }));
  const onOne = async (_delivery: Values, _input: unknown, context: Given): Promise<void> =>
    another(context);
  const refusing = async (...given: Parameters<typeof onOne>): Promise<never> => {
    await onOne(...given);
    throw new ApiError(409, "InvalidDeliveryStateMessage", "Not today.");
  };
  await instead("sweep", another, async () => {
    expect((await act(`${DELIVERIES}/sweep`)).status).toBe(204);
  });
  await instead("cancel", refusing, async () => {
    expect((await act(at(made, "cancel"), { reason: "a" })).status).toBe(409);
  });
  expect(await service.read(at(made))).toEqual(made);
  await instead("cancel", onOne, async () => {
    expect((await act(at(made, "cancel"), { reason: "a" })).status).toBe(200);
  });
  expect(await countOf()).toBe(before + 3);
});

test("an answer that breaks a rule stores nothing of what its action has done", async () => {
  const made = await newDelivery();
  const code = (delivery: Values): Values => {
    delivery["reference"] = "elsewhere";
    return { cost: "much", stops: [] };
  };
  await instead("estimate", code, async () => {
    const sent = await act(at(made, "estimate"), { place: { city: "Oslo" } });
    expectError(sent, 500, "InternalErrorMessage");
  });
  expect(await service.read(at(made))).toEqual(made);
});
