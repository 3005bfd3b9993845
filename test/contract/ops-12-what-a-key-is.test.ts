import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { answerOf, newKey, postKeyed } from "./support/keyed.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

const post = async (key: string) => postKeyed(service, WIDGETS, key, { name: "drill" });
const countOf = async (path: string) => (await service.read(path))["itemCount"];

test.each([
  ...["k", "a,b", "~", "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~", "k".repeat(255)],
  ...['"quoted"', `"${"k".repeat(255)}"`, '"a\\"b\\\\"', `"${'\\"'.repeat(255)}"`],
])("%s is a key", async (key) => {
  const first = await post(key);
  expect(first.status, first.text).toBe(201);
  expect(answerOf(await post(key))).toEqual(answerOf(first));
});

test("a key in quotes is the same key without them", async () => {
  const key = newKey();
  const first = await post(key);
  expect(answerOf(await post(`"${key}"`))).toEqual(answerOf(first));
});

test.each([
  ...["", '""', '"', '"a', 'a"', "a b", '"a b"', "ä", "k".repeat(256), `"${"k".repeat(256)}"`],
  ...['"a";b=c', '"a", "b"', '"a\\b"', '"a\\"'],
])("%j is not a key: 400, and nothing is created", async (key) => {
  const before = await countOf(WIDGETS);
  const { description } = expectError(await post(key), 400, "MalformedRequestMessage");
  expect(description).toContain("Idempotency-Key");
  expect(await countOf(WIDGETS)).toBe(before);
});

test("two headers are refused", async () => {
  const headers = { "idempotency-key": [newKey(), newKey()] };
  const refused = await service.send("POST", WIDGETS, { headers, body: { name: "drill" } });
  expectError(refused, 400, "MalformedRequestMessage");
});
