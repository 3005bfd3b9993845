import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { countIn } from "./support/count.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { LOGS, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Names = "logs" | "orders" | "depots" | "consignments" | "bookings";
interface Services extends Readonly<Record<Names, Service>> {
  readonly unrestricted: Services;
}

const DEPOTS = "/api/v1/depots";
const CONSIGNMENTS = "/api/v1/consignments";
const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const logs = await customCode("logs");
const consignments = await customCode("consignments");
const bookings = await customCode("bookings");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const countOf = async (path: string) => countIn(service, path);
const post = async (name = "drill") => service.send("POST", WIDGETS, { body: { name } });

/** A consignment that lets go of the depot that it would be returned to. */
async function newConsignment() {
  const depot = await service.create(DEPOTS, { name: "kept" });
  const gone = String((await service.create(DEPOTS, { name: "gone" }))["depotId"]);
  const depotId = depot["depotId"] ?? null;
  const body = { depot: { depotId }, returnDepot: { depotId: gone }, label: "a" };
  const made = await service.create(CONSIGNMENTS, body);
  return { body, gone, path: pathOf(CONSIGNMENTS, made), id: String(made["consignmentId"]) };
}

test("nothing refers to what the same transaction deletes", async () => {
  const { body } = await newConsignment();
  const caught: unknown[] = [];
  const attempt = async (what: Promise<unknown>): Promise<unknown> =>
    what.catch((error: unknown) => caught.push(error));
  let refer = async (_: Services, _depotId: string): Promise<unknown> => undefined;
  widgets.beforeCreate = async (_, context) => {
    const services = servicesOf(context);
    const depotId = String((await service.create(DEPOTS, { name: "b" }))["depotId"]);
    await services.depots.remove(depotId);
    await attempt(refer(services, depotId));
  };
  refer = async ({ consignments: own }, depotId) => own.create({ ...body, depot: { depotId } });
  expect((await post()).status).toBe(201);
  refer = async ({ consignments: own }, depotId) => own.create({ ...body, stops: [{ depotId }] });
  expect((await post()).status).toBe(201);
  consignments.beforeCreate = (next) => void (next["depot"] = { depotId: String(next["label"]) });
  refer = async ({ consignments: own }, label) => own.create({ ...body, label });
  expect((await post()).status).toBe(201);
  const fault = (field: string) => [{ field, message: "does not refer to an existing depot" }];
  expect(caught).toMatchObject([
    { name: "OwnCodeFault", fields: fault("depot.depotId") },
    { name: "OwnCodeFault", fields: fault("stops[0].depotId") },
    { code: "beforeCreate of consignments", fields: fault("depot.depotId") },
  ]);
});

test("own code that deletes what the change itself refers to is at fault", async () => {
  const { body } = await newConsignment();
  const depotId = (await service.create(DEPOTS, { name: "b" }))["depotId"] ?? null;
  consignments.validate = async ({ depot }, _stored, _problems, context) =>
    servicesOf(context).depots.remove(String((depot as Values)["depotId"]));
  const answer = await service.send("POST", CONSIGNMENTS, {
    body: { ...body, depot: { depotId } },
  });
  expectError(answer, 500, "InternalErrorMessage");
  expect((await service.send("GET", `${DEPOTS}/${String(depotId)}`)).status).toBe(200);
});

test("what nothing refers to any more by then is deleted, and else the transaction is refused", async () => {
  const { body, id } = await newConsignment();
  const { depotId } = body.depot;
  const other = (await service.create(DEPOTS, { name: "other" }))["depotId"] ?? null;
  const before = await countOf(LOGS);
  let work = async (_: Services): Promise<unknown> => undefined;
  widgets.beforeCreate = async (_, context) => {
    const services = servicesOf(context);
    await services.logs.create({ line: "a" });
    await work(services);
    await services.depots.remove(String(depotId));
  };
  // The document of widgets does not know what own code refuses by others.
  const headers = { "content-type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify({ name: "drill" }) };
  const refused = await fetch(service.url + WIDGETS, sent);
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("DepotInUseMessage"),
  ]);
  expect(await countOf(LOGS)).toBe(before);
  work = async ({ consignments: own }) => own.change(id, { depot: { depotId: other } });
  expect((await post()).status).toBe(201);
  expect((await service.send("GET", `${DEPOTS}/${String(depotId)}`)).status).toBe(404);
  widgets.beforeCreate = async (_, context) => {
    const services = servicesOf(context);
    await services.consignments.remove(id);
    await services.depots.remove(String(other));
  };
  expect((await post()).status).toBe(201);
  expect(await countOf(LOGS)).toBe(before + 1);
});

test("what lets go of what is deleted can be changed in the same transaction, before and after it", async () => {
  const orders: ((services: Services, gone: string, id: string) => Promise<void>)[] = [
    async ({ depots, consignments: own }, gone, id) => {
      await depots.remove(gone);
      expect(await own.read(id)).toMatchObject({ label: "a", returnDepot: null });
      await own.change(id, { label: "b" });
    },
    async ({ depots, consignments: own }, gone, id) => {
      await own.change(id, { label: "b" });
      await depots.remove(gone);
      expect(await own.read(id)).toMatchObject({ label: "b", returnDepot: null });
      await own.change(id, { label: "b", stops: [] });
    },
    async ({ depots, consignments: own }, gone, id) => {
      await own.lock(id);
      await depots.remove(gone);
      await own.lock(id);
      await own.change(id, { label: "b" });
    },
    async (services, gone, id) => {
      logs.beforeCreate = async (_, context) => {
        const { depots, consignments: own } = servicesOf(context);
        await depots.remove(gone);
        await own.lock(id);
        await own.change(id, { label: "b" });
      };
      await services.logs.create({ line: "inside of another change" });
    },
  ];
  for (const order of orders) {
    const { gone, path, id } = await newConsignment();
    widgets.beforeCreate = async (_, context) => order(servicesOf(context), gone, id);
    const { status, text } = await post();
    expect(status, text).toBe(201);
    expect(await service.read(path)).toMatchObject({ label: "b", returnDepot: null });
    expect((await service.send("GET", `${DEPOTS}/${gone}`)).status).toBe(404);
  }
});

