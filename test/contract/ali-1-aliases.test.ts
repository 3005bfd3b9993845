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

async function titles(path: string, from = service): Promise<string> {
  return resultsOf(await from.read(`/api/v1/${path}`))
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

test("today begins with the first instant of the day where the service is, and windows of dates include both ends", async () => {
  // In São Paulo, clocks go from 23:59:59 to 01:00: the day begins at 03:00 UTC and has 23 hours.
  const time = { now: Date.parse("2018-11-04T02:59:59.999Z") };
  const own = await startService("contract", { clock: () => time.now });
  for (const [title, bestBefore, packedDate] of [
    ["a", "2018-11-02", "2018-11-04T02:59:59.999Z"],
    ["b", "2018-11-03", "2018-11-04T03:00:00.000Z"],
    ["c", "2018-11-04", "2018-11-05T01:59:59.999Z"],
    ["d", "2018-11-05", "2018-11-05T02:00:00.000Z"],
    ["e", "2018-11-06", null],
    ["f", "2018-11-07", null],
    ["g", null, null],
    ["h", "2018-12-24", null],
  ] as const) {
    await own.create("/api/v1/pallets", { title, bestBefore, packedDate });
  }
  const found = async (path: string): Promise<string> => titles(`${path}?sort=title`, own);
  const all = async (): Promise<Record<string, string>> => ({
    expired: await found("pallets/expired"),
    expiring: await found("pallets/expiring"),
    ofthesedays: await found("pallets/ofthesedays"),
    outdated: await found("pallets/outdated"),
    packed: `${await found("pallets/packedbefore")}<${await found("pallets/packedtoday")}<${await found("pallets/packedlater")}`,
    represented: await found("usablepallets"),
  });
  expect(await all()).toEqual({
    ...{ expired: "a", expiring: "bcd", ofthesedays: "bgh", outdated: "a", packed: "<a<bcd" },
    represented: "bcdefh",
  });
  time.now += 1;
  expect(await all()).toEqual({
    ...{ expired: "ab", expiring: "cde", ofthesedays: "cgh", outdated: "b", packed: "a<bc<d" },
    represented: "cdefh",
  });
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
