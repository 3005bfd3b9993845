import { expect, test } from "vitest";
import { changesBetween, versionOf } from "../../support/change-fixtures.js";

/** What an edit of an action that refers to others is told as. */
interface Edit {
  readonly name: string;
  readonly given: readonly [before: string, after: string];
  /** `kind path at: whom it breaks` */
  readonly want: readonly string[];
}

const project = (action: string): Record<string, string> => ({
  "service.yaml": "service: helpdesk\n",
  "resources/v1/orders.yaml": `resource: orders\nentity: order\nproperties: { note: string }\nactions:\n  transfer: { ${action} }\n`,
  "resources/v1/users.yaml":
    "resource: users\nentity: user\nproperties: { name: string, phone: string }\n",
  "resources/v1/teams.yaml": "resource: teams\nentity: team\nproperties: { name: string }\n",
});

const EDITS: readonly Edit[] = [
  {
    name: "a reference that may be sent",
    given: ["input: { why: string }", "input: { why: string, to: { reference: users } }"],
    want: ["property-added transfer: to input.to: "],
  },
  {
    name: "one that has to be sent",
    given: [
      "input: { why: string }",
      "input: { why: string, to: { reference: users, required: true } }",
    ],
    want: ["property-added-required transfer: to input.to: writers"],
  },
  {
    name: "one that may not be sent any more",
    given: ["input: { why: string, to: { reference: users } }", "input: { why: string }"],
    want: ["property-removed transfer: to input.to: writers"],
  },
  {
    name: "another resource that is referred to",
    given: ["input: { to: { reference: users } }", "input: { to: { reference: teams } }"],
    want: ["reference-target-changed transfer: to input.to.reference: writers"],
  },
  {
    name: "another one in a list",
    given: [
      "input: { those: { type: array, items: { reference: users } } }",
      "input: { those: { type: array, items: { reference: teams } } }",
    ],
    want: ["reference-target-changed transfer: those[] input.those.items.reference: writers"],
  },
  {
    name: "a reference in place of an identifier",
    given: ["input: { to: uuid }", "input: { to: { reference: users } }"],
    want: ["type-changed transfer: to input.to.type: writers"],
  },
  {
    name: "more that is embedded in what is sent",
    given: [
      "input: { to: { reference: users } }",
      "input: { to: { reference: users, embed: [name] } }",
    ],
    want: ["embed-added transfer: to.name input.to.properties.name: "],
  },
  {
    name: "less that is embedded in what is sent",
    given: [
      "input: { to: { reference: users, embed: [name, phone] } }",
      "input: { to: { reference: users, embed: [name] } }",
    ],
    want: ["embed-removed transfer: to.phone input.to.properties.phone: writers"],
  },
  {
    name: "a value more that can be sent",
    given: ["input: { why: { enum: [late] } }", "input: { why: { enum: [late, lost] } }"],
    want: ["enum-value-added transfer: why input.why.enum: "],
  },
  {
    name: "a reference that is answered as well",
    given: ["answers: { total: integer }", "answers: { total: integer, to: { reference: users } }"],
    want: ["property-added transfer: to answers.to: "],
  },
  {
    name: "one that is answered no more",
    given: ["answers: { total: integer, to: { reference: users } }", "answers: { total: integer }"],
    want: ["property-removed transfer: to answers.to: readers"],
  },
  {
    name: "another resource that an answer refers to",
    given: ["answers: { to: { reference: users } }", "answers: { to: { reference: teams } }"],
    want: ["reference-target-changed transfer: to answers.to.reference: readers"],
  },
  {
    name: "more that an answer shows",
    given: [
      "answers: { to: { reference: users, embed: [name] } }",
      "answers: { to: { reference: users, embed: [name, phone] } }",
    ],
    want: ["embed-added transfer: to.phone answers.to.properties.phone: "],
  },
  {
    name: "less that an answer shows",
    given: [
      "answers: { to: { reference: users, embed: [name, phone] } }",
      "answers: { to: { reference: users, embed: [name] } }",
    ],
    want: ["embed-removed transfer: to.phone answers.to.properties.phone: readers"],
  },
  {
    name: "an answer that may refer to nothing",
    given: [
      "answers: { to: { reference: users, required: true } }",
      "answers: { to: { reference: users } }",
    ],
    want: ["property-became-nullable transfer: to answers.to.required: readers"],
  },
];

test.each(EDITS)("$name", async ({ given: [before, after], want }) => {
  const changes = changesBetween(await versionOf(project(before)), await versionOf(project(after)));
  const told = changes.map(({ kind, path, at, breaks }) => {
    return `${kind} ${path} ${at.slice(2).join(".")}: ${breaks.join(" ")}`;
  });
  expect(told).toEqual(want);
});
