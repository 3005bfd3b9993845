import { expect, test } from "vitest";

import { parseJsonObject, type JsonObject } from "#runtime/input/json";
import { Report } from "#runtime/input/report";
import { issuesOf } from "./reading.js";

function issues(fill: (report: Report) => void): string[] {
  const report = new Report();
  fill(report);
  return issuesOf(() => report.throwIfAny()).map(({ field, message }) => `${field} ${message}`);
}

test("throws nothing where nothing is wrong", () => {
  expect(issues(() => {})).toEqual([]);
});

test("has one issue for each property, the first, in the order found", () => {
  expect(
    issues((report) => {
      report.add("title", "is missing");
      report.add("status", "is wrong");
      report.add("title", "is required");
    }),
  ).toEqual(["title is missing", "status is wrong"]);
});

test("names each unknown property, and the known one that was probably meant", () => {
  const body: JsonObject = { titel: 1, title: 2, xyz: undefined };
  expect(issues((report) => report.refuseUnknown(body, new Set(["title"])))).toEqual([
    'titel is not known; did you mean "title"?',
    "xyz is not known",
  ]);
});

test("names an unknown property of a nested object by its path", () => {
  expect(
    issues((report) => report.refuseUnknown({ stat: 1 }, new Set(["state"]), "deliveryAddress")),
  ).toEqual(['deliveryAddress.stat is not known; did you mean "state"?']);
});

test("__proto__ and its like are unknown properties like others", () => {
  const body = parseJsonObject(Buffer.from('{"\\u005f_proto__":{"x":1},"toString":1}'), {
    jsonDepth: 32,
    jsonValues: 100,
  });
  expect(issues((report) => report.refuseUnknown(body, new Set(["title"])))).toEqual([
    "__proto__ is not known",
    "toString is not known",
  ]);
});

test("shows at most 40 characters of an unknown name", () => {
  const body = { ["x".repeat(300)]: 1 };
  expect(issues((report) => report.refuseUnknown(body, new Set()))).toEqual([
    `${"x".repeat(39)}… is not known`,
  ]);
});

test("a body of 100,000 unknown names is refused at once", () => {
  const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`name${i}`, 0]));
  const known = new Set(Array.from({ length: 200 }, (_, i) => `named${i}`));
  expect(issues((report) => report.refuseUnknown(body, known))).toHaveLength(100);
});

test("suggests a name for the first 20 unknown ones only, which bounds what a refusal costs", () => {
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`titel${i}`, 0]));
  const told = issues((report) => report.refuseUnknown(body, new Set(["title1"])));
  expect(told.filter((issue) => issue.includes("did you mean"))).toHaveLength(20);
  expect(told).toHaveLength(100);
});

test("names each property that a PUT leaves out, and not null ones", () => {
  expect(issues((report) => report.requireAll({ title: null }, ["title", "body"]))).toEqual([
    "body is missing; a PUT has every property, and null where there is no value",
  ]);
});

test.each([
  { next: "mail", stored: "mail", want: [] },
  { next: null, stored: null, want: [] },
  { next: ["a", { b: null }], stored: ["a", { b: null }], want: [] },
  { next: "phone", stored: "mail", want: ["x cannot be changed"] },
  { next: null, stored: "mail", want: ["x cannot be changed"] },
  { next: ["a", { b: 1 }], stored: ["a", { b: null }], want: ["x cannot be changed"] },
])("an immutable property may be sent as it is: $next after $stored", ({ next, stored, want }) => {
  expect(
    issues((report) => {
      expect(report.unchanged<unknown>(next, stored, "x")).toBe(stored);
    }),
  ).toEqual(want);
});
