import { arrowDoc } from "../../naming/doc.js";
import { DECIMAL_DIGITS } from "#runtime/base/decimal";
import { ts } from "../../naming/code.js";
import { call, options, writeText } from "../expression.js";
import type { JsonSchema } from "../json-schema.js";
import { normaliseBounds } from "../numbers/bound-keywords.js";
import { boundOptions, boundWords } from "../numbers/bounds-code.js";
import { statedBounds } from "../numbers/bounds.js";
import type { PropertyKind } from "../property-kind.js";
import { decimalKeywords } from "./decimal-keywords.js";
import { decimalSamples } from "./decimal-samples.js";
import type { DecimalType, DecimalYaml } from "./decimal-type.js";
import { keptDecimal } from "./decimal-value.js";

/** An exact number: text in JSON; in a column its digits without the point, as a 64-bit integer. */
export const decimalKind: PropertyKind<DecimalType, DecimalYaml> = {
  ...decimalKeywords,

  normalise: (yaml) => {
    const { scale = 0 } = yaml;
    const bounds = normaliseBounds(yaml, (bound) => keptDecimal(bound, scale));
    return { kind: "decimal", scale, ...bounds };
  },
  // Whatever YAML made of it.
  normaliseValue: (value, { scale }) => keptDecimal(value, scale),
  facts: (type) => ({ scale: type.scale, ...statedBounds(type) }),

  columnType: () => "integer",
  leafType: () => "text",
  encoding: ({ scale }) => ({ form: "decimal", scale }),
  bounds: statedBounds,
  selected: (column, shown) => `CAST(${column} AS TEXT) AS ${shown}`,
  leaf: (extracted) => `CAST(replace(${extracted}, '.', '') AS BIGINT)`,
  encode: (value, { scale }, nullable) =>
    call(nullable ? "scaledOrNull" : "scaledInteger", [value, ts`${scale}`]),
  decode: (value, { scale }, nullable) =>
    call(nullable ? "decimalOrNull" : "decimalOf", [value, ts`${scale}`]),
  bind: ({ scale }) => {
    return arrowDoc(ts`(value)`, call("scaledInteger", [ts`value`, ts`${scale}`]));
  },

  tsType: () => ts`string`,
  jsonSchema: decimalSchema,
  describe: ({ scale, ...bounds }) =>
    [`decimal with ${scale} fraction digits`, ...boundWords(bounds)].join(", "),
  reader: (type) => call("decimal", options({ scale: type.scale, ...boundOptions(type) })),
  filter: ({ scale }) => call("decimalFilter", [ts`${scale}`]),
  write: (value, _type, nullable) => writeText(value, nullable),

  ...decimalSamples,
};

/** With an example, for tools that make one up from a pattern: the bounds are in words only. */
function decimalSchema(type: DecimalType): JsonSchema {
  const [example] = decimalSamples.samples(type).valid;
  return {
    type: "string",
    format: "decimal",
    pattern: decimalPattern(type.scale),
    ...boundText(type),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** As many digits as are stored; zeros in front do not count. */
function decimalPattern(scale: number): string {
  const most = DECIMAL_DIGITS - scale;
  const whole = most === 0 ? "0+" : `0*[0-9]{1,${most}}`;
  return scale === 0 ? `^-?${whole}$` : `^-?${whole}(\\.[0-9]{1,${scale}})?$`;
}

/** JSON Schema has no bounds for text: they are said in words. */
function boundText(bounds: DecimalType): { description?: string } {
  const said = boundWords(bounds);
  return said.length === 0 ? {} : { description: `A decimal number, ${said.join(", ")}.` };
}
