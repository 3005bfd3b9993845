import { expect, test } from "vitest";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const HOUR = 3_600_000;
const clock = { now: NOW };
const service = await startService("contract", { clock: () => clock.now });
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();

const TICKETS = [
  { title: "a", status: "closed", closedDate: at(-1), priority: 3, price: "9.99", tags: ["red"] },
  { title: "b", status: "closed", closedDate: at(-24), priority: 1, price: "10.00", urgent: true },
  { title: "c", status: "closed", closedDate: at(-24.001), priority: 5, tags: ["green"] },
  { title: "d", status: "closed", closedDate: at(1), price: "10.01", dueDate: at(2) },
  { title: "e", status: "open", dueDate: at(24 * 7), tags: ["blue", "green"], priority: 2 },
  { title: "f", status: "pending", dueDate: at(24 * 7 + 1), address: { state: "NY" } },
  { title: "g", status: null, dueDate: at(0), address: { state: "TX" }, price: "1.00" },
  { title: "h", status: "open", dueDate: at(-1), address: { state: null }, urgent: false },
];
for (const ticket of TICKETS) await service.create("/api/v1/tickets", ticket);

async function titles(path: string): Promise<string> {
  const page = await service.read(`/api/v1/tickets/${path}`);
  return resultsOf(page)
    .map(({ title }) => String(title))
    .join("");
}

test.each([
  { alias: "recentlyclosed", want: "ab" },
  { alias: "duesoon", want: "eg" },
  { alias: "undecided", want: "fh" },
  { alias: "middling", want: "ea" },
  { alias: "cheap", want: "ag" },
  { alias: "tagged", want: "ae" },
  { alias: "untagged", want: "bdfgh" },
  { alias: "away", want: "g" },
])("$alias finds $want, in its own order", async ({ alias, want }) => {
  expect(await titles(alias)).toBe(want);
});

test("a window moves with the clock", async () => {
  expect(await titles("fresh")).toBe("abcdefgh");
  clock.now = NOW + HOUR + 1;
  expect(await titles("fresh")).toBe("");
  expect(await titles("recentlyclosed")).toBe("da");
  clock.now = NOW;
});

test("the caller's sort replaces the alias's", async () => {
  expect(await titles("recentlyclosed?sort=closedDate")).toBe("ba");
});

test("the caller's filters hold as well", async () => {
  expect(await titles("recentlyclosed?priority=1")).toBe("b");
  expect(await titles("recentlyclosed?status=open")).toBe("");
});

test("an alias answers the collection's envelope, with its own count and pages", async () => {
  const page = await service.read("/api/v1/tickets/recentlyclosed?pageSize=1&pageNumber=2");
  expect(page).toMatchObject({ itemCount: 2, pageNumber: 2, pageSize: 1, pageCount: 2 });
  expect(resultsOf(page)).toMatchObject([{ title: "b" }]);
});

test("an alias refuses what its collection refuses", async () => {
  const answer = await service.send("GET", "/api/v1/tickets/recentlyclosed?colour=red&pageSize=0");
  expectFields(answer, "colour", "pageSize");
});

test("a method that an alias does not have is 405 with Allow", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await service.send(method, "/api/v1/tickets/recentlyclosed", { body: {} });
    expectError(answer, 405, "MethodNotAllowedMessage");
    expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  }
});

test("a name that is no alias is no entity either", async () => {
  const answer = await service.send("GET", "/api/v1/tickets/recentlyopened");
  expectError(answer, 404, "TicketNotFoundMessage");
});

test("an alias stands in the OpenAPI document, with the collection's parameters", async () => {
  const document = await service.read("/api/v1/openapi.json");
  expect(document).toMatchObject({
    paths: {
      "/tickets/recentlyclosed": {
        get: {
          operationId: "listTicketsRecentlyclosed",
          description:
            "Closed within the last day.\n\nThose whose `status` is <code>closed</code> and `closedDate` is within the last day. Sorted by -closedDate unless `sort` is given.",
        },
      },
    },
  });
});
