import { expect, test } from "vitest";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";

const DATES = "{ type: timestamp, filterable: true }";

async function kindsOf(before: string, after: string, more = ""): Promise<string[]> {
  const project = (properties: string): Record<string, string> => ({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\nproperties:\n  title: string\n${properties}`,
  });
  const told = changesBetween(
    await versionOf(project(before)),
    await versionOf(project(after + more)),
  );
  return told.map(({ kind, path }) => `${kind} ${path}`);
}

test.each([
  {
    name: "a key alone is another: one change",
    before: `  dueDate: ${DATES}\n`,
    after: `  deadline: ${DATES}\n`,
    want: ["property-perhaps-renamed deadline"],
  },
  {
    name: "an object with all that it holds, and a property in another",
    before:
      "  place: { type: object, properties: { town: string, state: { type: string, maxLength: 2 } } }\n",
    after:
      "  address: { type: object, properties: { town: string, state: { type: string, maxLength: 2 } } }\n",
    want: ["property-perhaps-renamed address"],
  },
  {
    name: "within an object that stays",
    before:
      "  place: { type: object, properties: { town: string, state: { type: string, maxLength: 2 } } }\n",
    after:
      "  place: { type: object, properties: { town: string, region: { type: string, maxLength: 2 } } }\n",
    want: ["property-perhaps-renamed place.region"],
  },
  {
    name: "something else is another as well: gone and new",
    before: `  dueDate: ${DATES}\n`,
    after: "  deadline: { type: timestamp }\n",
    want: ["property-removed dueDate", "property-added deadline"],
  },
  {
    name: "two could be meant: gone and new",
    before: `  dueDate: ${DATES}\n`,
    after: `  deadline: ${DATES}\n  reminder: ${DATES}\n`,
    want: ["property-removed dueDate", "property-added deadline", "property-added reminder"],
  },
  {
    name: "what the schema says is no guess",
    before: `  dueDate: ${DATES}\n`,
    after: "  deadline: { type: timestamp, filterable: true, renamedFrom: dueDate }\n",
    want: ["property-renamed deadline"],
  },
  {
    name: "what is removed has no other name",
    before: `  dueDate: ${DATES}\n`,
    after: `  deadline: ${DATES}\n`,
    more: "removed: { dueDate: nobody keeps it }\n",
    want: ["property-removed dueDate", "property-added deadline"],
  },
  {
    name: "what is unique together, and an alias, follow the name",
    before:
      "  shop: { type: string, maxLength: 9 }\n  number: { type: string, maxLength: 8, sortable: true }\nunique: [[shop, number]]\naliases: { all: { sort: [number] } }\n",
    after:
      "  shop: { type: string, maxLength: 9 }\n  code: { type: string, maxLength: 8, sortable: true }\nunique: [[shop, code]]\naliases: { all: { sort: [code] } }\n",
    want: ["property-perhaps-renamed code"],
  },
])("$name", async ({ before, after, more, want }) => {
  expect((await kindsOf(before, after, more)).filter((one) => !one.startsWith("index-"))).toEqual(
    want,
  );
});
