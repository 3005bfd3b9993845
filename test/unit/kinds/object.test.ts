import { testKind } from "./kind-table.js";

const address = {
  type: "object",
  properties: {
    street: { type: "string", required: true, maxLength: 40 },
    fee: { type: "decimal", scale: 2 },
    tags: { type: "array", items: "string", minItems: 1 },
    zone: { type: "integer", required: true, default: 1 },
    seen: { type: "timestamp", required: true, readOnly: true },
  },
} as const;
const point = {
  type: "object",
  properties: { x: "integer", y: { type: "integer", required: true } },
} as const;

testKind({
  name: "object",
  isReadElsewhere: true,
  models: [
    {
      yaml: { type: "object", properties: {} },
      want: { typeName: "TicketValue", localName: "Value", properties: [] },
    },
  ],
  good: [
    { yaml: address, value: { street: "Main Street", tags: ["home"] } },
    {
      yaml: address,
      value: { street: "Main Street", tags: ["home"], fee: 1.5 },
      kept: { street: "Main Street", tags: ["home"], fee: "1.50" },
    },
    { yaml: address, value: { street: "Main Street", tags: ["home"], fee: null } },
  ],
  bad: [
    {
      yaml: address,
      value: "Main Street",
      want: 'SCH-15: The default "Main Street" is not a mapping.',
    },
    {
      yaml: address,
      value: { town: "Springfield" },
      want: 'SCH-102: The default has a property "town" that the object does not declare.',
    },
    { yaml: address, value: { street: 7 }, want: "SCH-15: The default 7 is not a string." },
    {
      yaml: address,
      value: { tags: ["home"] },
      want: 'SCH-9: The default is missing the key "street".',
    },
    {
      yaml: address,
      value: { street: "Main Street" },
      want: 'SCH-9: The default is missing the key "tags".',
    },
    {
      yaml: address,
      value: { street: "Main Street", tags: ["home"], zone: null },
      want: 'SCH-9: The default is missing the key "zone".',
    },
  ],
  schemas: [
    {
      yaml: point,
      use: "answer",
      want: {
        type: "object",
        required: ["x", "y"],
        properties: {
          x: { type: ["integer", "null"], minimum: -9007199254740991, maximum: 9007199254740991 },
          y: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
        },
      },
    },
    {
      yaml: point,
      use: "part",
      want: {
        type: "object",
        properties: {
          x: { type: ["integer", "null"], minimum: -9007199254740991, maximum: 9007199254740991 },
          y: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
        },
        additionalProperties: false,
      },
    },
  ],
  described: [{ yaml: point, want: "object" }],
  code: [
    {
      yaml: point,
      want: {
        type: "TicketValue",
        reader: "object(readValue)",
        filter: null,
        column: "value: json",
        encode: "JSON.stringify(ticket.value)",
        "encode?": "jsonTextOrNull(ticket.value)",
        decode: "jsonOf<TicketValue>(row.value, json.value)",
        "decode?": "jsonOrNull<TicketValue>(row.value, json.value)",
        bind: null,
        write: "writeValue(ticket.value, inner)",
      },
    },
  ],
});
