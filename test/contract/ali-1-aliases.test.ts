import { expect, test } from "vitest";
import { resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const HOUR = 3_600_000;
const clock = { now: NOW };
const service = await startService("contract", { clock: () => clock.now });
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();

const TICKETS = [
  { title: "b", status: "closed", closedDate: at(-24) },
  { title: "a", status: "closed", closedDate: at(-1) },
  { title: "c", status: "closed", closedDate: at(-24.001) },
  { title: "d", status: "closed", closedDate: at(1), dueDate: at(2) },
  { title: "e", status: "open", dueDate: at(24 * 7) },
  { title: "f", status: "pending", dueDate: at(24 * 7 + 1) },
  { title: "g", status: null, dueDate: at(0) },
  { title: "h", status: "open", dueDate: at(-1) },
];
for (const ticket of TICKETS) await service.create("/api/v1/tickets", ticket);

async function titles(path: string): Promise<string> {
  return resultsOf(await service.read(`/api/v1/${path}`))
    .map(({ title }) => String(title))
    .join("");
}

test("a window has its bounds, and moves with the clock", async () => {
  expect(await titles("tickets/recentlyclosed")).toBe("ab");
  expect(await titles("tickets/duesoon")).toBe("eg");
  expect(await titles("tickets/fresh")).toBe("abcdefgh");
  clock.now = NOW + HOUR + 1;
  expect(await titles("tickets/fresh")).toBe("");
  expect(await titles("tickets/recentlyclosed")).toBe("da");
  clock.now = NOW;
});

test("the caller's sort replaces the alias's", async () => {
  // What ties is in the order of the identifiers, and not in the alias's own.
  const [first, second] = resultsOf(
    await service.read("/api/v1/tickets/recentlyclosed?sort=createdDate"),
  );
  expect(String(first?.["ticketId"]) < String(second?.["ticketId"])).toBe(true);
});

test("alternatives go with the caller's filters, sort and pages, and are counted", async () => {
  for (const pallet of [
    { title: "a", status: "stored", bestBefore: "2026-03-31", packedDate: at(-0.5) },
    { title: "b", status: "loaded", bestBefore: "2026-03-31", weight: 100 },
    { title: "c", status: "loaded", weight: 100.5 },
    { title: "d", status: "sent", weight: 500, packedDate: at(-1.01) },
    { title: "e", status: "loaded", price: "1000.00" },
  ]) {
    await service.create("/api/v1/pallets", pallet);
  }
  expect(await titles("pallets/due?sort=-title")).toBe("eca");
  expect(await titles("pallets/due?status=loaded&weight.atLeast=100")).toBe("c");
  const page = await service.read("/api/v1/pallets/due?sort=title&pageSize=1&pageNumber=3");
  expect(page).toMatchObject({ itemCount: 3, pageCount: 3, results: [{ title: "e" }] });
});

test("nobody has made what nobody said to have made", async () => {
  const keys = await newKeys("only");
  const secured = await startSecured((await startKeyServer([keys.jwk])).url);
  const ann = await tokenOf(keys, "ann");
  for (const [by, text] of [
    [ann, "a"],
    [null, "b"],
  ] as const) {
    const body = { text, isShared: false };
    expect((await sendAs(secured, by, ["POST", "/api/v1/memos"], body)).status).toBe(201);
  }
  const texts = async (as: string | null) =>
    resultsOf((await sendAs(secured, as, ["GET", "/api/v1/memos/mine"])).json);
  expect(await texts(ann)).toMatchObject([{ text: "a" }]);
  expect(await texts(null)).toEqual([]);
});
