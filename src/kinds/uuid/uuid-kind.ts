import { parseIdentifier } from "#runtime/base/identifiers";
import { mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts } from "../../naming/code.js";
import { seededUuid } from "../../samples/seed.js";
import { textColumn } from "../columns/text-column.js";
import { call, writeText } from "../expression.js";
import { SCALAR_KEYWORDS } from "../kind-keywords.js";
import type { PropertyKind } from "../property-kind.js";

/** IDN-1: a UUID in an answer is in lower case. */
export const ANSWERED_UUID = {
  type: "string",
  format: "uuid",
  pattern: "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
} as const;

/** A UUID: upper case is accepted, lower case is stored and answered (IDN-4). */
export const uuidKind: PropertyKind<UuidType> = {
  spelling: "short",
  synonyms: ["guid", "id"],
  shape: null,
  keywords: {},
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => false,
  valueCount: () => null,
  keywordMistakes: () => [],
  valueMistake: (value, { role }) => {
    if (typeof value === "string" && parseIdentifier(value) === value) return null;
    return mistake("SCH-15", { role, value: shown(value), expected: "a UUID in lower case" });
  },

  normalise: () => ({ kind: "uuid" }),
  normaliseValue: (value) => value,
  facts: () => ({}),

  ...textColumn,
  encoding: () => ({ form: "uuid" }),
  bind: () => null,

  tsType: () => ts`string`,
  jsonSchema: (_type, use) =>
    use === "answer" ? ANSWERED_UUID : { type: "string", format: "uuid" },
  describe: () => "UUID",
  reader: () => call("uuid"),
  filter: () => call("uuidFilter"),
  write: (value, _type, nullable) => writeText(value, nullable),

  samples: () => ({
    valid: ["0190b5a4-7c3e-7abc-8def-0123456789ab"],
    invalid: ["0190b5a47c3e7abc8def0123456789ab", "1", 1],
  }),
  seeded: (_type, seed, word) => seededUuid(seed, word),
};

/** A UUID. */
interface UuidType {
  readonly kind: "uuid";
}
