import { expect, inject, test } from "vitest";
import type { Answer, JsonObject } from "../contract/support/client.js";
import { answerOf, newKey, postKeyed } from "../contract/support/keyed.js";
import { allWidgets, places, stop } from "../contract/support/process-tests.js";
import { BADGES, newBadge, WIDGETS } from "../contract/support/samples.js";
import { startProcess } from "../contract/support/service-process.js";
import { query, schemaUrl } from "../support/postgres-schema.js";

// OPS-12 with two processes of one service over one PostgreSQL: the database decides which request is the first.

const place = places();
const url = schemaUrl(inject("postgresUrl"));
const instances = [1, 2].map(() =>
  startProcess(place("two"), { DATABASE_URL: url, TEST_MAKE_SCHEMA: "true" }),
);
const clients = await Promise.all(instances.map(({ ready }) => ready));

async function post(
  turn: number,
  ...[path, key, body]: [path: string, key: string, body: JsonObject]
): Promise<Answer> {
  const client = clients[turn % clients.length];
  if (client === undefined) throw new Error("no instance");
  return postKeyed(client, path, key, body);
}

test("one key sent to both at once makes one entity, and every answer is the same", async () => {
  for (let round = 0; round < 20; round += 1) {
    const key = newKey();
    const body = { name: `round ${round}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, turn) => post(turn, WIDGETS, key, body)),
    );
    const told = answers.map(({ status, text }) => `${status} ${text}`);
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/^201 /);
  }
  const [first] = clients;
  const widgets = first === undefined ? [] : await allWidgets(first);
  expect(widgets).toHaveLength(20);
  expect(await query(url, "SELECT count(*)::int AS keys FROM idempotency_key_answers")).toEqual([
    { keys: 20 },
  ]);
});

test("two slow requests that meet at the database: the later one takes the answer of the first", async () => {
  const key = newKey();
  const [one, other] = await Promise.all(
    [0, 1].map((turn) => post(turn, WIDGETS, key, { name: "slow" })),
  );
  if (one === undefined || other === undefined) throw new Error("two");
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(other.text).toBe(one.text);
});

test("two bodies under one key: one entity, and 409 for the other body", async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = newKey();
    const answers = await Promise.all(
      [0, 1].map(async (turn) => post(turn, WIDGETS, key, { name: `body ${turn}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  }
});

test("a unique value that is sent twice at once with one key clashes with nothing", async () => {
  for (let round = 0; round < 20; round += 1) {
    const key = newKey();
    const badge = newBadge(`round ${round}`);
    const answers = await Promise.all([0, 1, 2, 3].map((turn) => post(turn, BADGES, key, badge)));
    expect(answers.map(({ status, text }) => `${status} ${text.slice(0, 60)}`)).toEqual(
      answers.map(() => expect.stringMatching(/^201 /)),
    );
    expect(new Set(answers.map((answer) => answerOf(answer).text)).size).toBe(1);
  }
});

test("both stop without a word", async () => {
  expect(await Promise.all(instances.map(stop))).toEqual([0, 0]);
});
