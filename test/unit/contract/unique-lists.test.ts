import { expect, test } from "vitest";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";

async function told(before: string, after: string): Promise<string[]> {
  const project = (rest: string): Record<string, string> => ({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\nproperties:\n  one: { type: string, maxLength: 9 }\n  two: { type: string, maxLength: 9 }\n  three: { type: string, maxLength: 9${rest}`,
  });
  const changes = changesBetween(await versionOf(project(before)), await versionOf(project(after)));
  return changes.map(({ kind }) => kind).filter((kind) => !kind.startsWith("index-"));
}

test.each([
  [" }\nunique: [[one, two]]\n", " }\nunique: [[two, one]]\n", []],
  // What is unique is so with anything beside it.
  [" }\nunique: [[one, two]]\n", " }\nunique: [[one, two, three]]\n", ["unique-list-removed"]],
  [" }\nunique: [[one, two, three]]\n", " }\nunique: [[one, two]]\n", ["unique-list-added"]],
  [", unique: true }\n", " }\nunique: [[one, three]]\n", ["property-no-longer-unique"]],
  [" }\nunique: [[one, three]]\n", ", unique: true }\n", ["property-became-unique"]],
] as const)("of lists that are unique: %j becomes %j", async (before, after, want) => {
  expect(await told(before, after)).toEqual(want);
});
