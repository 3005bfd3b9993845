import { afterEach, expect, test } from "vitest";
import { customCode, runtimeExport } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const DELIVERIES = "/api/v1/deliveries";

const service = await startService("contract");
const own = await customCode("deliveries");
const notWritten = await runtimeExport("base/not-written", "notWritten");
// The actions of this resource, whose types are not known here.
const { actions } = own as unknown as { actions: Record<string, unknown> };
const cancel = actions["cancel"];
afterEach(() => void (actions["cancel"] = cancel));

test("an action that has not been written is 501, says so, and leaves the entity as it was", async () => {
  const made = await service.create(DELIVERIES, { reference: "to the harbour" });
  const path = `${DELIVERIES}/${String(made["deliveryId"])}`;
  // As a new file in src/custom has it.
  actions["cancel"] = (): never => {
    throw notWritten();
  };
  const answer = await service.send("POST", `${path}/cancel`, { body: { reason: "too late" } });
  const { message, description } = expectError(answer, 501, "NotImplementedMessage");
  expect(message).toBe("The action is not written yet.");
  // ERR-3
  expect(description).toBe(`The request id is ${String(answer.headers["x-request-id"])}.`);
  expect(await service.read(path)).toEqual(made);
});
