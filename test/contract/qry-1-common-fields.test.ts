import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const PALLETS = "/api/v1/pallets";
const START = Date.parse("2026-03-10T12:00:00.000Z");
const clock = { now: START };
const service = await startService("contract", { clock: () => clock.now });
const made: JsonObject[] = [];
for (const title of ["a", "b", "c"]) {
  made.push(await service.create(PALLETS, { title }));
  clock.now += 1000;
}
const [first] = made;
await service.send("PATCH", `${PALLETS}/${String(first?.["palletId"])}`, { body: { bay: 7 } });

async function titles(search: string): Promise<string> {
  const page = await service.read(`${PALLETS}?sort=title&${search}`);
  return resultsOf(page)
    .map(({ title }) => String(title))
    .join("");
}

test.each([
  ["createdDate=2026-03-10T12:00:01.000Z", "b"],
  ["createdDate=2026-03-10T12:00:01.000Z&createdDate=2026-03-10T12:00:00.000Z", "ab"],
  ["createdDate.atLeast=2026-03-10T12:00:01.000Z", "bc"],
  [
    "createdDate.moreThan=2026-03-10T12:00:00.000Z&createdDate.lessThan=2026-03-10T12:00:02.000Z",
    "b",
  ],
  ["lastModifiedDate.atLeast=2026-03-10T12:00:02.001Z", "a"],
  ["createdSubject.subjectId=00000000-0000-0000-0000-000000000000", "abc"],
  ["createdSubject.userPrincipalName=anonymous", "abc"],
  ["createdSubject.userPrincipalName=somebody", ""],
  ["lastModifiedSubject.subjectId=0190a0a0-0000-7000-8000-000000000000", ""],
  ["lastModifiedSubject.userPrincipalName=anonymous", "abc"],
  ["createdDate=", ""],
])("?%s finds %j", async (search, want) => {
  expect(await titles(search)).toBe(want);
});

test("a date that is none, and half a subject, are refused", async () => {
  for (const [search, field] of [
    ["createdDate=2026-03-10", "createdDate"],
    ["createdDate.atLeast=today", "createdDate.atLeast"],
    ["createdSubject=anonymous", "createdSubject"],
    ["createdSubject.subjectId=me", "createdSubject.subjectId"],
  ] as const) {
    expectFields(await service.send("GET", `${PALLETS}?${search}`), field);
  }
});

test("a resource that does not open them refuses them", async () => {
  for (const name of ["createdDate", "createdDate.atLeast", "createdSubject.subjectId"]) {
    expectFields(await service.send("GET", `/api/v1/tickets?${name}=x`), name);
  }
});

test("a representation follows its original", async () => {
  await service.create("/api/v1/restingpallets", { label: "gone", load: 0 });
  const found = await service.read(
    "/api/v1/restingpallets?createdDate.atLeast=2026-03-10T12:00:03.000Z",
  );
  expect(resultsOf(found)).toMatchObject([{ label: "gone" }]);
});

test("under an alias they hold as well", async () => {
  const page = await service.read(
    `${PALLETS}/newest?createdDate.lessThan=2026-03-10T12:00:02.000Z`,
  );
  expect(resultsOf(page).map(({ title }) => title)).toEqual(["b", "a"]);
});
