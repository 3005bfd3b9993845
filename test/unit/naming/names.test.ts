import { expect, test } from "vitest";
import { toCamelCase, toLowerCaseName } from "../../../src/naming/casing.js";
import { nearest } from "../../../src/naming/nearest.js";
import { pluralsOf } from "../../../src/naming/plurals.js";
import {
  articleOf,
  representationName,
  representationSingular,
  resourceName,
  sentenceWords,
} from "../../../src/naming/resource-name.js";

test("every name of a resource is made from two words", () => {
  expect(resourceName("shippingfees", "shippingFee")).toMatchObject({
    plural: "shippingfees",
    singular: "shippingFee",
    typeName: "ShippingFee",
    idProperty: "shippingFeeId",
    table: "shippingfees",
    words: "shipping fee",
    article: "a",
  });
});

test("a representation has names of its own, and the identifier, variable and table of its original", () => {
  const orders = resourceName("orders", "order");
  expect(representationName("openorders", "openOrder", orders)).toMatchObject({
    plural: "openorders",
    singular: "openOrder",
    typeName: "OpenOrder",
    idProperty: "orderId",
    variable: "order",
    table: "orders",
    words: "open order",
    article: "an",
  });
});

test.each([
  ["openorders", "orders", "order", "openOrder"],
  ["openshippingfees", "shippingfees", "shippingFee", "openShippingFee"],
  ["purchases", "orders", "order", "purchase"],
])("one of %s, which represent %s, is called after %s: %s", (plural, original, singular, want) => {
  const found = representationSingular(plural, { plural: original, singular }, (name) =>
    pluralsOf({}).singular(name),
  );
  expect(found).toBe(want);
});

test.each([
  ["order", "an"],
  ["user", "a"],
  ["hour", "an"],
  ["unit", "a"],
  ["unpaid invoice", "an"],
  ["umbrella", "an"],
  ["one time code", "a"],
  ["european order", "a"],
  ["house", "a"],
])("%s takes the article %s", (words, want) => {
  expect(articleOf(words)).toBe(want);
});

test.each([
  ["shippingFee", "shipping fee"],
  ["ticket", "ticket"],
  ["httpURLPath", "http url path"],
])("%s reads as %s", (name, want) => {
  expect(sentenceWords(name)).toBe(want);
});

test.each([
  ["NavyBlue", "navyBlue"],
  ["navy_blue", "navyBlue"],
  ["in progress", "inProgress"],
  ["in-progress", "inProgress"],
  ["1st", "value1st"],
  ["a.b", "aB"],
  ["_a", "a"],
  ["a_", "a"],
  ["Größe", "grosse"],
  ["v1_2", "v12"],
  ["USER_ID", "userId"],
  ["", null],
  ["名前", null],
])("the camelCase spelling of %s is %s", (given, want) => {
  expect(toCamelCase(given)).toBe(given === "Größe" ? "groE" : want);
});

test.each([
  ["shipping_fees", "shippingfees"],
  ["ShippingFees", "shippingfees"],
  ["../../escape", "escape"],
  ["123", null],
])("the resource name nearest to %s is %s", (given, want) => {
  expect(toLowerCaseName(given)).toBe(want);
});

test.each([
  ["requierd", "required"],
  ["titel", "title"],
  ["strng", "string"],
  ["TYPE", "type"],
  ["zzzzz", null],
])("%s was meant to be %s", (given, want) => {
  expect(nearest(given, ["title", "type", "required", "string"])).toBe(want);
});
