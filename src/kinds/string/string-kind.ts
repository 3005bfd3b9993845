import { ts } from "../../naming/code.js";
import { regex } from "../../naming/encoders.js";
import { textColumn } from "../columns/text-column.js";
import { call, options, writeText } from "../expression.js";
import type { PropertyKind } from "../property-kind.js";
import { stringKeywords } from "./string-keywords.js";
import { stringSamples } from "./string-samples.js";
import type { StringType, StringYaml } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";

/** What the form of a text allows by itself. */
const LONGEST: Readonly<Record<string, number>> = { email: 254, hostname: 253 };

/** Text; lengths count code points (LIM-1). */
export const stringKind: PropertyKind<StringType, StringYaml> = {
  ...stringKeywords,

  normalise: ({ minLength = 0, maxLength, pattern = null, format = null }, { limits }) => {
    const longest = format === null ? limits.stringCharacters : TEXT_FORMS[format].longest;
    return { kind: "string", minLength, maxLength: maxLength ?? longest, pattern, format };
  },
  normaliseValue: (value) => value,

  ...textColumn,
  encoding: () => ({ form: "string" }),
  bind: () => null,

  tsType: () => ts`string`,
  jsonSchema: ({ minLength, maxLength, pattern, format }) => ({
    type: "string",
    ...(minLength > 0 && { minLength }),
    maxLength: Math.min(maxLength, LONGEST[format ?? ""] ?? maxLength),
    ...(pattern !== null && { pattern }),
    ...(format !== null && { format }),
  }),
  describe: describeText,
  reader: ({ minLength, maxLength, pattern, format }) =>
    call(
      "text",
      options(
        { minLength: minLength > 0 ? minLength : null, maxLength, format },
        { pattern: pattern === null ? null : regex(pattern) },
      ),
    ),
  filter: () => call("textFilter"),
  write: (value, _type, nullable) => writeText(value, nullable),

  ...stringSamples,
};

function describeText({ minLength, maxLength, pattern, format }: StringType): string {
  const parts = [
    format ?? "text",
    minLength > 0 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`,
    ...(pattern === null ? [] : [`matches ${pattern}`]),
  ];
  return parts.join(", ");
}
