import { testKind } from "./kind-table.js";

testKind({
  name: "uuid",
  models: [{ yaml: "uuid", want: {} }],
  good: [{ yaml: "uuid", value: "0190b5a4-7c3e-7abc-8def-0123456789ab" }],
  bad: [
    {
      yaml: "uuid",
      value: "0190B5A4-7C3E-7ABC-8DEF-0123456789AB",
      want: 'SCH-15: The default "0190B5A4-7C3E-7ABC-8DEF-0123456789AB" is not a UUID in lower case.',
    },
    { yaml: "uuid", value: "42", want: 'SCH-15: The default "42" is not a UUID in lower case.' },
  ],
  schemas: [{ yaml: "uuid", want: { type: "string", format: "uuid" } }],
  described: [{ yaml: "uuid", want: "UUID" }],
  code: [
    {
      yaml: "uuid",
      want: {
        type: "string",
        reader: "uuid()",
        filter: "uuidFilter()",
        column: "value: text",
        encode: "ticket.value",
        "encode?": "ticket.value",
        decode: "textOf(row.value)",
        "decode?": "textOrNull(row.value)",
        bind: null,
        write: "quoteOrNull(ticket.value)",
      },
    },
  ],
  filters: [
    {
      yaml: "uuid",
      text: "0190B5A4-7C3E-7ABC-8DEF-0123456789AB",
      want: { value: "0190b5a4-7c3e-7abc-8def-0123456789ab" },
    },
    {
      yaml: "uuid",
      text: "42",
      want: 'must be a UUID, such as "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f"',
    },
  ],
});
