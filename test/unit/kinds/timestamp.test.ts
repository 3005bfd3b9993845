import { testKind } from "./kind-table.js";

testKind({
  name: "timestamp",
  models: [{ yaml: "timestamp", want: {} }],
  good: [{ yaml: "timestamp", value: "2024-02-29T23:59:59.999Z" }],
  bad: [
    {
      yaml: "timestamp",
      value: "2023-02-29T00:00:00.000Z",
      want: 'SCH-15: The default "2023-02-29T00:00:00.000Z" is not a time such as "2026-01-31T12:00:00.000Z".',
    },
    {
      yaml: "timestamp",
      value: "2024-02-29",
      want: 'SCH-15: The default "2024-02-29" is not a time such as "2026-01-31T12:00:00.000Z".',
    },
    {
      yaml: "timestamp",
      value: "0000-01-01T00:00:00.000Z",
      want: 'SCH-15: The default "0000-01-01T00:00:00.000Z" is not a time such as "2026-01-31T12:00:00.000Z".',
    },
  ],
  schemas: [
    {
      yaml: "timestamp",
      want: {
        type: "string",
        format: "date-time",
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\\.[0-9]{3}Z$",
        examples: ["2024-02-29T23:59:59.999Z"],
      },
    },
  ],
  described: [{ yaml: "timestamp", want: "time in UTC" }],
  code: [
    {
      yaml: "timestamp",
      want: {
        type: "string",
        reader: "timestamp()",
        filter: "timestampFilter()",
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
      yaml: "timestamp",
      text: "2024-02-29T23:59:59.999Z",
      want: { value: "2024-02-29T23:59:59.999Z" },
    },
    {
      yaml: "timestamp",
      text: "2024-02-29T23:59:59Z",
      want: 'must be a UTC time in the form yyyy-MM-ddTHH:mm:ss.SSSZ, such as "2024-02-29T23:59:59.999Z"',
    },
  ],
});
