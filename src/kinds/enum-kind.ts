import { ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { constantName } from "../naming/constant-name.js";
import type { EnumType } from "../model/service-model.js";
import { call, plain, type Expression } from "./expression.js";
import type { PropertyKind } from "./property-kind.js";
import { textColumn } from "./text-column.js";

/** The constant that lists the values of an enum: `TICKET_STATUS_VALUES`. */
export function valuesConstant(typeName: string): TsCode {
  return word(`${constantName(typeName)}_VALUES`);
}

/** One of a closed list of camelCase strings (NAM-4). */
export const enumKind: PropertyKind<EnumType> = {
  ...textColumn,
  encoding: ({ values }) => ({ form: "enum", values: [...values].sort() }),
  tsType: ({ typeName }) => word(typeName),
  jsonSchema: ({ values }) => ({ type: "string", enum: values }),
  reader: ({ typeName }) => call("oneOf", [constant(typeName)]),
  describe: ({ values }) => `one of ${values.join(", ")}`,
  filter: ({ typeName }) => call("enumFilter", [constant(typeName)]),
  decode: (value, { typeName }, nullable) => {
    const name = nullable ? "textOrNull" : "textOf";
    return { code: ts`${word(name)}<${word(typeName)}>(${value})`, uses: [name] };
  },
  bind: () => null,
  write: (value, _type, nullable) => call(nullable ? "quoteOrNull" : "quote", [plain(value)]),
  samples: ({ values }) => ({ valid: values.slice(0, 2), invalid: ["noSuchValue", 1] }),
};

function constant(typeName: string): Expression {
  const code = valuesConstant(typeName);
  return { code, uses: [code] };
}
