import { ts } from "../naming/code.js";
import type { TimestampType } from "../model/service-model.js";
import { call, plain } from "./expression.js";
import type { PropertyKind } from "./property-kind.js";
import { textColumn } from "./text-column.js";

/** REP-1: milliseconds, UTC, and no leap second; with an example, for tools that make one up from a pattern. */
export const TIMESTAMP_SCHEMA = {
  type: "string",
  format: "date-time",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\\.[0-9]{3}Z$",
  examples: ["2024-02-29T23:59:59.999Z"],
};

/** A time in UTC, `yyyy-MM-ddTHH:mm:ss.SSSZ` (REP-1); its text sorts as the time does. */
export const timestampKind: PropertyKind<TimestampType> = {
  ...textColumn,
  encoding: () => ({ form: "timestamp", pattern: "YYYY-MM-DDTHH:mm:ss.sssZ" }),
  tsType: () => ts`string`,
  jsonSchema: () => TIMESTAMP_SCHEMA,
  reader: () => call("timestamp"),
  describe: () => "time in UTC",
  filter: () => call("timestampFilter"),
  bind: () => null,
  write: (value, _type, nullable) => call(nullable ? "quoteOrNull" : "quote", [plain(value)]),
  samples: () => ({
    valid: ["2024-02-29T23:59:59.999Z"],
    invalid: [
      "2024-02-29",
      "2024-02-29T23:59:59Z",
      "2024-02-29T23:59:59.999+01:00",
      "2023-02-29T00:00:00.000Z",
      1700000000,
    ],
  }),
};
