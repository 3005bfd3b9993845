import { expect, inject, test } from "vitest";
import type { Answer, JsonObject } from "../contract/support/client.js";
import { resultsOf } from "../contract/support/errors.js";
import {
  allWidgets,
  created,
  pause,
  places,
  postWidget,
  stop,
} from "../contract/support/process-tests.js";
import { BADGES, FULL_WIDGET, newBadge, pathOf, WIDGETS } from "../contract/support/samples.js";
import { startProcess } from "../contract/support/service-process.js";
import { query, schemaUrl } from "../support/postgres-schema.js";

// Several processes of one service over one PostgreSQL: what they promise together is what one promises.

const place = places();
const CLIENTS = 40;
const TIMES = 10;
const CLIENTS_OF_EACH = 25;
const TIMES_EACH = 20;
/** Of a client that waits as `Retry-After` says. */
const MOST_TRIES = 5;

function variables(url: string): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, TEST_MAKE_SCHEMA: "true" };
}

const databaseUrl = schemaUrl(inject("postgresUrl"));
const instances = [1, 2].map(() => startProcess(place("two"), variables(databaseUrl)));
const clients = await Promise.all(instances.map(({ ready }) => ready));
const send = async (turn: number, ...request: Parameters<(typeof clients)[0]["send"]>) => {
  const client = clients[turn % clients.length];
  if (client === undefined) throw new Error("no instance");
  return client.send(...request);
};

test("four instances that start at once make the tables once", async () => {
  const url = schemaUrl(inject("postgresUrl"));
  const starting = [1, 2, 3, 4].map(() => startProcess(place("race"), variables(url)));
  const ready = await Promise.all(starting.map((instance) => instance.ready));
  for (const client of ready) expect((await client.send("GET", "/readyz")).status).toBe(200);
  const history = await query(url, `SELECT "name" FROM "schema_migrations"`);
  expect(history).toEqual([{ name: "0001-initial" }]);
  expect(await Promise.all(starting.map(stop))).toEqual([0, 0, 0, 0]);
});

test("no update is lost: clients of both count one entity up together", async () => {
  const made = await send(0, "POST", WIDGETS, { body: { name: "counter", size: 0 } });
  const path = pathOf(WIDGETS, made.json);
  const answered: unknown[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let time = 0; time < TIMES; time += 1) {
        const body = { note: `count up ${client} ${time}` };
        let answer = await send(client, "PATCH", path, { body });
        // LIM-2: an instance that lost too many races says so, and has changed nothing.
        while (answer.status === 503) answer = await send(client, "PATCH", path, { body });
        expect(answer.status, answer.text).toBe(200);
        answered.push(answer.json["size"]);
      }
    }),
  );
  expect((await send(1, "GET", path)).json["size"]).toBe(CLIENTS * TIMES);
  expect(new Set(answered).size).toBe(CLIENTS * TIMES);
});

test.each([100, 1000])(
  "%d bookings of different slots of one room through both are all made, by clients that come again when they are told to",
  async (many) => {
    const made = await send(0, "POST", "/api/v1/depots", { body: { name: "a" } });
    const { depotId = null } = made.json;
    const tries = Array.from({ length: many }, () => 0);
    const book = async (slot: number): Promise<void> => {
      const body = { label: `slot ${slot}`, depot: { depotId } };
      await created(async () => {
        tries[slot] = (tries[slot] ?? 0) + 1;
        return send(slot, "POST", "/api/v1/bookings", { body });
      });
    };
    await Promise.all(tries.map((_, slot) => book(slot)));
    const booked = await query(
      databaseUrl,
      `SELECT COUNT(*) AS n FROM "bookings" WHERE "depot" = '${String(depotId)}'`,
    );
    expect(booked).toEqual([{ n: String(many) }]);
    expect(Math.max(...tries)).toBeLessThanOrEqual(MOST_TRIES);
  },
);

