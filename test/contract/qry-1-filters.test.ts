import { expect, test } from "vitest";
import { expectFields, resultsOf } from "./support/errors.js";
import { BADGES, FULL_WIDGET, LOGS, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const full = await service.create(WIDGETS, FULL_WIDGET);
const bare = await service.create(WIDGETS, {
  name: "bare",
  status: null,
  weight: 0,
  price: "-1.5",
});
await service.create(WIDGETS, { name: "Drill", tags: ["Steel"], active: false, size: 13 });

const find = async (search: string) => resultsOf(await service.read(`${WIDGETS}?${search}`));

test.each([
  "name=drill",
  "size=12",
  "weight=1.5",
  "weight=15e-1",
  "price=19.90",
  "price=19.9",
  "active=true",
  "status=open",
  "tags=steel",
  "tags=red",
  "startDate=2026-02-28T12:30:00.000Z",
  "startDate=2026-02-28T12%3A30%3A00.000Z",
  "batch=0190a0a0-1111-7000-8000-000000000000",
  "batch=0190A0A0-1111-7000-8000-000000000000",
])("?%s finds exactly the entity that has this value", async (search) => {
  expect(await find(search)).toEqual([full]);
});

test.each(["weight=0", "weight=-0", "weight=0.0", "price=-1.5", "price=-1.50"])(
  "?%s is the value, however it is written",
  async (search) => {
    expect(await find(search)).toEqual([bare]);
  },
);

test.each([
  ...["name=dril", "name=DRILL", "name=drill%20", "name=%25", "name=d_ill", "name=*"],
  ...["tags=ste", "tags=STEEL", "tags=%5B%22steel%22%5D", "size=1", "price=19.00"],
  ...["startDate=2026-02-28T12:30:00.001Z", "batch=0190a0a0-1111-7000-8000-000000000001"],
])("?%s is no pattern and no part of a value: it finds nothing", async (search) => {
  expect(await find(search)).toEqual([]);
});

test("the counts are those of what the filter finds", async () => {
  expect(await service.read(`${WIDGETS}?active=false&pageSize=1`)).toMatchObject({
    ...{ itemCount: 1, pageCount: 1, pageSize: 1, pageNumber: 1 },
  });
});

test.each([
  ["a' b&c=d+e%", "name=a%27+b%26c%3Dd%2Be%25"],
  ["grün 😀", "name=gr%C3%BCn%20%F0%9F%98%80"],
  ["a b", "name=a+b"],
  ["a+b", "name=a%2Bb"],
  ["' OR '1'='1", "name='%20OR%20'1'='1"],
  ["\\", "name=%5C"],
  ["a\u2028b", "name=a%E2%80%A8b"],
])("the text %j is found by its own value: ?%s", async (name, search) => {
  const made = await service.create(WIDGETS, { name });
  expect(await find(search)).toEqual([made]);
});

test.each(["note", "email", "pinCode", "parts", "widgetId", "parts.label", "deliveryAddress.city"])(
  "%s is not filterable: 400 that names it",
  async (name) => {
    expectFields(await service.send("GET", `${WIDGETS}?${name}=x`), name);
  },
);

test.each([
  ...["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"],
  ...["createdSubject.subjectId", "lastModifiedSubject.userPrincipalName"],
])("the common field %s cannot be filtered by", async (name) => {
  expectFields(await service.send("GET", `${WIDGETS}?${name}=2026-01-01T00:00:00.000Z`), name);
});

test("a collection with nothing filterable refuses every filter", async () => {
  expectFields(await service.send("GET", `${BADGES}?serial=1`), "serial");
  expectFields(await service.send("GET", `${LOGS}?line=1`), "line");
});
