import { expect, test } from "vitest";
import { checkProperties, codes } from "./check-project.js";

test.each([
  {
    name: "every scalar type in short form",
    given:
      "a: string\nb: integer\nc: number\nd: decimal\ne: boolean\nf: timestamp\ng: { type: uuid, exempt: { REP-4: a key } }",
  },
  {
    name: "words of TypeScript as names",
    given:
      "undefined: string\nclass: string\ndelete: string\nprocess: string\nmodule: string\nexports: string\nthis: string",
  },
  {
    name: "words of SQL as names",
    given:
      "select: string\ngroup: string\ntable: string\nuser: string\nlimit: string\nrowid: string\nvalues: string",
  },
  {
    name: "a reference form written out",
    given: "merchant: { type: object, properties: { merchantId: uuid } }",
  },
  {
    name: "a reserved name in a nested object",
    given: "order: { type: object, properties: { sort: string, createdDate: timestamp } }",
  },
  {
    name: "two levels of objects",
    given: "a: { type: object, properties: { b: { type: object, properties: { c: string } } } }",
  },
  {
    name: "an uncountable noun as an array",
    given: "billingEquipment: { type: array, items: string }",
  },
  {
    name: "a required property with a default",
    given: "status: { enum: [open, closed], required: true, default: open }",
  },
  {
    name: "flags that are off where they would not apply",
    given: "address: { type: object, sortable: false, properties: { state: string } }",
  },
  {
    name: "a pattern with a Unicode property",
    given: 'name: { type: string, pattern: "^\\\\p{L}+$" }',
  },
  {
    name: "a polynomial pattern whose work maxLength bounds",
    given: 'pair: { type: string, maxLength: 100, pattern: "^.*.*=.*$" }',
  },
  { name: "an anchored alternative", given: 'code: { type: string, pattern: "^a$|^b[|]$" }' },
  {
    name: "a decimal's exact bounds",
    given:
      'price: { type: decimal, scale: 2, minimum: "0.00", maximum: 99.99, multipleOf: "0.05", default: "12.5" }',
  },
  { name: "default false", given: "urgent: { type: boolean, default: false, filterable: true }" },
  {
    name: "examples of every kind",
    given:
      "tags: { type: array, items: string, example: [a, b] }\nplace: { type: object, properties: { city: string }, example: { city: Oslo } }\nday: { type: string, format: date, example: 2026-02-28 }",
  },
])("accepts $name", async ({ given }) => {
  expect(codes(await checkProperties(given))).toEqual([]);
});

