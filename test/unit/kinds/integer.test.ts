import { testKind } from "./kind-table.js";

const rank = { type: "integer", minimum: 1, exclusiveMaximum: 10 } as const;
const even = { type: "integer", multipleOf: 2 } as const;
const FREE = {
  minimum: null,
  maximum: null,
  exclusiveMinimum: null,
  exclusiveMaximum: null,
  multipleOf: null,
};

testKind({
  name: "integer",
  models: [
    { yaml: "integer", want: FREE },
    { yaml: rank, want: { ...FREE, minimum: 1, exclusiveMaximum: 10 } },
    { yaml: even, want: { ...FREE, multipleOf: 2 } },
  ],
  good: [
    { yaml: rank, value: 9 },
    { yaml: even, value: -2 },
    { yaml: "integer", value: -0, kept: 0 },
    { yaml: "integer", value: Number.MAX_SAFE_INTEGER },
  ],
  bad: [
    { yaml: "integer", value: "7", want: 'SCH-15: The default "7" is not a whole number.' },
    { yaml: "integer", value: 1.5, want: "SCH-15: The default 1.5 is not a whole number." },
    {
      yaml: "integer",
      value: 2 ** 53,
      want: "SCH-15: The default 9007199254740992 is not a whole number.",
    },
    { yaml: rank, value: 0, want: "SCH-98: The default is 0, but minimum is 1." },
    { yaml: rank, value: 10, want: "SCH-98: The default is 10, but exclusiveMaximum is 10." },
    { yaml: even, value: 3, want: "SCH-99: The default 3 is not a multiple of 2." },
  ],
  mistakes: [
    { yaml: rank, want: [] },
    {
      yaml: { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 2 },
      want: [
        "exclusiveMinimum: SCH-13 No value satisfies both exclusiveMinimum 1 and exclusiveMaximum 2.",
      ],
    },
    {
      yaml: { type: "integer", minimum: 1.5, multipleOf: 0 },
      want: [
        'minimum: SCH-8 "minimum" must be a whole number, but this is read as 1.5.',
        "multipleOf: SCH-104 multipleOf must be greater than 0.",
      ],
    },
    {
      yaml: { type: "integer", minimum: "1", exclusiveMinimum: 1 },
      want: [
        'minimum: SCH-8 "minimum" must be a whole number, but this is read as "1".',
        "exclusiveMinimum: SCH-105 minimum and exclusiveMinimum set the same bound.",
      ],
    },
  ],
  schemas: [
    {
      yaml: "integer",
      want: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    { yaml: rank, want: { type: "integer", minimum: 1, exclusiveMaximum: 10 } },
  ],
  described: [{ yaml: rank, want: "whole number, at least 1, less than 10" }],
  code: [
    {
      yaml: rank,
      want: {
        type: "number",
        reader: "integer({ minimum: 1, exclusiveMaximum: 10 })",
        filter: "integerFilter()",
        column: "value: integer",
        encode: "ticket.value",
        "encode?": "ticket.value",
        decode: "numberOf(row.value)",
        "decode?": "numberOrNull(row.value)",
        bind: null,
        write: "ticket.value",
      },
    },
  ],
  filters: [
    { yaml: rank, text: "70", want: { value: 70 } },
    { yaml: rank, text: "1.0", want: "must be a whole number" },
  ],
});
