import { expect, test } from "vitest";
import { expectError, expectFields } from "./support/errors.js";
import { LOGS, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
await service.create(WIDGETS, { name: "drill" });

/** A query string and the parameters that are wrong in it. */
const REFUSED: readonly (readonly [string, ...string[]])[] = [
  ["foo=1", "foo"],
  ["foo", "foo"],
  ["Name=drill", "Name"],
  ["names=drill", "names"],
  ["name[]=drill", "name[]"],
  ["name[$ne]=drill", "name[$ne]"],
  ["name.x=drill", "name.x"],
  ["__proto__=1", "__proto__"],
  ["__proto__.x=1", "__proto__.x"],
  ["constructor.prototype.x=1", "constructor.prototype.x"],
  ["toString=1", "toString"],
  ["limit=5", "limit"],
  ["pagesize=5", "pagesize"],
  ["page=1", "page"],
  ["fields=name", "fields"],
  ["size=big", "size"],
  ["size=1.0", "size"],
  ["size=1e3", "size"],
  ["size=0x10", "size"],
  ["size=%201", "size"],
  ["size=9007199254740993", "size"],
  ["size=1&size=big", "size"],
  ["weight=heavy", "weight"],
  ["weight=NaN", "weight"],
  ["weight=Infinity", "weight"],
  ["weight=1e999", "weight"],
  ["price=1.234", "price"],
  ["price=cheap", "price"],
  ["active=yes", "active"],
  ["active=1", "active"],
  ["active=TRUE", "active"],
  ["status=xyz", "status"],
  ["status=OPEN", "status"],
  ["status=toString", "status"],
  ["startDate=yesterday", "startDate"],
  ["startDate=2026-01-01", "startDate"],
  ["startDate=2026-01-01T00:00:00Z", "startDate"],
  ["startDate=2026-02-30T00:00:00.000Z", "startDate"],
  ["batch=1", "batch"],
  ["batch={0190a0a0-1111-7000-8000-000000000000}", "batch"],
  ["name=a%00", "name"],
  ["name=%ff", "name"],
  ["name=%zz", "name"],
  ["name=%", "name"],
  ["deliveryAddress.place.floor=x", "deliveryAddress.place.floor"],
  ["sort=", "sort"],
  ["sort", "sort"],
  ["sort=foo", "sort"],
  ["sort=-", "sort"],
  ["sort=--name", "sort"],
  ["sort=%2Bname", "sort"],
  ["sort=name,", "sort"],
  ["sort=,name", "sort"],
  ["sort=name,,size", "sort"],
  ["sort=name,size,name", "sort"],
  ["sort=name,-name", "sort"],
  ["sort=name%20", "sort"],
  ["sort=Name", "sort"],
  ["sort=tags", "sort"],
  ["sort=active", "sort"],
  ["sort=note", "sort"],
  ["sort=widgetId", "sort"],
  ["sort=deliveryAddress", "sort"],
  ["sort=createdSubject", "sort"],
  ["sort=name;DROP%20TABLE%20widgets", "sort"],
  ["sort=(select%201)", "sort"],
  ["sort=constructor", "sort"],
  ["sort=name&sort=size", "sort"],
  ["sort=name&sort=name", "sort"],
  ["pageSize=", "pageSize"],
  ["pageSize", "pageSize"],
  ["pageSize=0", "pageSize"],
  ["pageSize=-1", "pageSize"],
  ["pageSize=101", "pageSize"],
  ["pageSize=1.5", "pageSize"],
  ["pageSize=010", "pageSize"],
  ["pageSize=1e1", "pageSize"],
  ["pageSize=ten", "pageSize"],
  ["pageSize=%201", "pageSize"],
  ["pageSize=10&pageSize=10", "pageSize"],
  ["pageNumber=", "pageNumber"],
  ["pageNumber=0", "pageNumber"],
  ["pageNumber=-1", "pageNumber"],
  ["pageNumber=1.0", "pageNumber"],
  ["pageNumber=x", "pageNumber"],
  ["pageNumber=1&pageNumber=2", "pageNumber"],
  [
    "foo=1&size=big&sort=bar&pageSize=0&pageNumber=0",
    ..."foo size sort pageSize pageNumber".split(" "),
  ],
  ["status=xyz&active=yes&deliveryAddress.state=ok", "status", "active"],
];

test.each(REFUSED)("?%s is 400 and names the parameter", async (search, ...parameters) => {
  expectFields(await service.send("GET", `${WIDGETS}?${search}`), ...parameters);
});

test.each([
  ...["status", "depot.depotId", "depot.fee", "bay", "weight", "price", "packedDate"],
  ...["bestBefore", "contact", "measures.height", "measures.value", "measures.ratio"],
  ...["measures.checkedDate", "measures.day", "createdDate", "createdSubject.subjectId"],
])("%s has a type of its own, and what is not of it is 400", async (name) => {
  for (const value of ["x", "2026-02-30", "00x10"]) {
    expectFields(await service.send("GET", `/api/v1/pallets?${name}=${value}`), name);
  }
});

test.each([
  ["pageSize=5", 200],
  ["pageSize=6", 400],
])("the bounds are the resource's own: %s of at most 5 is %i", async (search, status) => {
  expect((await service.send("GET", `${LOGS}?${search}`)).status).toBe(status);
});

test.each(["pageSize=1", "pageSize=100", "pageNumber=1", "sort=name", "sort=-name,size"])(
  "?%s is within the bounds",
  async (search) => {
    expect((await service.send("GET", `${WIDGETS}?${search}`)).status).toBe(200);
  },
);

test("a parameter that is nearly right is told the right one", async () => {
  const near = async (search: string, name: string) =>
    expectFields(await service.send("GET", `${WIDGETS}?${search}`), name)[name];
  expect(await near("names=x", "names")).toContain(`"name"`);
  expect(await near("pagesize=5", "pagesize")).toContain(`"pageSize"`);
  expect(await near("deliveryAddress.stat=x", "deliveryAddress.stat")).toContain(
    `"deliveryAddress.state"`,
  );
  expect(await near("sort=nam", "sort")).toContain(`"name"`);
});

test("a thousand parameters are an answer like any other", async () => {
  const search = Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join("&");
  const answer = await service.send("GET", `${WIDGETS}?${search}`);
  expectError(answer, 400, "ValidationFailedMessage");
});

test("the query of a request that lists nothing is nobody's business", async () => {
  const made = await service.send("POST", `${WIDGETS}?foo=1`, { body: { name: "drill" } });
  expect(made.status).toBe(201);
});
