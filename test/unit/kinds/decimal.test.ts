import { testKind } from "./kind-table.js";

const price = { type: "decimal", scale: 2, minimum: 0 } as const;
const coins = { type: "decimal", scale: 2, exclusiveMaximum: 100, multipleOf: "0.05" } as const;
const FREE = {
  minimum: null,
  maximum: null,
  exclusiveMinimum: null,
  exclusiveMaximum: null,
  multipleOf: null,
};

testKind({
  name: "decimal",
  models: [
    { yaml: "decimal", want: { ...FREE, scale: 0 } },
    { yaml: price, want: { ...FREE, scale: 2, minimum: "0.00" } },
    { yaml: coins, want: { ...FREE, scale: 2, exclusiveMaximum: "100.00", multipleOf: "0.05" } },
  ],
  good: [
    { yaml: price, value: "12.50" },
    { yaml: price, value: "12.5", kept: "12.50" },
    { yaml: price, value: 12.5, kept: "12.50" },
    { yaml: price, value: "007", kept: "7.00" },
    { yaml: price, value: "-0", kept: "0.00" },
    { yaml: { type: "decimal", scale: 8 }, value: 1e-7, kept: "0.00000010" },
    { yaml: coins, value: "99.95" },
  ],
  bad: [
    {
      yaml: price,
      value: true,
      want: 'SCH-15: The default true is not a decimal such as "12.50".',
    },
    {
      yaml: price,
      value: "1e3",
      want: 'SCH-15: The default "1e3" is not a decimal such as "12.50".',
    },
    {
      yaml: price,
      value: "1.500",
      want: 'SCH-100: The default "1.500" has more than 2 digits after the decimal point (scale 2).',
    },
    {
      yaml: price,
      value: "12345678901234567",
      want: 'SCH-100: The default "12345678901234567" has more than 16 digits before the decimal point (scale 2).',
    },
    { yaml: price, value: "-0.01", want: 'SCH-98: The default is "-0.01", but minimum is 0.' },
    {
      yaml: coins,
      value: "100",
      want: 'SCH-98: The default is "100", but exclusiveMaximum is 100.',
    },
    { yaml: coins, value: "0.07", want: 'SCH-99: The default "0.07" is not a multiple of 0.05.' },
  ],
  mistakes: [
    { yaml: price, want: [] },
    {
      yaml: { type: "decimal", scale: 2, exclusiveMinimum: "1.00", exclusiveMaximum: "1.01" },
      want: [
        "exclusiveMinimum: SCH-13 No value satisfies both exclusiveMinimum 1.00 and exclusiveMaximum 1.01.",
      ],
    },
    {
      yaml: { type: "decimal", scale: 1, minimum: "0.25", maximum: "much" },
      want: [
        'minimum: SCH-100 The minimum "0.25" has more than 1 digits after the decimal point (scale 1).',
        'maximum: SCH-8 "maximum" must be a decimal such as "12.50", but this is read as "much".',
      ],
    },
  ],
  schemas: [
    {
      yaml: price,
      want: {
        type: "string",
        format: "decimal",
        pattern: "^-?0*[0-9]{1,16}(\\.[0-9]{1,2})?$",
        description: "A decimal number, at least 0.00.",
        examples: ["0.00"],
      },
    },
    {
      yaml: coins,
      want: {
        type: "string",
        format: "decimal",
        pattern: "^-?0*[0-9]{1,16}(\\.[0-9]{1,2})?$",
        description: "A decimal number, less than 100.00, a multiple of 0.05.",
        examples: ["0.05"],
      },
    },
    {
      yaml: "decimal",
      want: { type: "string", format: "decimal", pattern: "^-?0*[0-9]{1,18}$", examples: ["1"] },
    },
  ],
  described: [
    { yaml: coins, want: "decimal with 2 fraction digits, less than 100.00, a multiple of 0.05" },
  ],
  code: [
    {
      yaml: price,
      want: {
        type: "string",
        reader: 'decimal({ scale: 2, minimum: "0.00" })',
        filter: "decimalFilter(2)",
        column: "CAST(value AS TEXT) AS value: integer, a leaf text",
        encode: "scaledInteger(ticket.value, 2)",
        "encode?": "scaledOrNull(ticket.value, 2)",
        decode: "decimalOf(row.value, 2)",
        "decode?": "decimalOrNull(row.value, 2)",
        bind: "(value) => scaledInteger(value, 2)",
        write: "quoteOrNull(ticket.value)",
      },
    },
  ],
  filters: [
    { yaml: price, text: "12.5", want: { value: "12.50" } },
    { yaml: price, text: "12.505", want: "must have at most 2 fraction digits, and has 3" },
  ],
});
