import { expect, test } from "vitest";
import { at } from "./support/errors.js";
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
  { sent: "1.0", want: 1 },
  { sent: "1e2", want: 100 },
  { sent: "-0", want: 0 },
])("an integer may be written as $sent", async ({ sent, want }) => {
  const body = `{ "name": "drill", "size": ${sent} }`;
  const answer = await service.send("POST", "/api/v1/widgets", { headers: JSON_TYPE, body });
  expect(answer.text).toContain(`"size": ${want},`);
});
