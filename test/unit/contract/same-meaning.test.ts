import { expect, test } from "vitest";
import { changesBetween, fixtureProject, versionOf } from "../../support/change-fixtures.js";

// What means the same is no change, however it is written.

const TICKETS = "resource: tickets\nentity: ticket\nproperties:\n";
const PROPERTIES = `${TICKETS}  status: { enum: [open, held, closed], required: true, filterable: true }
  size: { type: integer, filterable: range }
`;

async function kindsOf(before: string, after: string): Promise<readonly string[]> {
  const project = fixtureProject("path-added", "before");
  const versions = [before, after].map((text) =>
    versionOf({ ...project, "resources/v1/tickets.yaml": text }),
  );
  const [was, is] = await Promise.all(versions);
  if (was === undefined || is === undefined) throw new Error("there are two");
  // The index of an alias is in the order of its keys.
  return changesBetween(was, is).flatMap(({ kind }) => (kind.startsWith("index-") ? [] : kind));
}

const alias = (where: string): string => `${PROPERTIES}aliases: { some: { where: ${where} } }\n`;

test.each([
  ["values", "{ status: [open, held] }", "{ status: [held, open] }"],
  ["keys", "{ status: open, size: 3 }", "{ size: 3, status: open }"],
  [
    "alternatives",
    "{ any: [{ status: open }, { size: { atLeast: 3 } }] }",
    "{ any: [{ size: { atLeast: 3 } }, { status: open }] }",
  ],
])("the order of %s in the conditions of an alias says nothing", async (_, one, other) => {
  expect(await kindsOf(alias(one), alias(other))).toEqual([]);
  const changed = other.replace("open", "closed");
  expect(await kindsOf(alias(one), alias(changed))).toEqual(["alias-condition-changed"]);
});

test("where days begin says something to the conditions with days, and to nothing else", async () => {
  const zoned = async (where: string, timeZone: string): Promise<readonly string[]> => {
    const project: Record<string, string> = fixtureProject("path-added", "before");
    const resource = `${PROPERTIES}  due: { type: string, format: date }\n${alias(where).slice(PROPERTIES.length)}`;
    const texts = { ...project, "resources/v1/tickets.yaml": resource };
    const edited = `${project["service.yaml"] ?? ""}timeZone: ${timeZone}\n`;
    const [was, is] = await Promise.all(
      [texts, { ...texts, "service.yaml": edited }].map((given) => versionOf(given)),
    );
    if (was === undefined || is === undefined) throw new Error("there are two");
    return changesBetween(was, is).map(({ kind, before, after }) => `${kind}: ${before}, ${after}`);
  };
  expect(await zoned("{ status: open }", "Asia/Tokyo")).toEqual([]);
  expect(await zoned("{ due: { within: 30d } }", "UTC")).toEqual([]);
  const week = (zone: string): string =>
    `those with due at least today in ${zone} and due at most 7 days after today in ${zone}`;
  expect(await zoned("{ due: { withinNext: 7d } }", "Asia/Tokyo")).toEqual([
    `alias-condition-changed: ${week("UTC")}, ${week("Asia/Tokyo")}`,
  ]);
  expect(await zoned("{ createdDate: { lessThan: today } }", "Asia/Tokyo")).toEqual([
    "alias-condition-changed: those with createdDate less than today in UTC, those with createdDate less than today in Asia/Tokyo",
  ]);
});

test("each integer is a multiple of 1", async () => {
  const [plain, one, two] = ["", ", multipleOf: 1", ", multipleOf: 2"].map(
    (more) => `${TICKETS}  size: { type: integer${more} }\n`,
  ) as [string, string, string];
  expect(await kindsOf(plain, one)).toEqual([]);
  expect(await kindsOf(one, plain)).toEqual([]);
  expect(await kindsOf(one, two)).toEqual(["multiple-tightened"]);
});

test("a reference by which entities are listed may have another name", async () => {
  const listed = (name: string): string =>
    `${TICKETS}  ${name} reference: users, listedUnder: true }\n`;
  const renamed = await kindsOf(listed("requester: {"), listed("user: { renamedFrom: requester,"));
  expect(renamed).toEqual(["property-renamed"]);
});
