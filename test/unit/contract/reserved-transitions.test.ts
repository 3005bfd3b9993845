import { expect, test } from "vitest";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";

const project = (transitions: string): Record<string, string> => ({
  "service.yaml": "service: shop\n",
  "resources/v1/orders.yaml": `resource: orders
entity: order
properties: { status: { enum: [placed, packed, cancelled] } }
states: { property: status, initial: placed, transitions: ${transitions} }
actions: { cancel: { states: [placed, packed], leadsTo: cancelled } }
`,
});
const OPEN = project("{ placed: [packed, cancelled], packed: [cancelled], cancelled: [] }");
const RESERVED = project("{ placed: [packed], packed: [], cancelled: [] }");

test.each([
  {
    name: "taken from updates breaks writers",
    given: [OPEN, RESERVED],
    want: [
      "transition-removed placed -> cancelled: writers",
      "transition-removed packed -> cancelled: writers",
    ],
  },
  {
    name: "opened to updates breaks nobody",
    given: [RESERVED, OPEN],
    want: ["transition-added placed -> cancelled: ", "transition-added packed -> cancelled: "],
  },
] as const)("a transition that an action makes and that is $name", async ({ given, want }) => {
  const [before, after] = given;
  const changes = changesBetween(await versionOf(before), await versionOf(after));
  const told = changes.map(({ kind, before: was, after: is, breaks }) => {
    return `${kind} ${was ?? is ?? ""}: ${breaks.join(" ")}`;
  });
  expect(told).toEqual(want);
});
