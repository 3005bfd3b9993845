import { expect, test, vi } from "vitest";
import type { Caller } from "#runtime/auth/authentication";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { countIn } from "./support/count.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError, resultsOf } from "./support/errors.js";
import { BADGES, LOGS, MISSING, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
interface Services extends Readonly<
  Record<
    "badges" | "lockers" | "logs" | "widgets" | "orders" | "depots" | "consignments" | "pallets",
    Service
  >
> {
  readonly unrestricted: Services;
  as(caller: Caller): Services;
}

const ORDERS = "/api/v1/orders";
const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const logs = await customCode("logs");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const countOf = async (path: string) => countIn(service, path);
const post = async (name = "drill") => service.send("POST", WIDGETS, { body: { name } });

/** What a refused POST of a widget says; its document does not know of errors of other entities. */
async function refusal(): Promise<readonly unknown[]> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "drill" });
  const answer = await fetch(service.url + WIDGETS, { method: "POST", headers, body });
  const { errors } = (await answer.json()) as { errors: readonly { type: string }[] };
  return [answer.status, errors[0]?.type];
}

test("what a hook creates is written with the change, or not at all", async () => {
  widgets.beforeCommit = async ({ entity }, context) => {
    await servicesOf(context).logs.create({ line: `made ${String(entity["widgetId"])}` });
    if (entity["name"] === "refused") throw new Error("after all");
  };
  const [before, lines] = [await countOf(WIDGETS), await countOf(LOGS)];
  const made = await post();
  const [log] = resultsOf(await service.read(`${LOGS}?sort=-createdDate&pageSize=1`));
  expect(log?.["line"]).toBe(`made ${String(made.json["widgetId"])}`);
  expectError(await post("refused"), 500, "InternalErrorMessage");
  expect([await countOf(WIDGETS), await countOf(LOGS)]).toEqual([before + 1, lines + 1]);
});

test("the service's own code writes what clients only read, also inside of objects", async () => {
  const seen: unknown[] = [];
  widgets.beforeCommit = async (_, context) => {
    const own = servicesOf(context).unrestricted;
    const badge: Values = await own.badges.create({ ...newBadge("own"), score: 7 });
    const changed: Values = await own.badges.change(String(badge["badgeId"]), { score: 8 });
    const kept: Values = await own.badges.change(String(badge["badgeId"]), { level: 2 });
    const locker: Values = await own.lockers.create({ door: { number: 1, opened: 2, checked: 3 } });
    const id = String(locker["lockerId"]);
    const opened: Values = await own.lockers.change(id, { door: { opened: 4 } });
    seen.push(badge["score"], changed["score"], kept["score"], locker["door"], opened["door"]);
  };
  expect((await post()).status).toBe(201);
  expect(seen).toMatchObject([7, 8, 8, { opened: 2, checked: 3 }, { opened: 4, checked: 3 }]);
});

test("what was created in the transaction can be read, changed, referred to and removed there", async () => {
  const seen: unknown[] = [];
  widgets.beforeCreate = async (_, context) => {
    const { depots, consignments } = servicesOf(context);
    const depot: Values = await depots.create({ name: "new" });
    const depotId = String(depot["depotId"]);
    const changed: Values = await depots.change(depotId, { name: "newer" });
    const read: Values = await depots.read(depotId);
    const consignment: Values = await consignments.create({ depot: { depotId } });
    seen.push(changed["name"], read["name"], consignment["depot"]);
    const gone: Values = await depots.create({ name: "gone" });
    await depots.remove(String(gone["depotId"]));
    await depots.read(String(gone["depotId"])).catch((error: unknown) => seen.push(String(error)));
  };
  const before = await countOf("/api/v1/depots");
  expect((await post()).status).toBe(201);
  expect(seen.slice(0, 2)).toEqual(["newer", "newer"]);
  expect(seen[2]).toMatchObject({ name: "newer" });
  expect(seen[3]).toContain("The depot was not found");
  expect(await countOf("/api/v1/depots")).toBe(before + 1);
});

test("services go the whole way: hooks, states, unique values", async () => {
  badges.beforeCreate = (badge) => void (badge["score"] = 9);
  const order = await service.create(ORDERS, { label: "a" });
  let act = async (_: Services): Promise<unknown> => undefined;
  widgets.beforeCreate = async (_, context) => void (await act(servicesOf(context)));
  act = async (services) => services.badges.create({ ...newBadge("own-1") });
  expect((await post()).status).toBe(201);
  const [badge] = resultsOf(await service.read(BADGES)).filter(({ serial }) => serial === "own-1");
  expect(badge?.["score"]).toBe(9);
  // The same serial: told once it is written, and nothing of it is.
  const before = await countOf(WIDGETS);
  expect(await refusal()).toEqual([409, "BadgeAlreadyExistsMessage"]);
  act = async (services) => services.orders.change(String(order["orderId"]), { status: "shipped" });
  expect(await refusal()).toEqual([409, "InvalidOrderStateMessage"]);
  act = async (services) => services.orders.read(MISSING);
  expect(await refusal()).toEqual([404, "OrderNotFoundMessage"]);
  expect(await countOf(WIDGETS)).toBe(before);
});

