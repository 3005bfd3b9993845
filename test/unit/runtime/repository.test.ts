import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { ApiError } from "#runtime/base/errors";
import { createService, type Service } from "#runtime/service/service";
import { connectSqlite } from "#runtime/store/sqlite-module";
import { ask, type Answer } from "./fixture/ask.js";
import { errorTypeOf } from "./fixture/raw.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ticketRegistry, type Ticket, type TicketHooks } from "./fixture/tickets.js";

const TICKETS = "/api/v1/tickets";
const MISSING = "0192aaaa-0000-7000-8000-000000000000";
const START = Date.UTC(2026, 0, 1);
const folder = temporaryFolder();
const services: Service[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

interface Desk {
  readonly url: string;
  readonly clock: { now: number };
  readonly file: string;
}

async function openDesk(hooks: TicketHooks = {}): Promise<Desk> {
  const clock = { now: START };
  const file = join(folder, `${services.length}.db`);
  const options = { databaseUrl: `sqlite:${file}`, clock: () => clock.now };
  const service = await createService(ticketRegistry({ hooks }), options);
  services.push(service);
  return { url: await service.listen(), clock, file };
}

async function make(url: string, json: object): Promise<Ticket> {
  const answer = await ask(url, "POST", TICKETS, { json });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.body) as Ticket;
}

function ticketOf(answer: Answer): Ticket {
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as Ticket;
}

function pathOf({ ticketId }: Ticket): string {
  return `${TICKETS}/${ticketId}`;
}

test("a ticket is created whole, and read back the same", async () => {
  const { url } = await openDesk();
  const json = { title: "Broken lamp", price: "12.5", tags: ["light"] };
  const created = await ask(url, "POST", TICKETS, { json });
  const ticket = JSON.parse(created.body) as Ticket;
  expect(ticket).toEqual({
    ticketId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
    title: "Broken lamp",
    status: "open",
    priority: null,
    price: "12.50",
    email: null,
    tags: ["light"],
    createdDate: "2026-01-01T00:00:00.000Z",
    createdSubject: {
      subjectId: "00000000-0000-0000-0000-000000000000",
      userPrincipalName: "anonymous",
    },
    lastModifiedDate: "2026-01-01T00:00:00.000Z",
    lastModifiedSubject: {
      subjectId: "00000000-0000-0000-0000-000000000000",
      userPrincipalName: "anonymous",
    },
  });
  expect(created.headers["location"]).toBe(url + pathOf(ticket));
  expect((await ask(url, "GET", pathOf(ticket))).body).toBe(created.body);
});

test("PATCH changes what it names, PUT everything, and both stamp the change", async () => {
  const { url, clock } = await openDesk();
  const ticket = await make(url, { title: "Lamp", priority: 3, tags: ["a"] });
  clock.now += 1000;
  const patched = ticketOf(await ask(url, "PATCH", pathOf(ticket), { json: { priority: 1 } }));
  expect(patched).toEqual({
    ...ticket,
    priority: 1,
    lastModifiedDate: "2026-01-01T00:00:01.000Z",
  });
  clock.now += 1000;
  const whole = { title: "Desk", status: null, priority: null, price: null, email: null, tags: [] };
  const put = ticketOf(await ask(url, "PUT", pathOf(ticket), { json: whole }));
  expect(put).toEqual({ ...ticket, ...whole, lastModifiedDate: "2026-01-01T00:00:02.000Z" });
  expect(ticketOf(await ask(url, "GET", pathOf(ticket)))).toEqual(put);
});

test("an update that changes nothing writes nothing", async () => {
  const { url, clock, file } = await openDesk();
  const ticket = await make(url, { title: "Lamp", price: "1.00", tags: ["a"] });
  clock.now += 1000;
  const json = { price: "1", tags: ["a"] };
  expect(ticketOf(await ask(url, "PATCH", pathOf(ticket), { json }))).toEqual(ticket);
  const database = await connectSqlite(file);
  expect(database.prepare(`SELECT row_revision FROM "tickets"`).get()).toEqual({ row_revision: 1 });
  database.close();
});

