import { expect, test, vi } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { apiErrorClass, customCode, type Values } from "./support/custom-code.js";
import { LOGS, MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Services = Readonly<Record<"logs" | "widgets" | "depots" | "bookings", Service>>;

const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const logs = await customCode("logs");
const bookings = await customCode("bookings");
const ApiError = await apiErrorClass();

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const post = async (name = "drill") => service.send("POST", WIDGETS, { body: { name } });

test("a rule about what belongs to an entity holds, where whoever looks locks that first", async () => {
  const [widget] = await Promise.all([post("crowded"), post("calm")]);
  const widgetId = String(widget.json["widgetId"]);
  logs.validate = async (_next, _stored, problems, context) => {
    const { widgets: locked, logs: lines } = servicesOf(context);
    await locked.lock(widgetId);
    const { itemCount } = await lines.list({ where: { line: "of the crowded one" } });
    if (itemCount >= 3) problems.add("line", "is one too many");
  };
  const before = await service.read(pathOf(WIDGETS, widget.json));
  const body = { line: "of the crowded one" };
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => service.send("POST", LOGS, { body })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 3 }, () => 201),
    ...Array.from({ length: 7 }, () => 400),
  ]);
  expect(await service.read(pathOf(WIDGETS, widget.json))).toEqual(before);
});

test("a lock and a change of the same entity know of each other, and there is none outside a transaction", async () => {
  const seen: unknown[] = [];
  widgets.beforeCommit = async (_, context) => {
    const { depots } = servicesOf(context);
    const { depotId }: Values = await depots.create({ name: "fresh" });
    const id = String(depotId);
    seen.push(((await depots.lock(id)) as Values)["name"]);
    await depots.change(id, { name: "changed" });
    seen.push(((await depots.lock(id)) as Values)["name"]);
  };
  widgets.afterCommit = async (_, context) => {
    await servicesOf(context)
      .depots.lock(MISSING)
      .catch((error: unknown) => seen.push(String(error)));
  };
  expect((await post()).status).toBe(201);
  await vi.waitFor(() => expect(seen).toHaveLength(3));
  expect(seen).toEqual([
    "fresh",
    "changed",
    "Error: services.depots.lock lasts as long as a transaction, and there is none.",
  ]);
});

test("what locks its own entity can be changed, and locks of one entity at the same time are one", async () => {
  delete widgets.afterCommit;
  delete widgets.beforeCommit;
  const created = await post();
  const widgetId = String(created.json["widgetId"]);
  widgets.validate = async (_next, _stored, _problems, context) => {
    const { widgets: locked } = servicesOf(context);
    await Promise.all([locked.lock(widgetId), locked.lock(widgetId), locked.lock(widgetId)]);
  };
  const path = pathOf(WIDGETS, created.json);
  const changed = await service.send("PATCH", path, { body: { name: "saw" } });
  expect(changed).toMatchObject({ status: 200, json: { name: "saw" } });
  const same = await service.send("PATCH", path, { body: { name: "saw" } });
  expect(same).toMatchObject({ status: 200, json: { name: "saw" } });
  delete widgets.validate;
  const read = await service.send("GET", path);
  expect(read.json["name"]).toBe("saw");
  expect(read.headers["etag"]).toBe(same.headers["etag"]);
});

test.each([
  { name: "is part of the transaction", isRefused: false },
  { name: "fails", isRefused: true },
])(
  "what one call has locked is locked for those beside it, also where the call $name",
  async ({ isRefused }) => {
    const { depotId = null } = await service.create("/api/v1/depots", { name: "a" });
    const id = String(depotId);
    let attempts = 0;
    widgets.beforeCreate = async (_, context) => {
      const { logs: lines, depots } = servicesOf(context);
      attempts += 1;
      let go = (): void => undefined;
      const isLocked = new Promise<void>((tell) => {
        logs.beforeCreate = async (_line, beside) => {
          await servicesOf(beside).depots.lock(id);
          await new Promise<void>((resolve) => {
            go = resolve;
            tell();
          });
          if (isRefused) throw new Error("after all");
        };
      });
      const created = lines.create({ line: "beside" }).catch(() => undefined);
      await isLocked;
      await depots.lock(id);
      go();
      await created;
      if (attempts === 1) {
        await service.send("PATCH", `/api/v1/depots/${id}`, { body: { name: "faster" } });
      }
    };
    const { status, text } = await post();
    expect([status, attempts], text).toEqual([201, 2]);
  },
);

/** Bookings of slots of a room, each slot once: the hook locks the room and looks. */
async function newRoom() {
  const { depotId = null } = await service.create("/api/v1/depots", { name: "room" });
  bookings.beforeCreate = async ({ label }, context) => {
    const { depots, bookings: booked } = servicesOf(context);
    await depots.lock(String(depotId));
    const { itemCount } = await booked.list({
      where: { "depot.depotId": depotId, label: label ?? null },
    });
    if (itemCount > 0) throw new ApiError(409, "BookingAlreadyExistsMessage", "The slot is taken.");
  };
  return async (slots: readonly string[]): Promise<Readonly<Record<number, number>>> => {
    const answers = await Promise.all(
      slots.map(async (label) =>
        service.sendPatiently("POST", "/api/v1/bookings", { body: { label, depot: { depotId } } }),
      ),
    );
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
}

test.each([100, 500])("%d bookings of different slots of one room are all made", async (many) => {
  const book = await newRoom();
  expect(await book(Array.from({ length: many }, (_, slot) => `slot ${slot}`))).toEqual({
    201: many,
  });
});

test("of a hundred bookings of one slot exactly one is made", async () => {
  const book = await newRoom();
  expect(await book(Array.from({ length: 100 }, () => "noon"))).toEqual({ 201: 1, 409: 99 });
});

test("transactions that lock the same entities in different orders all end", async () => {
  const rooms = await Promise.all(
    ["a", "b", "c"].map(
      async (name) => (await service.create("/api/v1/depots", { name }))["depotId"],
    ),
  );
  let turn = 0;
  logs.beforeCreate = async (_, context) => {
    const { depots } = servicesOf(context);
    turn += 1;
    const order = [0, 1, 2].map((step) => rooms[(step * (turn % 2 === 0 ? 1 : 2) + turn) % 3]);
    for (const id of order) {
      await depots.lock(String(id));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const answers = await Promise.all(
    Array.from({ length: 60 }, async () =>
      service.sendPatiently("POST", LOGS, { body: { line: "a" } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
});

test("a lock that its transaction never gives back is waited for no longer than is bounded", async () => {
  const { depotId = null } = await service.create("/api/v1/depots", { name: "kept" });
  logs.beforeCreate = async ({ line }, context) => {
    await servicesOf(context).depots.lock(String(depotId));
    if (line !== "first") return;
    // A change over HTTP that waits for what this transaction has locked gives up waiting, and is made.
    const path = `/api/v1/depots/${String(depotId)}`;
    const changed = await service.send("PATCH", path, { body: { name: "by another" } });
    expect(changed.status).toBe(200);
    logs.beforeCreate = undefined as never;
  };
  const first = await service.send("POST", LOGS, { body: { line: "first" } });
  expect(first.status, first.text).toBe(201);
});
