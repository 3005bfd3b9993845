import { expect, test } from "vitest";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { DEPTHS } from "./support/full-bodies.js";
import { startService } from "./support/service.js";

const JSON_TYPE = { "content-type": "application/json" };
const service = await startService();

const DECIMALS = [
  { sent: "12.50", want: "12.50" },
  { sent: "12.5", want: "12.50" },
  { sent: "12", want: "12.00" },
  { sent: "0", want: "0.00" },
  { sent: "-0.5", want: "-0.50" },
  { sent: "-0", want: "0.00" },
  { sent: "007.10", want: "7.10" },
  { sent: "0.01", want: "0.01" },
  { sent: "9007199254740993.01", want: "9007199254740993.01" },
  { sent: "-9999999999999999.99", want: "-9999999999999999.99" },
];

const NO_DECIMALS = [
  "12.505",
  "0.001",
  "1.000",
  "1e2",
  "1,5",
  ".5",
  "5.",
  "+1",
  "--1",
  " 1",
  "1 ",
  "0x10",
  "１",
  "NaN",
  "Infinity",
  "12.50 EUR",
  "10000000000000000.00",
  12.5,
  12,
  0,
  true,
  {},
  ["1.00"],
];

test.each(DEPTHS)(
  "a decimal is a string, its fraction padded to the scale $depth",
  async (place) => {
    for (const { sent, want } of DECIMALS) {
      const crate = await service.create("/api/v1/crates", place.bodyWith({ fee: sent }));
      expect(at(crate, `${place.path}fee`)).toBe(want);
      const read = await service.read(`/api/v1/crates/${String(crate["crateId"])}`);
      expect(at(read, `${place.path}fee`)).toBe(want);
    }
  },
);

test.each(DEPTHS)("more digits, a JSON number or another form is refused $depth", async (place) => {
  for (const fee of NO_DECIMALS) {
    const body = place.bodyWith({ fee });
    const answer = await service.send("POST", "/api/v1/crates", { body });
    expect(answer.status, JSON.stringify(fee)).toBe(400);
    expectFields(answer, `${place.prefix}fee`);
  }
});

test("so are the items of a list of decimals", async () => {
  const crate = await service.create("/api/v1/crates", { title: "t", fees: ["1", "2.5"] });
  expect(crate["fees"]).toEqual(["1.00", "2.50"]);
  for (const fee of NO_DECIMALS) {
    const body = { title: "t", fees: ["1", fee] };
    const answer = await service.send("POST", "/api/v1/crates", { body });
    expect(answer.status, JSON.stringify(fee)).toBe(400);
    expectFields(answer, "fees[1]");
  }
});

test("a decimal without fraction digits takes none", async () => {
  const crate = await service.create("/api/v1/crates", { title: "t", exact: "123456789012345678" });
  expect(crate["exact"]).toBe("123456789012345678");
  for (const exact of ["1.0", "1.", "1234567890123456789"]) {
    const answer = await service.send("POST", "/api/v1/crates", { body: { title: "t", exact } });
    expectFields(answer, "exact");
  }
});

test("the bounds of a decimal are exact on both sides", async () => {
  for (const amount of ["0.01", "999.99"]) {
    expect((await service.create("/api/v1/shippingfees", { amount }))["amount"]).toBe(amount);
  }
  for (const amount of ["0.00", "0", "-0.01", "1000.00", "1000"]) {
    const answer = await service.send("POST", "/api/v1/shippingfees", { body: { amount } });
    expectFields(answer, "amount");
  }
});

test("a filter finds a decimal however it is padded, and refuses what is none", async () => {
  const { widgetId } = await service.create("/api/v1/widgets", { name: "a", price: "12.50" });
  await service.create("/api/v1/widgets", { name: "b", price: "12.51" });
  for (const price of ["12.5", "12.50", "012.50"]) {
    const found = resultsOf(await service.read(`/api/v1/widgets?price=${price}`));
    expect(found.map((widget) => widget["widgetId"])).toEqual([widgetId]);
  }
  for (const price of ["12.505", "abc", "1e1"]) {
    expectFields(await service.send("GET", `/api/v1/widgets?price=${price}`), "price");
  }
});

test("decimals sort as numbers, and nulls come last", async () => {
  for (const price of ["9.00", "-2.00", "-10.00", "100.00"]) {
    await service.create("/api/v1/widgets", { name: "sorted", price });
  }
  await service.create("/api/v1/widgets", { name: "sorted" });
  const sorted = resultsOf(await service.read("/api/v1/widgets?name=sorted&sort=price"));
  const prices = sorted.map(({ price }) => price);
  expect(prices).toEqual(["-10.00", "-2.00", "9.00", "100.00", null]);
});

const INTEGERS = [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

test("an integer is exact within 53 bits", async () => {
  for (const width of INTEGERS) {
    const body = { title: "t", spot: { shelf: { width } } };
    const crate = await service.create("/api/v1/crates", body);
    const read = await service.read(`/api/v1/crates/${String(crate["crateId"])}`);
    expect(at(read, "spot.shelf.width")).toBe(width);
  }
});

test.each([
  "9007199254740992",
  "9007199254740993",
  "-9007199254740992",
  "1e16",
  "1e400",
  "1.5",
  "0.1",
  '"1"',
  "true",
  "[1]",
])("an integer beyond that, or what is none, is refused: %s", async (width) => {
  const body = `{ "title": "t", "spot": { "shelf": { "width": ${width} } } }`;
  const answer = await service.send("POST", "/api/v1/crates", { headers: JSON_TYPE, body });
  expectFields(answer, "spot.shelf.width");
});

test.each([
  { sent: "1.0", want: 1 },
  { sent: "1e2", want: 100 },
  { sent: "-0", want: 0 },
])("an integer may be written as $sent", async ({ sent, want }) => {
  const body = `{ "name": "drill", "size": ${sent} }`;
  const answer = await service.send("POST", "/api/v1/widgets", { headers: JSON_TYPE, body });
  expect(answer.text).toContain(`"size": ${want},`);
});

test("a number that is no decimal travels as a JSON number", async () => {
  const widget = await service.create("/api/v1/widgets", { name: "drill", weight: 0.1 });
  expect(widget["weight"]).toBe(0.1);
  const body = { name: "drill", weight: "0.1" };
  expectFields(await service.send("POST", "/api/v1/widgets", { body }), "weight");
});
