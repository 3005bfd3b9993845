import { testKind } from "./kind-table.js";

const status = { enum: ["open", "closed"] };

testKind({
  name: "enum",
  models: [{ yaml: status, want: { typeName: "TicketValue", values: ["open", "closed"] } }],
  good: [{ yaml: status, value: "open" }],
  bad: [
    { yaml: status, value: "Open", want: 'SCH-93: The default "Open" is not one of open, closed.' },
    { yaml: status, value: 1, want: "SCH-93: The default 1 is not one of open, closed." },
  ],
  schemas: [{ yaml: status, want: { type: "string", enum: ["open", "closed"] } }],
  described: [{ yaml: status, want: "one of open, closed" }],
  code: [
    {
      yaml: status,
      want: {
        type: "TicketValue",
        reader: "oneOf(TICKET_VALUE_VALUES)",
        filter: "enumFilter(TICKET_VALUE_VALUES)",
        column: "value: text",
        encode: "ticket.value",
        "encode?": "ticket.value",
        decode: "textOf<TicketValue>(row.value)",
        "decode?": "textOrNull<TicketValue>(row.value)",
        bind: null,
        write: "quoteOrNull(ticket.value)",
      },
    },
  ],
  filters: [
    { yaml: status, text: "closed", want: { value: "closed" } },
    { yaml: status, text: "close", want: 'must be one of open, closed; did you mean "closed"?' },
  ],
});
