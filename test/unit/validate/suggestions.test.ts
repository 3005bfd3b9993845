import { expect, test } from "vitest";
import { checkProject, checkProperties, type Checked } from "./check-project.js";

function advice({ diagnostics }: Checked): (string | null)[] {
  return diagnostics.map(({ suggestion }) => suggestion);
}

const LEAVE_OUT = "Leave it out: a property may be null unless it says `required: true`.";

test.each([
  { given: "tags: string[]", want: "Write { type: array, items: string }." },
  { given: "tags: list", want: "Write { type: array, items: ... }." },
  { given: "address: json", want: "Write { type: object, properties: ... }." },
  {
    given: "title: string?",
    want: "Write string: a property may be null unless it says `required: true`.",
  },
  { given: "price: currency", want: "Write { type: string, format: currencyCode }." },
  { given: "start: time", want: "Write { type: string, format: time }." },
  { given: "a: { type: string, format: country }", want: 'Did you mean "countryCode"?' },
  { given: "a: { type: string, format: url }", want: 'Did you mean "uri"?' },
  {
    given: "country: { enum: [SE, NO] }",
    want: "Write { type: string, format: countryCode } instead of the enum.",
  },
  {
    given: "currency: { enum: [EUR, USD], default: EUR }",
    want: "Write { type: string, format: currencyCode } instead of the enum.",
  },
  { given: "colour: { enum: [RED, BLUE] }", want: 'Did you mean "red"?' },
  { given: "author: users", want: "Write { reference: users } if that is a resource." },
  { given: "author: { type: reference }", want: "Write { reference: users }." },
  {
    given: "author: { reference: authors }",
    want: "Write authors.yaml next to this file, or add `external: true` if another service keeps it.",
  },
  { given: "title: { type: string, nullable: true }", want: LEAVE_OUT },
  {
    given: "createdAt: timestamp",
    want: "Remove it, unless it is something other than `createdDate`.",
  },
  {
    given: "modifiedBy: string",
    want: "Remove it, unless it is something other than `lastModifiedSubject`.",
  },
  { given: "title: { type: string, optional: true }", want: LEAVE_OUT },
  { given: "status: { values: [open] }", want: 'Did you mean "enum"?' },
  { given: "author: { ref: tickets }", want: 'Did you mean "reference"?' },
  { given: "size: { type: integer, min: 1 }", want: 'Did you mean "minimum"?' },
  { given: "title: { type: string, default: null }", want: "Write a value, or remove it." },
  {
    given: "title: { type: string, description: Note: this }",
    want: "Put a string that contains a colon in quotes.",
  },
  {
    given: "length: { type: decimal, scale: 1, description: Of the longest, in metres. }",
    want: "Quote the text before it, if this belongs to it: within { } a comma ends the text.",
  },
  {
    given: "- title: string",
    want: "Leave the dashes out, and indent what follows: `key: value`.",
  },
  {
    given: "title: string\nmaxLength: 20",
    want: "If it is a keyword of the property above, indent it further.",
  },
])("for $given there is advice: $want", async ({ given, want }) => {
  expect(advice(await checkProperties(given))).toContain(want);
});

test.each([
  { given: "size: integer", want: "Indent it below `properties:` if it is a property." },
  {
    given: "author: { reference: users }",
    want: "Indent it below `properties:` if it is a property.",
  },
  { given: "required: [title]", want: "Write `required: true` at each property." },
  { given: "operations: [get]", want: 'Did you mean "read"?' },
  { given: "access: { read: anyone }", want: "Write [anyone]." },
  { given: "events: true", want: "Write a list, such as [created, updated, deleted]." },
  {
    given: "access: { read: [role: clerk] }",
    want: 'Put it in quotes, without the blank: "role:clerk".',
  },
  { given: "aliases: { mine: { filter: { title: a } } }", want: 'Did you mean "where"?' },
  {
    given: "aliases: { mine: { description: Mine. } }",
    want: "Add `where: { status: open }` or `sort: [-createdDate]`, for example.",
  },
  { given: "indexes: [[titel]]", want: 'Did you mean "title"?' },
  { given: "commonFilters: [createDate]", want: 'Did you mean "createdDate"?' },
  { given: "aliases: { mine: { where: { tickets.title: a } } }", want: 'Did you mean "title"?' },
  {
    given: "aliases: { mine: { where: { title: a }, sort: [-updatedAt] } }",
    want: 'Did you mean "lastModifiedDate"?',
  },
  { given: "parent: books", want: "The file of the parent would be books.yaml, next to this one." },
])("for $given in a resource there is advice: $want", async ({ given, want }) => {
  const text = `resource: tickets\nentity: ticket\nproperties:\n  title: string\n${given}\n`;
  const found = await checkProject({
    "service.yaml": "service: helpdesk",
    "resources/v1/tickets.yaml": text,
  });
  expect(advice(found)).toContain(want);
});

