import { expect, test } from "vitest";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { EMPTY_WIDGET, FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const CLIENTS = 50;
const TIMES = 20;

const service = await startService();
const widgets = await customCode("widgets");

/** Every client does its work as often as it should, one request after the other, beside all the others. */
async function together(clients: number, work: (client: number, time: number) => Promise<void>) {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let time = 0; time < TIMES; time += 1) await work(client, time);
    }),
  );
}

test.each([
  ["at once", async () => Promise.resolve()],
  ["after a while", async () => new Promise((resolve) => setTimeout(resolve, 1))],
])(
  "50 clients count up 20 times each in a hook that decides %s: exactly 1,000",
  async (_when, wait) => {
    const path = pathOf(WIDGETS, await service.create(WIDGETS, { name: "counter", size: 0 }));
    let calls = 0;
    widgets.beforeUpdate = async (next, stored) => {
      calls += 1;
      const size = Number(stored["size"]);
      await wait();
      next["size"] = size + 1;
    };
    const answered = new Set<unknown>();
    await together(CLIENTS, async () => {
      const answer = await service.sendPatiently("PATCH", path, { body: {} });
      expect(answer.status, answer.text).toBe(200);
      answered.add(answer.json["size"]);
    });
    expect((await service.read(path))["size"]).toBe(CLIENTS * TIMES);
    // Nobody was told a number that somebody else was told as well.
    expect(answered.size).toBe(CLIENTS * TIMES);
    // Had none of them met another, nothing would have been tested.
    expect(calls).toBeGreaterThan(CLIENTS * TIMES);
  },
);

test("50 clients change different properties of the same entities: none takes back another's", async () => {
  const names = [
    "size",
    "weight",
    "note",
    "email",
    "pinCode",
    "tags",
    "parts",
    "price",
    "city",
    "state",
  ];
  const entities = await Promise.all(
    Array.from({ length: CLIENTS / names.length }, async () =>
      service.create(WIDGETS, FULL_WIDGET),
    ),
  );
  await together(CLIENTS, async (client, time) => {
    const path = pathOf(WIDGETS, entities[Math.floor(client / names.length)] ?? {});
    const body = patchOf(names[client % names.length] ?? "", time);
    const answer = await service.sendPatiently("PATCH", path, { body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject(body);
  });
  for (const entity of entities) {
    const found = await service.read(pathOf(WIDGETS, entity));
    for (const name of names) expect(found).toMatchObject(patchOf(name, TIMES - 1));
    const { startDate, batch, status } = FULL_WIDGET;
    expect(found).toMatchObject({ startDate, batch, status });
  }
});

function patchOf(name: string, time: number) {
  const text = String(1000 + time);
  switch (name) {
    case "size":
    case "weight":
      return { [name]: time };
    case "tags":
      return { tags: [text] };
    case "parts":
      return { parts: [{ label: text, amount: time }] };
    case "email":
      return { email: `${text}@example.com` };
    case "price":
      return { price: `${text}.00` };
    case "city":
    case "state":
      return { deliveryAddress: { [name]: text } };
    default:
      return { [name]: text };
  }
}

test("of competing PUTs one is the last, whole, and never a mixture", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  await together(CLIENTS, async (client, time) => {
    const number = client * TIMES + time;
    const note = String(number);
    const body = { ...EMPTY_WIDGET, size: number, note, tags: [note] };
    const answer = await service.sendPatiently("PUT", path, { body });
    expect(answer.json).toMatchObject(body);
  });
  const { size, note, tags } = await service.read(path);
  expect([note, tags]).toEqual([String(size), [String(size)]]);
});

test("a DELETE beside updates ends them: nothing rises again", async () => {
  for (let round = 0; round < 10; round += 1) {
    const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
    const updates = Array.from({ length: 20 }, async (_, index) =>
      index % 2 === 0
        ? service.send("PATCH", path, { body: { size: index } })
        : service.send("PUT", path, { body: { ...EMPTY_WIDGET, size: index } }),
    );
    const deletes = [service.send("DELETE", path), service.send("DELETE", path)];
    const statuses = (await Promise.all(deletes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 404]);
    for (const answer of await Promise.all(updates)) {
      if (answer.status !== 200) expectError(answer, 404, "WidgetNotFoundMessage");
    }
    expectError(await service.send("GET", path), 404, "WidgetNotFoundMessage");
  }
});

test("50 concurrent creates are 50 entities, and no identifier is given twice", async () => {
  const before = Number((await service.read(WIDGETS))["itemCount"]);
  const ids = new Set<unknown>();
  await together(CLIENTS, async () => {
    ids.add((await service.create(WIDGETS, { name: "drill" }))["widgetId"]);
  });
  expect(ids.size).toBe(CLIENTS * TIMES);
  expect((await service.read(WIDGETS))["itemCount"]).toBe(before + CLIENTS * TIMES);
});
