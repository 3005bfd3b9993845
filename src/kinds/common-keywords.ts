import type { JsonSchema } from "./json-schema.js";
import type { CommonYaml } from "./property-yaml.js";

type Keywords = Readonly<Record<Exclude<keyof CommonYaml, "type">, JsonSchema>>;

/** The JSON Schema of the keywords that belong to all kinds. */
export const COMMON_KEYWORDS: Keywords = {
  required: flag("The property is never null. By default it can be null."),
  description: {
    description:
      "The purpose of the property, shown in the generated code and in the OpenAPI document.",
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
  filterable: {
    description:
      "A collection can be filtered by it: ?status=open (QRY-1). With range, by bounds as well: ?priority.atLeast=3 (QRY-3), for numbers, timestamps and dates. With search, by parts of texts: ?name.contains=ann (QRY-7).",
    enum: [true, false, "range", "search"],
    default: false,
    examples: [true, "range", "search"],
  },
  sortable: flag("A collection can be sorted by it: ?sort=-priority (QRY-4)."),
  unique: flag("No two entities have the same value."),
  readOnly: flag(
    "Clients cannot set the property; only custom code does (generator explain hooks). If it is `required`, it has a `default`. In the items of a list, an item that is sent as it is stored keeps it.",
  ),
  immutable: flag("The property can be set on create and never changes afterwards."),
  sensitive: flag("The value never appears in a log."),
  exempt: {
    description:
      "A rule that the property need not follow, with the reason (NAM-3, REP-4). docs/resources.md has the reason.",
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: {
      "NAM-3": {
        description: "Why the array does not have a plural name.",
        type: "string",
        minLength: 1,
        maxLength: 500,
        examples: ["A word of the trade."],
      },
      "REP-4": {
        description: "Why a UUID does not refer to anything, or why a reference is called `<x>Id`.",
        type: "string",
        minLength: 1,
        maxLength: 500,
        examples: ["A key of the scanner."],
      },
    },
    examples: [{ "NAM-3": "A word of the trade." }],
  },
  renamedFrom: {
    description:
      "The previous name of the property (VER-2): its stored values are kept, and the previous version keeps that name.",
    type: "string",
    examples: ["deliveryAddress"],
  },
  converted: {
    description:
      "The property is made of those of the previous version that are gone from the same object (VER-2). With `true`, custom code converts both ways; otherwise these words say how.",
    type: ["boolean", "object"],
    default: false,
    additionalProperties: false,
    required: ["from"],
    properties: {
      from: {
        description: "The property of the previous version that it is made of.",
        type: "string",
        examples: ["cents"],
      },
      unit: {
        description: "How many units of an integer are 1 of this decimal: 10, 100, 1000.",
        enum: [10, 100, 1000, 10_000, 100_000, 1_000_000],
        examples: [100],
      },
      values: {
        description:
          "The values of an enum that have another name here, by their previous names. The others keep theirs.",
        type: "object",
        minProperties: 1,
        additionalProperties: { type: "string" },
        examples: [{ done: "closed" }],
      },
    },
    examples: [true, { from: "cents", unit: 100 }],
  },
};

function flag(description: string): JsonSchema {
  return { description, type: "boolean", default: false, examples: [true] };
}
