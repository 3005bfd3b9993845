import { expect, test } from "vitest";
import { loggedError } from "#runtime/http/log";

function circle(): object {
  const self: Record<string, unknown> = {};
  self["self"] = self;
  return self;
}

const refuse = (): never => {
  throw new Error("no");
};

const HARD_TO_READ: Readonly<
  Record<string, readonly [property: PropertyDescriptor, shown: unknown]>
> = {
  "a circle": [{ value: circle() }, { self: { self: { self: { self: { self: "[Object]" } } } } }],
  "a bigint in an object": [{ value: { count: 1n } }, { count: "1" }],
  "a getter that throws": [{ get: refuse }, "unreadable"],
  "a toJSON that throws": [{ value: { toJSON: refuse } }, "unreadable"],
};

test.each(Object.keys(HARD_TO_READ))("%s costs the log nothing of its error", (name) => {
  const [property, shown] = HARD_TO_READ[name] ?? [];
  const error = new Error("the shelf is gone");
  Object.defineProperty(error, "shelf", { enumerable: true, ...property });
  const { type, message, stack, shelf } = loggedError(error);
  expect([type, message, shelf]).toEqual(["Error", "the shelf is gone", shown]);
  expect(stack).toContain("logged-error.test.ts");
});

test("an object that is no JSON leaves its error as it is", () => {
  const error = Object.assign(new Error("the shelf is gone"), {
    shelf: { toJSON: () => undefined },
  });
  expect(loggedError(error)).toMatchObject({ type: "Error", message: "the shelf is gone" });
});
