import { mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts, word } from "../../naming/code.js";
import { constantName } from "../../naming/constant-name.js";
import type { TsCode } from "../../naming/encoders.js";
import { stepOf } from "../../samples/seed.js";
import { textColumn } from "../columns/text-column.js";
import { call, writeText } from "../expression.js";
import { SCALAR_KEYWORDS } from "../kind-keywords.js";
import type { PropertyKind } from "../property-kind.js";
import type { EnumType, EnumYaml } from "./enum-type.js";
import { ofSchema } from "../../naming/imported.js";

/** The constant that lists the values of an enum: `TICKET_STATUS_VALUES`. */
export function valuesConstant(typeName: string): TsCode {
  return word(`${constantName(typeName)}_VALUES`);
}

/** One of a closed list of camelCase strings (NAM-4). */
export const enumKind: PropertyKind<EnumType, EnumYaml> = {
  spelling: "keyword",
  synonyms: [],
  shape: "{ enum: [open, closed] }",
  keywords: {
    enum: {
      description: "The values that the property can have: camelCase strings (NAM-4).",
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: 500,
      examples: [["open", "pending", "closed"]],
    },
    inOlderVersions: {
      description:
        "The value that an older version shows instead of a value that it does not know (VER-2).",
      type: "object",
      additionalProperties: { type: "string" },
      examples: [{ onHold: "open" }],
    },
  },
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => false,
  valueCount: ({ enum: values = [] }) => new Set(values).size,
  keywordMistakes: () => [],
  valueMistake: (value, { yaml: { enum: values = [] }, role }) =>
    values.some((allowed) => allowed === value)
      ? null
      : mistake("SCH-93", { role, value: shown(value), allowed: values.join(", ") }),

  normalise: ({ enum: values = [] }, { typeName }) => ({ kind: "enum", typeName, values }),
  normaliseValue: (value) => value,
  facts: ({ values }) => ({ values }),

  ...textColumn,
  encoding: ({ values }) => ({ form: "enum", values: [...values].sort() }),
  decode: (value, { typeName }, nullable) => {
    return ts`${nullable ? ts`@textOrNull` : ts`@textOf`}<${ofSchema(`type ${typeName}`)}>(${value})`;
  },
  bind: () => null,

  tsType: ({ typeName }) => ofSchema(`type ${typeName}`),
  jsonSchema: ({ values }) => ({ type: "string", enum: values }),
  describe: ({ values }) => `one of ${values.join(", ")}`,
  reader: ({ typeName }) => call("oneOf", [ofSchema(valuesConstant(typeName))]),
  filter: ({ typeName }) => call("enumFilter", [ofSchema(valuesConstant(typeName))]),
  write: (value, _type, nullable) => writeText(value, nullable),

  samples: ({ values }) => ({ valid: values.slice(0, 2), invalid: ["noSuchValue", 1] }),
  seeded: ({ values }, seed) => values[stepOf(seed, values.length)] ?? null,
};