test("the date of the last change never goes back, though the clock may", async () => {
  const { url, clock } = await openDesk();
  const ticket = await make(url, { title: "Lamp" });
  clock.now -= 3_600_000;
  const patched = ticketOf(await ask(url, "PATCH", pathOf(ticket), { json: { title: "Desk" } }));
  expect(patched.lastModifiedDate).toBe(ticket.lastModifiedDate);
});

test("what is deleted is gone", async () => {
  const { url } = await openDesk();
  const ticket = await make(url, { title: "Lamp" });
  const deleted = await ask(url, "DELETE", pathOf(ticket));
  expect([deleted.status, deleted.body, deleted.headers["content-type"]]).toEqual([
    204,
    "",
    undefined,
  ]);
  const again = await ask(url, "DELETE", pathOf(ticket));
  expect(`${again.status} ${errorTypeOf(again)}`).toBe("404 TicketNotFoundMessage");
});

test.each(["GET", "PUT", "PATCH", "DELETE"])(
  "%s of a ticket that is not there is 404",
  async (method) => {
    const { url } = await openDesk();
    const question = method === "PUT" || method === "PATCH" ? { json: {} } : {};
    const answer = await ask(url, method, `${TICKETS}/${MISSING}`, question);
    expect(`${answer.status} ${errorTypeOf(answer)}`).toBe("404 TicketNotFoundMessage");
  },
);

test("a unique value that is taken is 409, on create and on update", async () => {
  const { url } = await openDesk();
  await make(url, { title: "Lamp", email: "a@example.com" });
  const other = await make(url, { title: "Desk", email: "b@example.com" });
  const json = { title: "Chair", email: "a@example.com" };
  for (const answer of [
    await ask(url, "POST", TICKETS, { json }),
    await ask(url, "PATCH", pathOf(other), { json }),
  ]) {
    expect(`${answer.status} ${errorTypeOf(answer)}`).toBe("409 TicketAlreadyExistsMessage");
    expect(answer.body).toContain("the same email");
  }
});

test("a list is paged, counted, filtered and sorted", async () => {
  const { url } = await openDesk();
  const prices = ["9.00", "10.00", "100.00", null, "2.50"];
  for (const [index, price] of prices.entries()) {
    await make(url, { title: `T${index}`, price, status: index % 2 === 0 ? "open" : "closed" });
  }
  const list = async (search: string): Promise<{ results: Ticket[] } & Record<string, number>> =>
    JSON.parse((await ask(url, "GET", `${TICKETS}${search}`)).body);
  const titles = async (search: string): Promise<string> =>
    (await list(search)).results.map(({ title }) => title).join();
  expect(await titles("?sort=price")).toBe("T4,T0,T1,T2,T3");
  expect(await titles("?sort=-price")).toBe("T2,T1,T0,T4,T3");
  expect(await titles("?status=open&sort=-title")).toBe("T4,T2,T0");
  expect(await titles("?price=10.00&price=")).toBe("T1,T3");
  expect(await titles("")).toBe("T0,T1,T2,T3,T4");
  const { results, ...envelope } = await list("?pageSize=2&pageNumber=3");
  expect(results).toHaveLength(1);
  expect(envelope).toEqual({ itemCount: 5, pageNumber: 3, pageSize: 2, pageCount: 3 });
  const { results: none, ...past } = await list("?pageSize=2&pageNumber=2147483647");
  expect(none).toEqual([]);
  expect(past).toMatchObject({ itemCount: 5, pageCount: 3 });
  expect(await list("?status=pending")).toMatchObject({ results: [], itemCount: 0, pageCount: 0 });
});

test("changes of one ticket by many callers at once are none of them lost", async () => {
  const { url } = await openDesk({
    beforeUpdate: (next, stored) => {
      next.tags = [...stored.tags, String(stored.tags.length)];
    },
  });
  const ticket = await make(url, { title: "Lamp" });
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      ask(url, "PATCH", pathOf(ticket), { json: { title: `T${index}` } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200));
  const { tags } = ticketOf(await ask(url, "GET", pathOf(ticket)));
  expect(tags).toEqual(Array.from({ length: 15 }, (_, index) => String(index)));
});

