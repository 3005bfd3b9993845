import { testKind } from "./kind-table.js";

const weight = { type: "number", exclusiveMinimum: 0, maximum: 2.5, multipleOf: 0.01 } as const;
const FREE = {
  minimum: null,
  maximum: null,
  exclusiveMinimum: null,
  exclusiveMaximum: null,
  multipleOf: null,
};

testKind({
  name: "number",
  models: [
    { yaml: "number", want: FREE },
    { yaml: { type: "number", minimum: 0, maximum: 1 }, want: { ...FREE, minimum: 0, maximum: 1 } },
  ],
  good: [
    { yaml: weight, value: 0.07 },
    { yaml: "number", value: 1e300 },
    { yaml: "number", value: -0, kept: 0 },
  ],
  bad: [
    { yaml: "number", value: "7", want: 'SCH-15: The default "7" is not a number.' },
    { yaml: "number", value: Infinity, want: "SCH-15: The default Infinity is not a number." },
    { yaml: weight, value: 0, want: "SCH-98: The default is 0, but exclusiveMinimum is 0." },
    { yaml: weight, value: 2.6, want: "SCH-98: The default is 2.6, but maximum is 2.5." },
    { yaml: weight, value: 0.075, want: "SCH-99: The default 0.075 is not a multiple of 0.01." },
  ],
  mistakes: [
    { yaml: { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2 }, want: [] },
    {
      yaml: { type: "number", exclusiveMinimum: 1, maximum: 1 },
      want: ["exclusiveMinimum: SCH-13 No value satisfies both exclusiveMinimum 1 and maximum 1."],
    },
  ],
  schemas: [
    { yaml: "number", want: { type: "number" } },
    { yaml: weight, want: { type: "number", exclusiveMinimum: 0, maximum: 2.5, multipleOf: 0.01 } },
  ],
  described: [{ yaml: weight, want: "number, at most 2.5, more than 0, a multiple of 0.01" }],
  code: [
    {
      yaml: weight,
      want: {
        type: "number",
        reader: "number({ maximum: 2.5, exclusiveMinimum: 0, multipleOf: 0.01 })",
        filter: "numberFilter()",
        column: "value: real",
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
    { yaml: weight, text: "1e2", want: { value: 100 } },
    { yaml: weight, text: "1,5", want: "must be a number" },
  ],
});
