import { expect, test } from "vitest";
import { sentenceOf } from "../../../src/contract/change.js";
import type { Detailed } from "../../../src/contract/compare-details.js";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";

/** A list that can be filtered by weight, as far as `filterable` says. */
async function filteredBy(filterable: boolean | "range"): Promise<Detailed> {
  return versionOf({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/parcels.yaml": `resource: parcels\nentity: parcel\nproperties:\n  weight: { type: integer, filterable: ${filterable} }\n`,
  });
}

test.each([
  ["range", true, "by a range of `weight`; by its values they still can."],
  [true, "range", "Lists can be filtered by a range of `weight`, too."],
  ["range", false, "Lists can no longer be filtered by `weight`."],
  [false, "range", "Lists can be filtered by `weight`."],
] as const)("filterable: %s that becomes %s is one change", async (before, after, sentence) => {
  const found = changesBetween(await filteredBy(before), await filteredBy(after));
  const told = found.filter(({ kind }) => kind !== "index-added" && kind !== "index-removed");
  expect(told.map((change) => sentenceOf(change))).toEqual([expect.stringContaining(sentence)]);
});