test("a ticket that is deleted while it is changed stays deleted", async () => {
  const { url } = await openDesk();
  for (let round = 0; round < 10; round += 1) {
    const ticket = await make(url, { title: "Lamp" });
    const [deleted, patched] = await Promise.all([
      ask(url, "DELETE", pathOf(ticket)),
      ask(url, "PATCH", pathOf(ticket), { json: { title: "Desk" } }),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(patched.status);
    expect((await ask(url, "GET", pathOf(ticket))).status).toBe(404);
  }
});

test("hooks change what is stored, and are told of every change", async () => {
  const told: string[] = [];
  const { url } = await openDesk({
    authorize: (operation, ticket) => void told.push(`${operation} ${ticket?.title ?? "-"}`),
    beforeCreate: (ticket) => {
      ticket.title = ticket.title.toUpperCase();
    },
    beforeUpdate: (next) => {
      next.tags.push("seen");
    },
    beforeDelete: (ticket) => void told.push(`beforeDelete ${ticket.title}`),
    afterCommit: ({ kind, entity, previous }) =>
      void told.push(`${kind} ${previous?.tags.join("+") ?? "-"} > ${entity.tags.join("+")}`),
  });
  const ticket = await make(url, { title: "Lamp", tags: ["a"] });
  expect(ticket.title).toBe("LAMP");
  await ask(url, "GET", pathOf(ticket));
  await ask(url, "GET", TICKETS);
  const patched = ticketOf(await ask(url, "PATCH", pathOf(ticket), { json: {} }));
  expect(patched.tags).toEqual(["a", "seen"]);
  await ask(url, "DELETE", pathOf(ticket));
  expect(told).toEqual([
    "create -",
    "created - > a",
    "read LAMP",
    "list -",
    "update LAMP",
    "updated a > a+seen",
    "delete LAMP",
    "beforeDelete LAMP",
    "deleted a+seen > a+seen",
  ]);
});

test("a hook that refuses is answered as it says, and nothing is written", async () => {
  const { url } = await openDesk({
    beforeCreate: (ticket) => {
      if (ticket.title === "No") throw new ApiError(409, "InvalidTicketStateMessage", "No.");
    },
  });
  const answer = await ask(url, "POST", TICKETS, { json: { title: "No" } });
  expect(`${answer.status} ${errorTypeOf(answer)}`).toBe("409 InvalidTicketStateMessage");
  expect((await ask(url, "GET", TICKETS)).body).toContain(`"itemCount": 0`);
});

test("writes that a hook adds are in the change's transaction: both or neither", async () => {
  const { url, file } = await openDesk({
    beforeCreate: (ticket, context) => {
      const sql = `INSERT INTO "audit" VALUES (?, ?)`;
      context.add({ sql, values: ["created", ticket.title] });
    },
  });
  await make(url, { title: "Lamp" });
  // The table's CHECK refuses this one, after the ticket itself was inserted.
  const refused = await ask(url, "POST", TICKETS, { json: { title: "forbidden" } });
  expect(`${refused.status} ${errorTypeOf(refused)}`).toBe("500 InternalErrorMessage");
  const database = await connectSqlite(file);
  expect(database.prepare(`SELECT "title" FROM "tickets"`).all()).toEqual([{ title: "Lamp" }]);
  expect(database.prepare(`SELECT "what" FROM "audit"`).all()).toEqual([{ what: "Lamp" }]);
  database.close();
});

test("afterCommit that fails does not change the answer", async () => {
  const { url } = await openDesk({
    afterCommit: () => {
      throw new Error("nobody should see this");
    },
  });
  const ticket = await make(url, { title: "Lamp" });
  expect((await ask(url, "DELETE", pathOf(ticket))).status).toBe(204);
});

test("text is stored and answered byte for byte", async () => {
  const { url } = await openDesk();
  const title = `"quotes" \\ back, \u0001 control, é, 日本, 🦊, \u2028, ' OR 1=1 --`;
  const ticket = await make(url, { title });
  expect(ticketOf(await ask(url, "GET", pathOf(ticket))).title).toBe(title);
});
