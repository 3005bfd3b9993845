import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { apiErrorClass, customCode, runtimeExport, type Values } from "./support/custom-code.js";
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
const notWritten = await runtimeExport("base/custom-code", "notWritten");
// Own code is replaced for a test, and put back by the next one.
const hooks = own as unknown as { actions: Record<string, unknown> };

const newDelivery = async (): Promise<JsonObject> =>
  service.create(DELIVERIES, { reference: "to the harbour" });
const at = ({ deliveryId }: JsonObject, action = ""): string =>
  `${DELIVERIES}/${String(deliveryId)}${action === "" ? "" : `/${action}`}`;
const act = async (path: string, body?: JsonObject) =>
  service.send("POST", path, body === undefined ? {} : { body });

async function instead(name: string, code: unknown, run: () => Promise<void>): Promise<void> {
  const before = hooks.actions[name];
  hooks.actions[name] = code;
  try {
    await run();
  } finally {
    hooks.actions[name] = before;
  }
}

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
  // In another state its input is read first.
  expectFields(await act(at(made, "cancel"), {}), "reason");
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

test("an action that has not been written is 501, says so, and leaves the entity as it was", async () => {
  const made = await newDelivery();
  // As a new file in src/custom has it.
  const code = (): never => {
    throw notWritten();
  };
  await instead("cancel", code, async () => {
    const answer = await act(at(made, "cancel"), { reason: "too late" });
    const { message, description } = expectError(answer, 501, "NotImplementedMessage");
    expect(message).toBe("The action is not written yet.");
    // ERR-3
    expect(description).toBe(`The request id is ${String(answer.headers["x-request-id"])}.`);
  });
  expect(await service.read(at(made))).toEqual(made);
});