test.each([
  { given: "first_name: string", want: ["4:3 NAM-2"] },
  { given: "FirstName: string", want: ["4:3 NAM-2"] },
  { given: "a.b: string", want: ["4:3 NAM-2"] },
  { given: "$x: string", want: ["4:3 NAM-2"] },
  { given: "1a: string", want: ["4:3 NAM-2"] },
  { given: "n\u0430me: string", want: ["4:3 NAM-2"] },
  { given: "emailAddress: { type: array, items: string }", want: ["4:3 NAM-3"] },
  { given: "status: { enum: [open, in_progress] }", want: ["4:26 NAM-4"] },
  { given: "status: { enum: [open, closed, open] }", want: ["4:34 SCH-30"] },
  { given: "status: { enum: [yes] }", want: ["4:20 SCH-35"] },
  { given: "createdSubject: string", want: ["4:3 ENT-3"] },
  { given: "ticketId: uuid", want: ["4:3 ENT-3"] },
  { given: "merchantId: uuid", want: ["4:3 REP-4"] },
  { given: "merchantIds: { type: array, items: uuid }", want: ["4:3 REP-4"] },
  { given: "merchantUuid: uuid", want: ["4:3 REP-4"] },
  { given: "merchantId: string\nmerchantName: string", want: ["4:3 REP-4"] },
  {
    given: "merchantId: integer\nmerchantName: { type: string, maxLength: 9 }",
    want: ["4:3 REP-4"],
  },
  {
    given: "shop: { type: object, properties: { merchantId: string } }\nmerchantName: string",
    want: [],
  },
  { given: "boss: uuid", want: ["4:3 SCH-404"] },
  { given: "boss: { type: uuid, exempt: { REP-4: a key of the scanner } }", want: [] },
  { given: "bosses: { type: array, items: uuid }", want: ["4:3 SCH-404"] },
  { given: "boss: { type: string, exempt: { REP-4: none } }", want: ["4:35 SCH-190"] },
  { given: "roomId: { reference: rooms, external: true }", want: ["4:3 SCH-405"] },
  { given: "roomId: { reference: rooms, external: true, exempt: { REP-4: v1 has it } }", want: [] },
  {
    given: "roomIds: { type: array, items: { reference: rooms, external: true } }",
    want: ["4:3 SCH-405"],
  },
  { given: "nationalId: { reference: nationalids, external: true, entity: nationalId }", want: [] },
  { given: "taxId: string", want: [] },
  { given: "stripeCustomerId: string", want: [] },
  { given: "externalIds: { type: array, items: string }", want: [] },
  { given: "parentTicketId: integer", want: [] },
  { given: "order: { type: object, properties: { merchantId: uuid } }", want: ["4:40 REP-4"] },
  { given: "__proto__: string", want: ["4:3 SCH-12"] },
  { given: "then: string", want: ["4:3 SCH-12"] },
  { given: "pageSize: integer", want: ["4:3 SCH-119"] },
  { given: "ctid: string", want: ["4:3 SCH-118"] },
  { given: "title: strng", want: ["4:10 SCH-10"] },
  { given: "title: object", want: ["4:10 SCH-10"] },
  { given: "title: { type: string, requierd: true }", want: ["4:26 SCH-7"] },
  { given: "title: { type: string, required: yes }", want: ["4:36 SCH-8"] },
  { given: "title:", want: ["4:3 SCH-8"] },
  { given: "title: { required: true }", want: ["4:3 SCH-9"] },
  { given: "title: { type: object }", want: ["4:3 SCH-9"] },
  { given: "users: { type: array, items: { reference: users } }", want: ["4:45 SCH-36"] },
  { given: "title: { type: string, renamedFrom: name }", want: [] },
  { given: "size: { type: integer, minimum: 2, maximum: 1 }", want: ["4:26 SCH-13"] },
  { given: "size: { type: integer, minimum: 1.5 }", want: ["4:35 SCH-8"] },
  {
    given: "tags: { type: array, items: string, minItems: 3, maxItems: 2 }",
    want: ["4:39 SCH-13"],
  },
  {
    given: "flags: { type: array, items: boolean, minItems: 3, uniqueItems: true }",
    want: ["4:41 SCH-361"],
  },
  { given: "title: { type: string, minimum: 1 }", want: ["4:26 SCH-14"] },
  {
    given: "address: { type: object, properties: { a: string }, filterable: true }",
    want: ["4:55 SCH-14"],
  },
  {
    given:
      "lines: { type: array, items: { type: object, properties: { a: { type: string, sortable: true } } } }",
    want: ["4:81 SCH-14"],
  },
  { given: "tags: { type: array, items: string, default: [] }", want: ["4:48 SCH-8"] },
  { given: "size: { type: integer, maximum: 5, default: 6 }", want: ["4:47 SCH-98"] },
  { given: "status: { enum: [open], default: closed }", want: ["4:36 SCH-93"] },
  { given: 'pin: { type: string, pattern: "^[0-9]{4}$", default: "12" }', want: ["4:56 SCH-97"] },
  { given: 'pin: { type: string, pattern: "*a" }', want: ["4:33 SCH-16"] },
  { given: 'pin: { type: string, pattern: "[0-9]" }', want: ["4:33 SCH-18"] },
  { given: "postCode: string\npostcode: string", want: ["5:3 SCH-129"] },
  { given: "properties: { type: object, properties: { a: string } }", want: ["4:3 SCH-19"] },
  { given: "code: { type: string, unique: true }", want: ["4:25 SCH-107"] },
  { given: "code: { type: string, readOnly: true, required: true }", want: ["4:41 SCH-109"] },
  { given: "id: string", want: ["4:3 SCH-117"] },
])("says $want of: $given", async ({ given, want }) => {
  expect(codes(await checkProperties(given))).toEqual(want);
});

