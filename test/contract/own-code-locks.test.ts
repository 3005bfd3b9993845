import { expect, test, vi } from "vitest";
import type { Context } from "../../templates/kernel/entity/hooks.js";
import type { EntityService } from "../../templates/kernel/entity/entity-service.js";
import { customCode, type Values } from "./support/custom-code.js";
import { LOGS, MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Services = Readonly<Record<"logs" | "widgets" | "depots", Service>>;

const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const logs = await customCode("logs");

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
