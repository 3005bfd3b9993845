import type { IntegerType } from "../model/service-model.js";
import { MAX_INTEGER } from "../model/defaults.js";
import { call, options } from "./expression.js";
import {
  boundOptions,
  boundSamples,
  boundSchema,
  boundWords,
  numberColumn,
} from "./number-column.js";
import type { PropertyKind } from "./property-kind.js";

/** A whole number within 53 bits. */
export const integerKind: PropertyKind<IntegerType> = {
  ...numberColumn,
  encoding: () => ({ form: "integer" }),
  jsonSchema: (type) => {
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = type;
    return {
      type: "integer",
      ...(minimum === null && exclusiveMinimum === null && { minimum: -MAX_INTEGER }),
      ...(maximum === null && exclusiveMaximum === null && { maximum: MAX_INTEGER }),
      ...boundSchema(type),
    };
  },
  reader: (type) => call("integer", options(boundOptions(type))),
  describe: (type) => ["whole number", ...boundWords(type)].join(", "),
  filter: () => call("integerFilter"),
  columnType: () => "integer",
  leafType: () => "integer",
  samples: (type) => {
    const { valid, invalid } = boundSamples(type, 1);
    return { valid, invalid: [...invalid, 1.5, 9_007_199_254_740_992] };
  },
};
