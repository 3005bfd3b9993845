import type { JsonSchema } from "./json-schema.js";
import type { SchemaUse } from "./kind-code.js";
import { kindOf } from "./kinds.js";
import { canBeLeftOut } from "./left-out.js";
import type { PropertyModel } from "./property-model.js";

/** The members of an object's schema: its properties, which of them must be there, and that no others are known. */
export function objectSchema(properties: readonly PropertyModel[], use: SchemaUse): JsonSchema {
  const required = properties.filter((property) => isDemanded(property, use));
  return {
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    properties: Object.fromEntries(
      properties.map((property) => [property.name, propertySchema(property, use)]),
    ),
    ...(use !== "answer" && { additionalProperties: false }),
  };
}

function isDemanded(property: PropertyModel, use: SchemaUse): boolean {
  switch (use) {
    case "answer":
      return true;
    case "whole":
      return !canBeLeftOut(property);
    case "replacement":
      return !isKept(property) && !canBeLeftOut({ ...property, default: null });
    case "part":
      return false;
  }
}

/** OPS-4: what a PUT leaves as it is. */
export function isKept({ readOnly, immutable, addedLater }: PropertyModel): boolean {
  return readOnly || immutable || addedLater;
}

/** The schema of a property, with null where it may be null (REP-2). */
export function propertySchema(property: PropertyModel, use: SchemaUse): JsonSchema {
  // ENT-3: whatever is sent.
  if (property.readOnly && use !== "answer") return { readOnly: true };
  const schema = kindOf(property.type).jsonSchema(property.type, use);
  const { readOnly, deprecated, nullable, default: preset, example } = property;
  return {
    ...(nullable ? withNull(schema) : notBlank(schema, use)),
    ...described(property, use),
    ...(readOnly && { readOnly: true }),
    ...(deprecated && { deprecated: true }),
    ...(preset !== null && use === "whole" && { default: preset }),
    ...(example !== null && { examples: [example] }),
    ...(use !== "answer" && nothingReferred(property)),
  };
}

/** What it is for, and in bodies, that it is set once (OPS-4). */
function described({ description, immutable }: PropertyModel, use: SchemaUse): JsonSchema {
  const once = immutable && use !== "answer" ? [SET_ONCE] : [];
  const text = [...(description === "" ? [] : [description]), ...once].join("\n\n");
  return text === "" ? {} : { description: text };
}

const SET_ONCE = "Set when it is created: an update with another value is refused.";

/** What is suggested for a reference that need not be there: nobody can guess an identifier that there is. */
function nothingReferred({ type, nullable }: PropertyModel): JsonSchema {
  if (type.kind === "reference" && nullable) return { examples: [null] };
  const isList = type.kind === "array" && type.items.kind === "reference";
  return isList && type.minItems === 0 ? { examples: [[]] } : {};
}

function withNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    ...rest,
  };
}

/** REP-2: the schema of a value that is never null; blank text is none. */
export function notBlank(schema: JsonSchema, use: SchemaUse): JsonSchema {
  const isFreeText = schema["type"] === "string" && schema["enum"] === undefined;
  if (use === "answer" || !isFreeText || schema["format"] !== undefined) return schema;
  return {
    ...schema,
    minLength: schema["minLength"] ?? 1,
    ...(!schema["pattern"] && { pattern: "\\S" }),
  };
}
