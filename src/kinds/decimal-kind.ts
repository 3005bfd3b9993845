import { ts } from "../naming/code.js";
import { canonicalDecimal } from "../model/decimal.js";
import { DECIMAL_DIGITS } from "../model/defaults.js";
import type { DecimalType } from "../model/service-model.js";
import { call, options, plain } from "./expression.js";
import { boundOptions, boundWords } from "./number-column.js";
import type { JsonSchema, PropertyKind, Samples } from "./property-kind.js";

/** An exact number: text in JSON; in a column its digits without the point, as a 64-bit integer. */
export const decimalKind: PropertyKind<DecimalType> = {
  tsType: () => ts`string`,
  jsonSchema: decimalSchema,
  reader: (type) => call("decimal", options({ scale: type.scale, ...boundOptions(type) })),
  describe: ({ scale, ...bounds }) =>
    [`decimal with ${scale} fraction digits`, ...boundWords(bounds)].join(", "),
  filter: ({ scale }) => call("decimalFilter", [plain(ts`${scale}`)]),
  columnType: () => "integer",
  leafType: () => "text",
  encoding: ({ scale }) => ({ form: "decimal", scale }),
  selected: (column, shown) => `CAST(${column} AS TEXT) AS ${shown}`,
  leaf: (extracted) => `CAST(replace(${extracted}, '.', '') AS BIGINT)`,
  encode: (value, { scale }, nullable) =>
    call(nullable ? "scaledOrNull" : "scaledInteger", [plain(value), plain(ts`${scale}`)]),
  decode: (value, { scale }, nullable) =>
    call(nullable ? "decimalOrNull" : "decimalOf", [plain(value), plain(ts`${scale}`)]),
  bind: ({ scale }) => {
    const { code, uses } = call("scaledInteger", [plain(ts`value`), plain(ts`${scale}`)]);
    return { code: ts`(value) => ${code}`, uses };
  },
  write: (value, _type, nullable) => call(nullable ? "quoteOrNull" : "quote", [plain(value)]),
  samples: decimalSamples,
};

/** With an example, for tools that make one up from a pattern: the bounds are in words only. */
function decimalSchema(type: DecimalType): JsonSchema {
  const [example] = decimalSamples(type).valid;
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

function decimalSamples({
  scale,
  minimum,
  maximum,
  exclusiveMinimum,
  multipleOf,
}: DecimalType): Samples {
  const inside = minimum ?? maximum ?? (exclusiveMinimum === null ? "1" : `${exclusiveMinimum}`);
  const valid =
    exclusiveMinimum === null && multipleOf === null ? [canonicalDecimal(inside, scale)] : [];
  const tooFine = scale === 0 ? "1.5" : `1.${"1".repeat(scale + 1)}`;
  return { valid, invalid: [1.5, "one", "1e3", tooFine] };
}
