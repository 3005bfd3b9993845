import { ts } from "../naming/code.js";
import type { UuidType } from "../model/service-model.js";
import { call, plain } from "./expression.js";
import type { PropertyKind } from "./property-kind.js";
import { textColumn } from "./text-column.js";

/** A UUID: upper case is accepted, lower case is stored and answered (IDN-4). */
export const uuidKind: PropertyKind<UuidType> = {
  ...textColumn,
  encoding: () => ({ form: "uuid" }),
  tsType: () => ts`string`,
  jsonSchema: () => ({ type: "string", format: "uuid" }),
  reader: () => call("uuid"),
  describe: () => "UUID",
  filter: () => call("uuidFilter"),
  bind: () => null,
  write: (value, _type, nullable) => call(nullable ? "quoteOrNull" : "quote", [plain(value)]),
  samples: () => ({
    valid: ["0190b5a4-7c3e-7abc-8def-0123456789ab"],
    invalid: ["0190b5a47c3e7abc8def0123456789ab", "1", 1],
  }),
};