test("an answer shows what its own hooks made it let go of, with its tag", async () => {
  const remove = async (gone: string, context: Context): Promise<void> => {
    await servicesOf(context)
      .depots.remove(gone)
      .catch(() => undefined);
  };
  const { gone, path, body } = await newConsignment();
  const answers: (readonly [string, Awaited<ReturnType<typeof post>>])[] = [];
  consignments.beforeUpdate = async (_next, _stored, context) => remove(gone, context);
  const patched = await service.send("PATCH", path, { body: { label: "b" } });
  answers.push([path, patched]);
  delete consignments.beforeUpdate;
  const { depotId = null } = await service.create(DEPOTS, { name: "gone" });
  consignments.beforeCommit = async (_, context) => remove(String(depotId), context);
  const made = await service.send("POST", CONSIGNMENTS, {
    body: { ...body, returnDepot: { depotId } },
  });
  answers.push([pathOf(CONSIGNMENTS, made.json), made]);
  for (const [where, answer] of answers) {
    expect(answer.json, answer.text).toMatchObject({ returnDepot: null });
    const read = await service.send("GET", where);
    expect([read.json, read.headers.etag]).toEqual([answer.json, answer.headers.etag]);
  }
});

test("an answer shows what services have made of what it refers to, with its tag", async () => {
  const { body } = await newConsignment();
  const { depotId = null } = body.depot;
  const made = await service.create(CONSIGNMENTS, body);
  const path = pathOf(CONSIGNMENTS, made);
  const [rename, send] = renaming(String(depotId));
  const answers: (readonly [string, Awaited<ReturnType<typeof post>>])[] = [];
  consignments.beforeCommit = async (_, context) => rename(context);
  for (const [method, changes] of [
    ["PATCH", { label: "b" }],
    ["PUT", { ...ALL, ...body, label: "c", returnDepot: { depotId }, stops: [{ depotId }] }],
    ["POST", { ...body, previous: { consignmentId: made["consignmentId"] ?? null } }],
  ] as const) {
    answers.push(await send(method, method === "POST" ? CONSIGNMENTS : path, changes));
  }
  delete consignments.beforeCommit;
  // It changes nothing itself.
  consignments.beforeUpdate = async (_next, _stored, context) => rename(context);
  answers.push(await send("PATCH", path, {}));
  for (const [name, answer] of answers) {
    expect(answer.json, answer.text).toMatchObject({ depot: { name, fee: "1.50" } });
  }
});

/** What a PUT needs as well. */
const ALL: Values = { origin: null, merchant: null, previous: null };

/** A hook that gives a depot another name each time, and a request whose answer has to be that of the next GET. */
function renaming(depotId: string) {
  let name = "";
  const rename = async (context: Context): Promise<void> => {
    name = `${name}+`;
    await servicesOf(context).depots.change(depotId, { name, fee: "1.50" });
  };
  const send = async (method: string, path: string, body: Values) => {
    const answer = await service.send(method, path, { body });
    const where = method === "POST" ? pathOf(CONSIGNMENTS, answer.json) : path;
    const read = await service.send("GET", where);
    expect([answer.json, answer.headers.etag]).toEqual([read.json, read.headers.etag]);
    return [name, answer] as const;
  };
  return [rename, send] as const;
}

test("services read an entity with what the same transaction has made of what it refers to", async () => {
  const { body, id } = await newConsignment();
  const depotId = String(body.depot.depotId);
  widgets.beforeCreate = async (_, context) => {
    const { consignments: own, depots } = servicesOf(context);
    await depots.change(depotId, { name: "renamed" });
    expect(await own.read(id)).toMatchObject({ depot: { name: "renamed" } });
    expect(await own.change(id, { label: "b" })).toMatchObject({ depot: { name: "renamed" } });
    await depots.change(depotId, { name: "again" });
    expect(await own.read(id)).toMatchObject({ label: "b", depot: { name: "again" } });
  };
  const { status, text } = await post();
  expect(status, text).toBe(201);
});

test("a unique value that is taken is told at the first try, in the name of the resource, whatever is locked beside it", async () => {
  const { depotId } = await service.create(DEPOTS, { name: "a" });
  const other = await service.create("/api/v1/bookings", { label: "a" });
  const taken = { label: "b", mark: "of a booking" };
  await service.create("/api/v1/openbookings", taken);
  const asked: unknown[] = [];
  for (const locked of ["depots", "bookings"] as const) {
    const id = String(locked === "depots" ? depotId : other["bookingId"]);
    bookings.validate = ({ serial }) => void asked.push(serial);
    bookings.beforeCommit = async (_, context) => servicesOf(context)[locked].lock(id);
    const answer = await service.send("POST", "/api/v1/openbookings", { body: taken });
    const { description } = expectError(answer, 409, "BookingAlreadyExistsMessage");
    expect(description).toBe("There is another booking with the same mark.");
  }
  expect(asked).toEqual([taken.mark, taken.mark]);
});
