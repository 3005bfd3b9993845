import pluralize from "pluralize";
import { expect, test } from "vitest";
import { FULL_CRATE } from "./support/full-bodies.js";
import { propertiesOf } from "./support/names.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { newBadge, FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test.each(["emailAddresses", "statuses", "people", "equipment", "children"])(
  "an array may be called %s",
  async (name) => {
    expect(await printed(`${name}: { type: array, items: string }`)).toBe("");
  },
);

test.each([
  {
    given: "emailAddress: { type: array, items: string }",
    at: "4:3",
    marked: "emailAddress",
    suggestion: "emailAddresses",
  },
  {
    given: "child: { type: array, items: string }",
    at: "4:3",
    marked: "child",
    suggestion: "children",
  },
  {
    given: "address: { type: object, properties: { line: { type: array, items: string } } }",
    at: "4:42",
    marked: "line",
    suggestion: "lines",
  },
  {
    given:
      "parts: { type: array, items: { type: object, properties: { label: { type: array, items: string } } } }",
    at: "4:62",
    marked: "label",
    suggestion: "labels",
  },
])("an array $marked is refused, and $suggestion suggested", async (refused) => {
  const { given, at, marked, suggestion } = refused;
  const place = `resources/v1/tickets.yaml:${at}`;
  await expectRefusal(given, { place, code: "NAM-3", marked, suggestion });
});

test("what is no array may have a singular or a plural name", async () => {
  expect(await printed("emailAddress: string\nremarks: string\nnews: string")).toBe("");
});

test("a plural that no library knows is accepted once service.yaml says so", async () => {
  const text =
    "resource: tickets\nentity: ticket\nproperties:\n  luggage: { type: array, items: string }\n";
  const files = { "resources/v1/tickets.yaml": text };
  expect(await printed(files)).toContain("NAM-3");
  const taught = { "service.yaml": "service: helpdesk\ninflections: { luggage: luggage }\n" };
  expect(await printed({ ...files, ...taught })).toBe("");
});

test("every array that is answered has a plural name, at every depth", async () => {
  await service.create("/api/v1/crates", FULL_CRATE);
  await service.create("/api/v1/widgets", FULL_WIDGET);
  await service.create("/api/v1/badges", newBadge("one"));
  const found = new Set<string>();
  for (const path of ["/api/v1/crates", "/api/v1/widgets", "/api/v1/badges"]) {
    for (const { name, value } of propertiesOf(await service.read(path))) {
      if (Array.isArray(value)) found.add(name);
    }
  }
  expect([...found]).toEqual(expect.arrayContaining(["results", "labels", "doors", "parts"]));
  expect([...found].filter((name) => !pluralize.isPlural(name))).toEqual([]);
});
