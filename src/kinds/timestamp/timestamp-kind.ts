import { isTimestamp } from "#runtime/base/time";
import { mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts } from "../../naming/code.js";
import { stepOf } from "../../samples/seed.js";
import { textColumn } from "../columns/text-column.js";
import { call, writeText } from "../expression.js";
import { SCALAR_KEYWORDS } from "../kind-keywords.js";
import type { PropertyKind } from "../property-kind.js";

/** REP-1: milliseconds, UTC, and no leap second; with an example, for tools that make one up from a pattern. */
export const TIMESTAMP_SCHEMA = {
  type: "string",
  format: "date-time",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\\.[0-9]{3}Z$",
  examples: ["2024-02-29T23:59:59.999Z"],
};

/** Some time of a leap day: forms of time that leave out parts would lose it. */
const FIRST_TIME = Date.UTC(2024, 1, 29, 23, 59, 59, 1);
const STEP_MILLISECONDS = 61_007;

/** A time in UTC, `yyyy-MM-ddTHH:mm:ss.SSSZ` (REP-1); its text sorts as the time does. */
export const timestampKind: PropertyKind<TimestampType> = {
  spelling: "short",
  synonyms: ["datetime", "date-time", "instant"],
  shape: null,
  keywords: {},
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => true,
  valueCount: () => null,
  keywordMistakes: () => [],
  valueMistake: (value, { role }) => {
    if (typeof value === "string" && isTimestamp(value)) return null;
    const expected = 'a time such as "2026-01-31T12:00:00.000Z"';
    return mistake("SCH-15", { role, value: shown(value), expected });
  },

  normalise: () => ({ kind: "timestamp" }),
  normaliseValue: (value) => value,
  facts: () => ({}),

  ...textColumn,
  encoding: () => ({ form: "timestamp", pattern: "YYYY-MM-DDTHH:mm:ss.sssZ" }),
  bind: () => null,

  tsType: () => ts`string`,
  jsonSchema: () => TIMESTAMP_SCHEMA,
  describe: () => "time in UTC",
  reader: () => call("timestamp"),
  filter: () => call("timestampFilter"),
  write: (value, _type, nullable) => writeText(value, nullable),

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
  seeded: (_type, seed) =>
    new Date(FIRST_TIME + stepOf(seed, 1_000_000) * STEP_MILLISECONDS).toISOString(),
};

/** A time in UTC (REP-1). */
interface TimestampType {
  readonly kind: "timestamp";
}
