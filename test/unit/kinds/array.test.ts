import type { PropertyYaml } from "../../../src/kinds/property-yaml.js";
import { testKind } from "./kind-table.js";

const labels = { type: "array", items: "string", maxItems: 3, uniqueItems: true } as const;
const prices = {
  type: "array",
  items: { type: "decimal", scale: 2 },
  minItems: 1,
  uniqueItems: true,
} as const;
const STRING = { kind: "string", minLength: 0, maxLength: 10_000, pattern: null, format: null };

/** A list of at least so many items, of which each differs from all others. */
function different(items: PropertyYaml, minItems: number): PropertyYaml {
  return { type: "array", items, minItems, uniqueItems: true };
}

function tooMany(minItems: number, count: number): string[] {
  return [
    `minItems: SCH-361 No list has ${minItems} different items: an item can have ${count} ${count === 1 ? "value" : "values"}.`,
  ];
}

testKind({
  name: "array",
  models: [
    { yaml: labels, want: { items: STRING, minItems: 0, maxItems: 3, uniqueItems: true } },
    {
      yaml: { type: "array", items: "boolean" },
      want: { items: { kind: "boolean" }, minItems: 0, maxItems: 1000, uniqueItems: false },
    },
  ],
  good: [
    { yaml: labels, value: [] },
    { yaml: labels, value: ["red", "blue"] },
    { yaml: prices, value: [1, "2.5"], kept: ["1.00", "2.50"] },
  ],
  bad: [
    { yaml: labels, value: "red", want: 'SCH-15: The default "red" is not a list.' },
    { yaml: labels, value: ["red", 7], want: "SCH-15: The default 7 is not a string." },
    {
      yaml: labels,
      value: ["a", "b", "c", "d"],
      want: "SCH-101: The default has 4 items, but maxItems is 3.",
    },
    { yaml: prices, value: [], want: "SCH-101: The default has 0 items, but minItems is 1." },
    {
      yaml: labels,
      value: ["red", "red"],
      want: 'SCH-130: The default contains "red" again at [1], but uniqueItems is true.',
    },
    {
      yaml: {
        type: "array",
        items: { type: "object", properties: { x: "integer", y: "integer" } },
        uniqueItems: true,
      },
      value: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
      want: "SCH-130: The default contains a mapping again at [1], but uniqueItems is true.",
    },
    {
      yaml: prices,
      value: ["1.0", "1.00"],
      want: 'SCH-130: The default contains "1.00" again at [1], but uniqueItems is true.',
    },
  ],
  mistakes: [
    {
      yaml: { type: "array", items: "string", minItems: 4, maxItems: 3 },
      want: ["minItems: SCH-13 No value satisfies both minItems 4 and maxItems 3."],
    },
    { yaml: different("boolean", 3), want: tooMany(3, 2) },
    { yaml: different("boolean", 2), want: [] },
    { yaml: { type: "array", items: "boolean", minItems: 3 }, want: [] },
    { yaml: different({ enum: ["red", "blue"] }, 3), want: tooMany(3, 2) },
    { yaml: different({ enum: ["red", "blue"] }, 2), want: [] },
    { yaml: different({ type: "integer", minimum: 1, maximum: 3 }, 4), want: tooMany(4, 3) },
    { yaml: different({ type: "integer", minimum: 1, maximum: 3 }, 3), want: [] },
    {
      yaml: different({ type: "integer", exclusiveMinimum: -1, exclusiveMaximum: 3 }, 4),
      want: tooMany(4, 3),
    },
    {
      yaml: different({ type: "integer", minimum: 1, maximum: 12, multipleOf: 5 }, 3),
      want: tooMany(3, 2),
    },
    {
      yaml: different({ type: "integer", minimum: 1, maximum: 3, multipleOf: 5 }, 1),
      want: tooMany(1, 0),
    },
    { yaml: different({ type: "integer", minimum: 1 }, 1000), want: [] },
    // Bounds that leave no value are told at the items.
    { yaml: different({ type: "integer", minimum: 3, maximum: 1 }, 2), want: [] },
    {
      yaml: different({ type: "decimal", scale: 1, minimum: "0.1", maximum: "0.3" }, 4),
      want: tooMany(4, 3),
    },
    { yaml: different({ type: "number", minimum: 1, maximum: 2 }, 5), want: [] },
    { yaml: different("string", 1000), want: [] },
    {
      yaml: different({ type: "object", properties: { a: "boolean" } }, 4),
      want: tooMany(4, 3),
    },
    {
      yaml: different(
        {
          type: "object",
          properties: { a: { type: "boolean", required: true }, b: { enum: ["red", "blue"] } },
        },
        7,
      ),
      want: tooMany(7, 6),
    },
    {
      yaml: different({ type: "object", properties: { a: "boolean", b: "string" } }, 9),
      want: [],
    },
  ],
  schemas: [
    {
      yaml: labels,
      use: "answer",
      want: {
        type: "array",
        items: { type: "string", maxLength: 10_000 },
        maxItems: 3,
        uniqueItems: true,
      },
    },
    {
      yaml: labels,
      use: "whole",
      want: {
        type: ["array", "null"],
        items: { type: "string", maxLength: 10_000, minLength: 1, pattern: "\\S" },
        maxItems: 3,
        uniqueItems: true,
      },
    },
  ],
  described: [
    { yaml: labels, want: "list of at most 3 different; each: text, at most 10000 characters" },
  ],
  code: [
    {
      yaml: labels,
      want: {
        type: "string[]",
        reader: "list(text({ maxLength: 10000 }), { maxItems: 3, uniqueItems: true })",
        filter: "contains(textFilter())",
        column: "value: json",
        encode: "JSON.stringify(ticket.value)",
        "encode?": "JSON.stringify(ticket.value)",
        decode: "jsonOf<string[]>(row.value)",
        "decode?": "jsonOf<string[]>(row.value)",
        bind: null,
        write: "jsonItems(ticket.value, quote, inner)",
      },
    },
  ],
  filters: [{ yaml: labels, text: "red", want: { value: "red" } }],
});
