import { testKind } from "./kind-table.js";

testKind({
  name: "boolean",
  models: [{ yaml: "boolean", want: {} }],
  good: [
    { yaml: "boolean", value: true },
    { yaml: "boolean", value: false },
  ],
  bad: [
    { yaml: "boolean", value: "true", want: 'SCH-15: The default "true" is not true or false.' },
  ],
  schemas: [{ yaml: "boolean", want: { type: "boolean" } }],
  described: [{ yaml: "boolean", want: "true or false" }],
  code: [
    {
      yaml: "boolean",
      want: {
        type: "boolean",
        reader: "boolean()",
        filter: "booleanFilter()",
        column: "value: boolean",
        encode: "bitOf(ticket.value)",
        "encode?": "bitOrNull(ticket.value)",
        decode: "booleanOf(row.value)",
        "decode?": "booleanOrNull(row.value)",
        bind: "bitOf",
        write: "ticket.value",
      },
    },
  ],
  filters: [
    { yaml: "boolean", text: "true", want: { value: true } },
    { yaml: "boolean", text: "1", want: "must be true or false" },
  ],
});
