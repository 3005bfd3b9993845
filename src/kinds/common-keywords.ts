import type { JsonSchema } from "./json-schema.js";
import type { CommonYaml } from "./property-yaml.js";

type Keywords = Readonly<Record<Exclude<keyof CommonYaml, "type">, JsonSchema>>;

/** The JSON Schema of the keywords that are no kind's own. */
export const COMMON_KEYWORDS: Keywords = {
  required: flag("Never null. Without it the property can be null."),
  description: {
    description: "What the property is for; it reaches the code and the OpenAPI document.",
    type: "string",
    examples: ["Where the parcel goes."],
  },
  example: { description: "A value for the documentation.", examples: ["Printer on fire"] },
  default: {
    description: "The value when a create leaves the property out.",
    type: ["string", "number", "boolean"],
    examples: ["open"],
  },
  deprecated: flag("The property is on its way out; it still works."),
  filterable: flag("A collection can be filtered by it: ?status=open (QRY-1)."),
  sortable: flag("A collection can be sorted by it: ?sort=-priority (QRY-4)."),
  unique: flag("No two entities have the same value."),
  readOnly: flag("Only the service's own code writes it."),
  immutable: flag("It is set on create, and never changed."),
  sensitive: flag("It is never written to a log."),
};

function flag(description: string): JsonSchema {
  return { description, type: "boolean", default: false, examples: [true] };
}

/** What is explained, and neither supported yet nor offered by editors. */
export const LATER_KEYWORDS: Readonly<Record<string, JsonSchema>> = {
  renamedFrom: {
    description: "The name that it had before. Not supported yet.",
    doNotSuggest: true,
    type: "string",
    examples: ["deliveryAddress"],
  },
  converted: {
    description: "Your own code converts it from and to older versions. Not supported yet.",
    doNotSuggest: true,
    type: "boolean",
    examples: [true],
  },
  inOlderVersions: {
    description: "What an older version shows instead of a new value. Not supported yet.",
    doNotSuggest: true,
    type: "object",
    examples: [{ onHold: "open" }],
  },
};
