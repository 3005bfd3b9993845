import { expect, test } from "vitest";
import type { Json } from "./support/client.js";
import { at } from "./support/errors.js";
import { DEPTHS } from "./support/full-bodies.js";
import { startService } from "./support/service.js";

const BLANKS: readonly Json[] = ["", " ", "\t\n\r", "\u00a0", "\u2003\u3000", "\ufeff", null];
const NULL_LEAVES = { since: null, note: null, fee: null, key: null, labels: [] };
const NULL_INNER_SHELF = { ...NULL_LEAVES, colour: null, tight: null, width: null, weight: null };
const service = await startService();

test("an object of a list omits nothing either", async () => {
  const body = { title: "t", lots: [{}, { shelf: {} }] };
  const crate = await service.create("/api/v1/crates", body);
  expect(crate["lots"]).toEqual([
    { ...NULL_LEAVES, shelf: null },
    { ...NULL_LEAVES, shelf: { ...NULL_LEAVES, code: null } },
  ]);
  expect(await service.read(`/api/v1/crates/${String(crate["crateId"])}`)).toEqual(crate);
});

test.each(DEPTHS)(
  "blank text, and null, is null for each scalar that may be null $depth",
  async (place) => {
    for (const blank of BLANKS) {
      const body = place.bodyWith({ since: blank, note: blank, fee: blank, key: blank });
      const crate = await service.create("/api/v1/crates", body);
      for (const name of ["since", "note", "fee", "key"]) {
        expect(at(crate, place.path + name), `${name}: ${JSON.stringify(blank)}`).toBeNull();
      }
    }
  },
);

test("blank text is null for numbers, booleans, enums and objects as well", async () => {
  const names = ["size", "weight", "price", "active", "status", "email", "pinCode", "startDate"];
  for (const blank of BLANKS) {
    const blanks = Object.fromEntries([...names, "deliveryAddress"].map((name) => [name, blank]));
    const widget = await service.create("/api/v1/widgets", { name: "drill", ...blanks });
    for (const name of Object.keys(blanks)) expect(widget[name], name).toBeNull();
    const shelf = { colour: blank, tight: blank, width: blank, weight: blank };
    const crate = await service.create("/api/v1/crates", { title: "t", spot: { shelf } });
    expect(at(crate, "spot.shelf")).toEqual(NULL_INNER_SHELF);
  }
});

test("text with something visible in it is kept with its white space", async () => {
  for (const note of [" a ", "\n.", "0", "null"]) {
    const crate = await service.create("/api/v1/crates", { title: " t ", note, labels: [note] });
    expect(crate).toMatchObject({ title: " t ", note, labels: [note] });
  }
});
