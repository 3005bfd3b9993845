import { testKind } from "./kind-table.js";

const labels = { type: "array", items: "string", maxItems: 3, uniqueItems: true } as const;
const prices = {
  type: "array",
  items: { type: "decimal", scale: 2 },
  minItems: 1,
  uniqueItems: true,
} as const;
const STRING = { kind: "string", minLength: 0, maxLength: 10_000, pattern: null, format: null };

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
