import { expect, test } from "vitest";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { FULL_WIDGET, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const full = await service.create(WIDGETS, FULL_WIDGET);
const noAddress = await service.create(WIDGETS, { name: "no address" });
const noState = await service.create(WIDGETS, {
  name: "no state",
  deliveryAddress: { city: "Bavaria", place: { floor: 0 } },
});
const noPlace = await service.create(WIDGETS, {
  name: "no place",
  deliveryAddress: { state: "3" },
});

const PALLETS = "/api/v1/pallets";
const day = "2026-03-10";
const pallet = await service.create(PALLETS, {
  measures: { height: 3, value: "1.50", ratio: 0.5, checkedDate: `${day}T12:00:00.000Z`, day },
});

const find = async (search: string) => resultsOf(await service.read(`${WIDGETS}?${search}`));

test("a nested property is addressed with a dot, at any depth", async () => {
  expect(await find("deliveryAddress.state=Bavaria")).toEqual([full]);
  expect(await find("deliveryAddress.place.floor=3")).toEqual([full]);
  expect(await find("deliveryAddress.place.floor=0")).toEqual([noState]);
  expect(await find("deliveryAddress%2Estate=Bavaria")).toEqual([full]);
});

test.each([
  ...["createdSubject.subjectId", "createdSubject.userPrincipalName"],
  ...["lastModifiedSubject.subjectId", "lastModifiedSubject.userPrincipalName"],
  ...["measures.height", "measures.value", "measures.ratio", "measures.checkedDate"],
  "measures.day",
])("%s is what stands there in the body", async (path) => {
  const wanted = encodeURIComponent(String(at(pallet, path)));
  expect(resultsOf(await service.read(`${PALLETS}?${path}=${wanted}`))).toEqual([pallet]);
});

test("a text is compared as a text and a number as a number", async () => {
  expect(await find("deliveryAddress.state=3")).toEqual([noPlace]);
  expectFields(
    await service.send("GET", `${WIDGETS}?deliveryAddress.place.floor=three`),
    "deliveryAddress.place.floor",
  );
});

test("an empty value finds what has no value there, whichever object on the way is null", async () => {
  expect(await find("deliveryAddress.state=")).toEqual([noAddress, noState]);
  expect(await find("deliveryAddress.place.floor=")).toEqual([noAddress, noPlace]);
});

test("several nested filters must all hold", async () => {
  expect(await find("deliveryAddress.state=Bavaria&deliveryAddress.place.floor=3")).toEqual([full]);
  expect(await find("deliveryAddress.state=Bavaria&deliveryAddress.place.floor=0")).toEqual([]);
});

test("a nested property is sorted by in the same way", async () => {
  const names = (await find("sort=-deliveryAddress.state")).map(({ name }) => name);
  expect(names).toEqual(["drill", "no place", "no address", "no state"]);
});

test.each([
  ...["deliveryAddress", "deliveryAddress.", ".state", "state", "deliveryAddress.place"],
  ...["deliveryAddress.city", "deliveryAddress.place.doors", "deliveryAddress..state"],
  ...["deliveryAddress[state]", "deliveryAddress/state", "deliveryAddress.State", "a.b.c.d.e.f"],
])("%s is no path that can be filtered by: 400 that names it", async (path) => {
  expectFields(await service.send("GET", `${WIDGETS}?${encodeURIComponent(path)}=x`), path);
});
