import { expect, test } from "vitest";
import { accepted } from "#runtime/testing/client";

function answerOf(status: number) {
  return { request: "POST /api/v1/orders", status, headers: new Headers(), text: "{}", body: {} };
}

test("a sample that is refused is told with what can be done about it", () => {
  expect(() => accepted(answerOf(400), 201)).toThrow("A sample was refused: POST /api/v1/orders.");
});

test("a request that is one too many is not told as a sample that is refused", () => {
  expect(() => accepted(answerOf(429), 201)).toThrow(
    /^A plugin of src\/app.ts counts .* 429: \{\}$/,
  );
});