test("a naming rule is lowered by service.yaml, and its alphabet is not", async () => {
  const lowered = (level: string): string =>
    `service: helpdesk\nrules: { NAM-3: { level: ${level}, reason: an older interface } }\n`;
  const given = "email: { type: array, items: string }";
  const warned = await checkProperties(given, lowered("warning"));
  expect(warned.ok).toBe(true);
  expect(warned.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(codes(await checkProperties(given, lowered("off")))).toEqual([]);
  expect(codes(await checkProperties("e_mails: string", lowered("off")))).toEqual(["4:3 NAM-2"]);
});

test.each([
  { given: 'pin: { type: string, pattern: "(" }', want: 1 },
  { given: 'pin: { type: string, pattern: "[z-a]" }', want: 4 },
  { given: 'pin: { type: string, pattern: "(a)(b" }', want: 4 },
  { given: 'pin: { type: string, pattern: "ab)" }', want: 3 },
])(
  "the position in a bad pattern is where it can not be saved any more: $given",
  async ({ given, want }) => {
    const [found] = (await checkProperties(given)).diagnostics;
    expect(found?.message).toContain(`at character ${want}.`);
  },
);

test("200 properties are accepted and 201 are not", async () => {
  const properties = (count: number): string =>
    Array.from({ length: count }, (_, index) => `p${index}: string`).join("\n");
  expect(codes(await checkProperties(properties(200)))).toEqual([]);
  expect(codes(await checkProperties(properties(201)))).toEqual(["3:1 SCH-6"]);
});

test("500 values of an enum are accepted and 501 are not", async () => {
  const values = (count: number): string =>
    `size: { enum: [${Array.from({ length: count }, (_, index) => `v${index}`).join(", ")}] }`;
  expect(codes(await checkProperties(values(500)))).toEqual([]);
  expect(codes(await checkProperties(values(501)))).toEqual(["4:11 SCH-6"]);
});

test.each(["daysOfWeek", "skus", "unitsInStock", "daysOpen", "itemsPerBox", "tagsV2", "allSKUs"])(
  "an array may be called %s",
  async (name) => {
    expect(codes(await checkProperties(`${name}: { type: array, items: string }`))).toEqual([]);
  },
);

test.each([
  { name: "itemList", want: '"items"' },
  { name: "listOfItems", want: '"items"' },
  { name: "pricePerUnit", want: '"pricesPerUnit"' },
  { name: "history", want: "add `history: history` to the `inflections` of service.yaml" },
  { name: "orderHistory", want: "add `exempt: { NAM-3: <reason> }` to the property" },
])("an array $name is told the ways out: $want", async ({ name, want }) => {
  const [found] = (await checkProperties(`${name}: { type: array, items: string }`)).diagnostics;
  expect(found?.code).toBe("NAM-3");
  expect(found?.suggestion).toContain(want);
});

test.each([
  { given: "history: { type: array, items: string, exempt: { NAM-3: a word } }", want: [] },
  {
    given: "tags: { type: array, items: string, exempt: { NAM-3: a word } }",
    want: ["4:49 SCH-190"],
  },
  { given: "tag: { type: string, exempt: { NAM-3: a word } }", want: ["4:34 SCH-190"] },
  {
    given: "tags: { type: array, items: { type: string, exempt: { NAM-3: a word } } }",
    want: ["4:47 SCH-14"],
  },
  {
    given:
      "part: { type: object, properties: { history: { type: array, items: string, exempt: { NAM-3: a word } } } }",
    want: [],
  },
])("an exemption is where it is needed: $given", async ({ given, want }) => {
  expect(codes(await checkProperties(given))).toEqual(want);
});
