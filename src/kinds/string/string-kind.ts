import { FORMATS } from "#runtime/input/text";
import { ts } from "../../naming/code.js";
import { literal, regex } from "../../naming/encoders.js";
import { textColumn } from "../columns/text-column.js";
import { call, options, writeText } from "../expression.js";
import type { JsonSchema } from "../json-schema.js";
import type { PropertyKind } from "../property-kind.js";
import { longestText, stringKeywords } from "./string-keywords.js";
import { stringSamples } from "./string-samples.js";
import type { StringFormat, StringType, StringYaml } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";

/** Text; lengths count code points (LIM-1). */
export const stringKind: PropertyKind<StringType, StringYaml> = {
  ...stringKeywords,

  normalise: (yaml, { limits }) => ({
    kind: "string",
    minLength: yaml.minLength ?? 0,
    maxLength: longestText(yaml, limits),
    pattern: yaml.pattern ?? null,
    format: yaml.format ?? null,
  }),
  normaliseValue: (value) => value,
  facts: ({ minLength, maxLength, pattern, format }) => ({
    // REP-2: no text is shorter than one character.
    ...(minLength > 1 && { minLength }),
    maxLength,
    ...(pattern !== null && { pattern }),
    ...(format !== null && { format }),
  }),

  ...textColumn,
  encoding: () => ({ form: "string" }),
  bounds: ({ minLength, maxLength, pattern, format }) => ({
    ...(format !== null && { format }),
    maxLength,
    ...(minLength > 0 && { minLength }),
    ...(pattern !== null && { pattern }),
  }),
  bind: () => null,

  tsType: () => ts`string`,
  jsonSchema: ({ minLength, maxLength, pattern, format }) => ({
    type: "string",
    ...(minLength > 0 && { minLength }),
    maxLength: format === null ? maxLength : Math.min(maxLength, mostOf(format, maxLength)),
    ...(pattern !== null && { pattern }),
    ...(format !== null && formSchema(format, pattern !== null)),
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
  filter: ({ format }) => call("textFilter", format === null ? [] : [literal(format)]),
  write: (value, _type, nullable) => writeText(value, nullable),

  ...stringSamples,
};

/** What a form of text allows by itself, where its grammar does not say so already. */
function mostOf(format: StringFormat, otherwise: number): number {
  return format === "email" || format === "hostname" ? TEXT_FORMS[format].longest : otherwise;
}

/** The word that JSON Schema has for a form, or the pattern that says all of it; a second pattern stands in `allOf`. */
function formSchema(format: StringFormat, hasPattern: boolean): JsonSchema {
  const { pattern, description } = FORMATS[format];
  if (pattern === undefined) return { format };
  return { ...(hasPattern ? { allOf: [{ pattern }] } : { pattern }), description };
}

function describeText({ minLength, maxLength, pattern, format }: StringType): string {
  const isClosed = format !== null && FORMATS[format].pattern !== undefined;
  const length =
    minLength > 0 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`;
  const parts = [
    ...(isClosed ? [FORMATS[format].description] : [format ?? "text", length]),
    ...(pattern === null ? [] : [`matches ${pattern}`]),
  ];
  return parts.join(", ");
}
