import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
import { BADGES, newBadge, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const post = async (body: JsonObject) => service.send("POST", WIDGETS, { body });

test("one property is one element, however much is wrong with it", async () => {
  const answer = await post({ name: "drill", email: " ".repeat(3) + "x".repeat(300) + "\0" });
  const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields.map(({ field }) => field)).toEqual(["email"]);
  expectFields(await post({ name: "a\ud800b" }), "name");
});

test.each([
  ...["1e-400", "-12.5E-999", "1e400", `0.${"0".repeat(400)}1`, "-1e999"],
  ...["9007199254740991.4", "-1.00000000000000000001", "100000000000000000001e-2"],
])("a number that no reader can hold is one issue, on its property: %#", async (text) => {
  const headers = { "content-type": "application/json" };
  const body = `{"name":"e: 1e-400","weight":${text},"size":${text},"active":true,"tags":["1e-400"]}`;
  const answer = await service.send("POST", WIDGETS, { body, headers });
  const messages = expectFields(answer, "size", "weight");
  expect(messages["weight"]).toBe("must be a number that 64 bits can hold");
  const found = await service.send("GET", `${WIDGETS}?weight=${text}`);
  expectFields(found, "weight");
  for (const zero of ["0e-400", "-0.0E+5", "0"]) {
    const sent = `{"name":"drill","weight":${zero}}`;
    const made = await service.send("POST", WIDGETS, { body: sent, headers });
    expect([made.status, made.json["weight"]]).toEqual([201, 0]);
  }
});

test.each([
  { count: 100, told: undefined },
  { count: 101, told: "The first 100 are listed; there is 1 more." },
  { count: 4321, told: "The first 100 are listed; there are 4321 more." },
])("of $count problems 100 are listed, and the others are counted", async ({ count, told }) => {
  const more = count === 4321 ? count + 100 : count;
  const names = Array.from({ length: more - 1 }, (_, index) => [`x${index}`, 1] as const);
  const answer = await post({ ...Object.fromEntries(names), name: 5 });
  const { fields = [], description } = expectError(answer, 400, "ValidationFailedMessage");
  expect([fields.length, description]).toEqual([100, told]);
});

test("problems in a list are counted to its end", async () => {
  const body = { title: "full", fees: Array.from({ length: 200 }, () => 1) };
  const answer = await service.send("POST", "/api/v1/crates", { body });
  const { description } = expectError(answer, 400, "ValidationFailedMessage");
  expect(description).toBe("The first 100 are listed; there are 100 more.");
});

test("a message says what is right, in words, and never repeats what was sent", async () => {
  const sent = "canary-".repeat(5);
  const answer = await post({ name: "drill", startDate: sent, email: sent, pinCode: sent });
  const messages = expectFields(answer, "startDate", "email", "pinCode");
  expect(messages["startDate"]).toContain("yyyy-MM-ddTHH:mm:ss.SSSZ");
  expect(JSON.stringify(messages)).not.toContain("canary");
});

test("a sensitive value never shows in an error", async () => {
  const body = { ...newBadge("secret"), secret: `canary${"x".repeat(40)}` };
  const answer = await service.send("POST", BADGES, { body });
  expectFields(answer, "secret");
  expect(answer.text).not.toContain("canary");
});

test("a long or strange unknown name is shown clipped, and as JSON", async () => {
  const answer = await post({ name: "drill", ["x".repeat(5000)]: 1, 'a"b\n': 1 });
  const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields.map(({ field }) => field)).toContain('a"b\n');
  expect(answer.text.length).toBeLessThan(2000);
});