const NOTES = "resource: notes\nentity: note\nproperties: { text: string }\n";

test.each([
  {
    name: "an entity that is left out is the resource's singular",
    files: { "service.yaml": "service: a", "resources/v1/notes.yaml": "resource: notes" },
    want: "Add `entity: note`.",
  },
  {
    name: "a service name with capitals and blanks has one near",
    files: { "service.yaml": "service: My Shop", "resources/v1/notes.yaml": NOTES },
    want: 'Did you mean "my-shop"?',
  },
  {
    name: "a resource beside service.yaml is to be moved",
    files: { "service.yaml": "service: a", "notes.yaml": NOTES },
    want: "Move notes.yaml to resources/v1/notes.yaml.",
  },
  {
    name: "another file beside service.yaml is no resource",
    files: { "service.yaml": "service: a", "compose.yaml": "services: {}" },
    want: "Write resources/v1/tickets.yaml, for example.",
  },
  {
    name: "a resource in no folder of a version is to be moved",
    files: { "service.yaml": "service: a", "resources/notes.yaml": NOTES },
    want: "Move it to resources/v1/notes.yaml.",
  },
  {
    name: "a command in a folder of a project belongs to the one above",
    files: { "../service.yaml": "service: a", "v1/notes.yaml": NOTES },
    want: "A folder above has one: run `cd ..` first.",
  },
  {
    name: "a version without a folder is not called the second one",
    files: {
      "service.yaml": "service: a\nversions: { v2: draft }",
      "resources/v1/notes.yaml": NOTES,
    },
    want: "Write `v1` instead of `v2`, or rename the folder to resources/v2.",
  },
  {
    name: "a folder beside that of a declared version is to be declared",
    files: {
      "service.yaml": "service: a\nversions: { v1: draft }",
      "resources/v1/notes.yaml": NOTES,
      "resources/v2/notes.yaml": NOTES,
    },
    want: "Add `v2: draft` to `versions`.",
  },
  {
    name: "a base path leaves the version to the service",
    files: {
      "service.yaml": "service: a\nbasePath: /rest/v1/desk",
      "resources/v1/notes.yaml": NOTES,
    },
    want: 'Did you mean "/rest/desk"?',
  },
  {
    name: "an embedded property that was renamed is told its new name",
    files: {
      "service.yaml": "service: a",
      "resources/v1/notes.yaml": NOTES.replace(
        "text: string",
        "line: { type: string, renamedFrom: text }",
      ),
      "resources/v1/replies.yaml":
        "resource: replies\nentity: reply\nproperties: { note: { reference: notes, embed: [text] } }\n",
    },
    want: 'It is called "line" now.',
  },
  {
    name: "bearer without anything else is told what else, with examples",
    files: {
      "service.yaml": "service: a\nauthentication: { scheme: bearer }",
      "resources/v1/notes.yaml": NOTES,
    },
    want: "Add `issuer: https://login.example.com/`, for example; the environment can override it (AUTH_ISSUER).",
  },
] as const)("$name", async ({ files, want }) => {
  expect(advice(await checkProject(files))).toContain(want);
});

test("an enum value that is wrong twice over is told once, with the way to write it", async () => {
  const found = await checkProperties("answer: { enum: [Yes, No] }");
  expect(found.diagnostics.map(({ code }) => code)).toEqual(["NAM-4", "NAM-4"]);
  expect(advice(found)).toEqual([
    'Did you mean "yes"? Write it in quotes.',
    'Did you mean "no"? Write it in quotes.',
  ]);
});

test.each([
  ["localhost:4173", 'Did you mean "http://localhost:4173"?'],
  ["shop.example.com", 'Did you mean "https://shop.example.com"?'],
  ["https://shop.example.com/", 'Did you mean "https://shop.example.com"?'],
  ["ftp://shop.example.com", null],
])("the origin %s gets the advice %s", async (origin, want) => {
  const service = `service: shop\ncors: { origins: ["${origin}"] }\n`;
  expect(advice(await checkProperties("title: string\n", service))).toEqual([want]);
});

test("a version alone is one, whatever its number", async () => {
  const files = {
    "service.yaml": "service: a\nversions: { v2: draft }",
    "resources/v2/notes.yaml": NOTES,
  };
  expect(advice(await checkProject(files))).toEqual([]);
});

test.each(["created", "updates", "creator", "modified", "changes", "lastName", "updated"])(
  "a property %s alone means nothing else",
  async (name) => {
    const { diagnostics } = await checkProperties(`${name}: string`);
    expect(diagnostics.map(({ code }) => code)).toEqual(name === "created" ? ["SCH-193"] : []);
  },
);
