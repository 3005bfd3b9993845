import { expect, test } from "vitest";
import { propertyOf } from "./model-of.js";

const TEXT = { kind: "string", minLength: 0, maxLength: 10_000, pattern: null, format: null };
const UNBOUND = {
  minimum: null,
  maximum: null,
  exclusiveMinimum: null,
  exclusiveMaximum: null,
  multipleOf: null,
};

test.each([
  { name: "a kind alone", given: "value: string", want: { nullable: true, type: TEXT } },
  { name: "required", given: "value: { type: string, required: true }", want: { nullable: false } },
  {
    name: "what is not said of it",
    given: "value: string",
    want: { default: null, example: null, filterable: false, unique: false, readOnly: false },
  },
  {
    name: "a text of a format, which is as long as the format allows",
    given: "value: { type: string, format: email }",
    want: { type: { ...TEXT, maxLength: 254, format: "email" } },
  },
  {
    name: "an enum, whose type is named after the entity and the property",
    given: "value: { enum: [low, high] }",
    want: { type: { kind: "enum", typeName: "TicketValue", values: ["low", "high"] } },
  },
  {
    name: "a decimal, whose bounds and default have its scale",
    given: "value: { type: decimal, scale: 2, minimum: 1, default: 2.5 }",
    want: { default: "2.50", type: { kind: "decimal", scale: 2, ...UNBOUND, minimum: "1.00" } },
  },
  {
    name: "an integer",
    given: "value: { type: integer, minimum: 1 }",
    want: { type: { kind: "integer", ...UNBOUND, minimum: 1 } },
  },
  {
    name: "a boolean",
    given: "value: boolean",
    want: { type: { kind: "boolean" } },
  },
])("$name becomes a property with nothing left unsaid", async ({ given, want }) => {
  expect(await propertyOf(given, "value")).toMatchObject(want);
});

test("a list is never null", async () => {
  const found = await propertyOf("values: { type: array, items: uuid }", "values");
  const bounds = { minItems: 0, maxItems: 1000, uniqueItems: false };
  expect(found.nullable).toBe(false);
  expect(found.type).toEqual({ kind: "array", items: { kind: "uuid" }, ...bounds });
});

test("a limit of the service is the length of a text that has none of its own", async () => {
  const service = "service: shop\nlimits: { stringCharacters: 70, arrayItems: 9 }\n";
  const text = await propertyOf("value: string", "value", service);
  expect(text.type).toMatchObject({ maxLength: 70 });
  const list = await propertyOf("values: { type: array, items: string }", "values", service);
  expect(list.type).toMatchObject({ maxItems: 9, items: { maxLength: 70 } });
});

test("what stands in an object knows its path from the root, and has a type of its own", async () => {
  const found = await propertyOf("place: { type: object, properties: { city: string } }", "place");
  expect(found.type).toMatchObject({
    kind: "object",
    typeName: "TicketPlace",
    localName: "Place",
    properties: [{ name: "city", path: "place.city" }],
  });
});

test("a reference holds the other's identifier, and shows of it what it embeds", async () => {
  const given = "by: { reference: users, embed: [name, level], filterable: true, required: true }";
  const { type, nullable } = await propertyOf(given, "by");
  expect(nullable).toBe(false);
  expect(type).toMatchObject({
    kind: "reference",
    typeName: "TicketBy",
    words: "user",
    target: { name: { plural: "users" } },
    onDelete: "refuse",
    isParent: false,
    identifier: { name: "userId", path: "by.userId", nullable: false, filterable: true },
    embedded: [
      // Filterable where both say so; what the other presets is not preset here.
      { name: "name", path: "by.name", filterable: true, readOnly: true, default: null },
      { name: "level", path: "by.level", filterable: false, sortable: false },
    ],
  });
});

test("what another service keeps has no target, and its embedded values may be null", async () => {
  const given = "by: { reference: merchants, external: true, embed: [title] }";
  const { type } = await propertyOf(given, "by");
  expect(type).toMatchObject({
    target: null,
    identifier: { name: "merchantId" },
    embedded: [{ name: "title", nullable: true, type: TEXT }],
  });
});
