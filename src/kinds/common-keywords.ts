import type { JsonSchema } from "./json-schema.js";
import type { CommonYaml } from "./property-yaml.js";

type Keywords = Readonly<Record<Exclude<keyof CommonYaml, "type">, JsonSchema>>;

/** The JSON Schema of the keywords that belong to all kinds. */
export const COMMON_KEYWORDS: Keywords = {
  required: flag("The property is never null. By default it can be null."),
  description: {
    description:
      "What the property is for. Shown in the generated code and in the OpenAPI document.",
    type: "string",
    examples: ["Where the parcel goes."],
  },
  example: { description: "A value for the documentation.", examples: ["Printer on fire"] },
  default: {
    description: "The value that the property gets when a create leaves it out.",
    type: ["string", "number", "boolean"],
    examples: ["open"],
  },
  deprecated: flag("Clients should stop using the property. It still works."),
  filterable: flag("A collection can be filtered by it: ?status=open (QRY-1)."),
  sortable: flag("A collection can be sorted by it: ?sort=-priority (QRY-4)."),
  unique: flag("No two entities have the same value."),
  readOnly: flag("Clients cannot set the property; only your own code does."),
  immutable: flag("The property can be set on create and never changes afterwards."),
  sensitive: flag("The value never appears in a log."),
  renamedFrom: {
    description: "The name that the property has in the previous version (VER-2).",
    type: "string",
    examples: ["deliveryAddress"],
  },
  converted: flag(
    "Your own code converts between this property and those of the previous version that are gone (VER-2).",
  ),
};

function flag(description: string): JsonSchema {
  return { description, type: "boolean", default: false, examples: [true] };
}