test("an input that breaks a rule is the service's own fault, which its code can catch", async () => {
  const caught: unknown[] = [];
  logs.validate = (_next, _stored, problems) => problems.add("line", "is refused by a rule");
  widgets.beforeCreate = async ({ name }, context) => {
    const { badges: own, logs: lines } = servicesOf(context);
    const wrong = own.create({ serial: "", box: { width: "1" }, colour: "green" });
    if (name === "careless") await wrong;
    await wrong.catch((error: unknown) => caught.push(error));
    await lines.create({ line: "x" }).catch((error: unknown) => caught.push(error));
  };
  expectError(await post("careless"), 500, "InternalErrorMessage");
  expect((await post()).status).toBe(201);
  expect(caught).toMatchObject([
    {
      name: "OwnCodeFault",
      code: "services.badges.create",
      fields: [
        { field: "serial" },
        { field: "colour" },
        { field: "addresses" },
        { field: "box.width" },
      ],
    },
    { code: "services.logs.create", fields: [{ field: "line", message: "is refused by a rule" }] },
  ]);
});

test("authorize is asked for the caller of a service, and for nobody who is unrestricted", async () => {
  const asked: string[] = [];
  logs.authorize = (operation) => void asked.push(operation);
  widgets.beforeCreate = async (_, context) => {
    const services = servicesOf(context);
    for (const { logs: lines } of [services, services.unrestricted]) {
      const made: Values = await lines.create({ line: "asked" });
      await lines.remove(String(made["logId"]));
      await lines.list();
    }
  };
  expect((await post()).status).toBe(201);
  expect(asked).toEqual(["create", "delete", "list"]);
});

test("a page that is too large for memory is the fault of the code that asks for it", async () => {
  const small = await startService("contract", { limits: { pageBytes: 2000 } });
  const note = "x".repeat(900);
  for (let count = 0; count < 4; count += 1) await small.create(WIDGETS, { name: "big", note });
  const caught: unknown[] = [];
  widgets.beforeCreate = async (_, context) => {
    const own = context as Context<unknown, { readonly widgets: Service }>;
    expect((await own.services.widgets.list()).results).toHaveLength(4);
    const large = { pageSize: 21 };
    await own.services.widgets.list(large).catch((error: unknown) => caught.push(error));
    await own.services.widgets.list(large);
  };
  const answer = await small.send("POST", WIDGETS, { body: { name: "drill" } });
  expectError(answer, 500, "InternalErrorMessage");
  expect(caught).toMatchObject([
    { code: "services.widgets.list", fields: [{ field: "pageSize" }] },
  ]);
});

test("outside a transaction each call is one of its own", async () => {
  widgets.afterCommit = async (_, context) => {
    const { logs: lines } = servicesOf(context);
    await Promise.all([lines.create({ line: "one" }), lines.create({ line: "two" })]);
    await lines.create({ line: "three" });
  };
  const before = await countOf(LOGS);
  await post();
  await vi.waitFor(async () => expect(await countOf(LOGS)).toBe(before + 3));
});

test("two requests that change one entity through services both do", async () => {
  const order = await service.create(ORDERS, { label: "0" });
  const id = String(order["orderId"]);
  widgets.beforeCreate = async (_, context) => {
    const { orders } = servicesOf(context);
    const stored: Values = await orders.read(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await orders.change(id, { label: String(Number(stored["label"]) + 1) });
  };
  const answers = await Promise.all([post(), post(), post()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await service.read(pathOf(ORDERS, order)))["label"]).toBe("3");
});

test("what fails and is caught leaves nothing behind, however much it had done", async () => {
  logs.beforeCommit = async ({ entity }, context) => {
    const line = String(entity["line"]);
    if (!line.startsWith("outer")) return;
    await servicesOf(context).logs.create({ line: `inner of ${line}` });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (line === "outer refused") throw new Error("after all");
  };
  logs.afterCommit = ({ entity }) => void told.push(entity["line"]);
  const told: unknown[] = [];
  const seen: unknown[] = [];
  widgets.beforeCommit = async (_, context) => {
    const { logs: lines } = servicesOf(context);
    const refused = lines.create({ line: "outer refused" });
    const caught = refused.catch((error: unknown) => seen.push(String(error)));
    await Promise.all([caught, lines.create({ line: "outer kept" })]);
  };
  const before = await countOf(LOGS);
  expect((await post()).status).toBe(201);
  expect(seen).toEqual(["Error: after all"]);
  expect(await countOf(LOGS)).toBe(before + 2);
  const newest = resultsOf(await service.read(`${LOGS}?sort=-createdDate&pageSize=2`));
  const kept = ["inner of outer kept", "outer kept"];
  expect(newest.map(({ line }) => line).sort()).toEqual(kept);
  await expect.poll(() => [...told].sort()).toEqual(kept);
});

test("a change that begins after its transaction is one of its own, and one that ends after it fails", async () => {
  let begin = async (): Promise<unknown> => undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  logs.beforeCreate = async ({ line }) => {
    if (line === "begun early") await ended;
  };
  widgets.beforeCreate = (_, context) => {
    const { unrestricted } = servicesOf(context);
    begin = async () => unrestricted.logs.create({ line: "begun late" });
    ending = unrestricted.logs.create({ line: "begun early" });
  };
  const before = await countOf(LOGS);
  expect((await post()).status).toBe(201);
  await begin();
  expect(await countOf(LOGS)).toBe(before + 1);
  const late = expect(ending).rejects.toThrow("The transaction is over");
  end();
  await late;
  expect(await countOf(LOGS)).toBe(before + 1);
});
