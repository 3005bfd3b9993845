import { COMMON_KEYWORDS } from "./common-keywords.js";
import type { JsonSchema } from "./json-schema.js";
import { allKinds } from "./kinds.js";

/** `definitions.property` of schemas/resource.schema.json, put together from what each kind says of itself. */
export function propertyDefinition(): JsonSchema {
  return {
    description: "A property: the name of a type, or a mapping of keywords.",
    examples: ["string", { type: "integer", minimum: 1 }],
    if: { type: "string" },
    then: { enum: namesSpelled("short") },
    else: {
      type: "object",
      additionalProperties: false,
      properties: {
        type: {
          description: "The type of the value. Left out where there is an `enum` or a `reference`.",
          enum: namesSpelled("short", "type"),
          examples: ["string", "decimal"],
        },
        // What several kinds share is the same for each of them.
        ...Object.assign({}, ...allKinds().map(([, { keywords }]) => keywords)),
        ...COMMON_KEYWORDS,
      },
    },
  };
}

function namesSpelled(...spellings: readonly string[]): readonly string[] {
  return allKinds()
    .filter(([, { spelling }]) => spellings.includes(spelling))
    .map(([name]) => name);
}
