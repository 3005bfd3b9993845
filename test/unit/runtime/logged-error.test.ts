import { expect, test } from "vitest";
import { loggedError } from "#runtime/http/logged-error";

function circle(): object {
  const self: Record<string, unknown> = {};
  self["self"] = self;
  return self;
}

const HARD_TO_READ: Readonly<Record<string, PropertyDescriptor>> = {
  "a circle": { value: circle() },
  "a bigint in an object": { value: { count: 1n } },
  "a getter that throws": {
    get: () => {
      throw new Error("no");
    },
  },
};

test.each(Object.keys(HARD_TO_READ))(
  "%s is unreadable in the log, and the rest of its error is there",
  (name) => {
    const error = Object.defineProperty(new Error("the shelf is gone"), "shelf", {
      enumerable: true,
      ...HARD_TO_READ[name],
    });
    const { type, message, stack, shelf } = loggedError(error);
    expect([type, message, shelf]).toEqual(["Error", "the shelf is gone", "unreadable"]);
    expect(stack).toContain("logged-error.test.ts");
  },
);

test("an object that is no JSON leaves its error as it is", () => {
  const error = Object.assign(new Error("the shelf is gone"), {
    shelf: { toJSON: () => undefined },
  });
  expect(loggedError(error)).toMatchObject({ type: "Error", message: "the shelf is gone" });
});
