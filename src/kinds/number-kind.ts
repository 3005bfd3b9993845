import type { NumberType } from "../model/service-model.js";
import { call, options } from "./expression.js";
import {
  boundOptions,
  boundSamples,
  boundSchema,
  boundWords,
  numberColumn,
} from "./number-column.js";
import type { PropertyKind } from "./property-kind.js";

/** A 64-bit floating point number. */
export const numberKind: PropertyKind<NumberType> = {
  ...numberColumn,
  encoding: () => ({ form: "number" }),
  jsonSchema: (type) => ({ type: "number", ...boundSchema(type) }),
  reader: (type) => call("number", options(boundOptions(type))),
  describe: (type) => ["number", ...boundWords(type)].join(", "),
  filter: () => call("numberFilter"),
  columnType: () => "real",
  leafType: () => "real",
  samples: (type) => boundSamples(type, 0.5),
};