test("of forty bookings of one slot through both exactly one is made", async () => {
  const { depotId = null } = (await send(0, "POST", "/api/v1/depots", { body: { name: "a" } }))
    .json;
  const body = { label: "noon", depot: { depotId } };
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, turn) => send(turn, "POST", "/api/v1/bookings", { body })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("OPS-10: clients of both read and write back with If-Match: every one is counted, and none twice", async () => {
  const made = await send(0, "POST", WIDGETS, { body: { name: "shared", size: 0 } });
  const path = pathOf(WIDGETS, made.json);
  let conflicts = 0;
  const countUp = async (client: number): Promise<void> => {
    for (;;) {
      const start = performance.now();
      const { json, headers } = await send(client, "GET", path);
      const answer = await send(client, "PATCH", path, {
        body: { size: Number(json["size"]) + 1 },
        headers: { "if-match": String(headers.etag) },
      });
      if (answer.status === 200) return;
      expect(answer.status, answer.text).toBe(412);
      conflicts += 1;
      // Polite clients leave each other the time that one of them takes.
      await pause(Math.random() * Math.min(1000, (CLIENTS / 2) * (performance.now() - start)));
    }
  };
  const counting = Array.from({ length: 2 * CLIENTS_OF_EACH }, async (_, client) => {
    for (let time = 0; time < TIMES_EACH; time += 1) await countUp(client);
  });
  await Promise.all(counting);
  expect((await send(1, "GET", path)).json["size"]).toBe(1000);
  expect(conflicts).toBeGreaterThan(0);
});

test("a unique value is given once, whoever is asked", async () => {
  for (let round = 0; round < 5; round += 1) {
    const body = newBadge(`round ${round}`);
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => send(client, "POST", BADGES, { body })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: CLIENTS - 1 }, () => 409)]);
  }
  const badges = resultsOf((await send(0, "GET", `${BADGES}?pageSize=100`)).json);
  expect(badges).toHaveLength(5);
});

test("ENT-4: updates that change nothing leave the stamps, also beside each other", async () => {
  const made = (await send(0, "POST", WIDGETS, { body: FULL_WIDGET })).json;
  const path = pathOf(WIDGETS, made);
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) =>
      send(client, client % 3 === 0 ? "PUT" : "PATCH", path, { body: FULL_WIDGET }),
    ),
  );
  for (const answer of answers) expect(answer.json).toEqual(made);
  expect((await send(1, "GET", path)).json).toEqual(made);
});

test("what one instance answers, the other one shows at once", async () => {
  for (let index = 0; index < 50; index += 1) {
    const made: Answer = await send(index, "POST", WIDGETS, { body: FULL_WIDGET });
    const path = pathOf(WIDGETS, made.json);
    expect((await send(index + 1, "GET", path)).json).toEqual(made.json);
    expect((await send(index + 1, "DELETE", path)).status).toBe(204);
    expect((await send(index, "GET", path)).status).toBe(404);
  }
});

test("kill -9 of one instance under load loses nothing that it answered, and the other one goes on", async () => {
  const [survivor] = clients;
  const victim = instances[1];
  const doomed = clients[1];
  if (survivor === undefined || doomed === undefined || victim === undefined)
    throw new Error("two");
  const answered: JsonObject[] = [];
  const load = [survivor, doomed].flatMap((client) =>
    Array.from({ length: 20 }, async () => {
      for (let time = 0; time < 30; time += 1) {
        const made = await postWidget(client, { ...FULL_WIDGET, name: "load" });
        if (made === null) return;
        answered.push(made);
      }
    }),
  );
  await pause(300);
  victim.child.kill("SIGKILL");
  await Promise.all(load);
  const stored = new Map(
    (await allWidgets(survivor)).map((widget) => [widget["widgetId"], widget]),
  );
  expect(answered.length).toBeGreaterThan(100);
  for (const widget of answered) expect(stored.get(widget["widgetId"])).toEqual(widget);
  const [first] = instances;
  expect(first === undefined ? null : await stop(first)).toBe(0);
});
