import { joined, ts } from "../../naming/code.js";
import { doc } from "../../naming/doc-comment.js";
import { key, literal, type TsCode } from "../../naming/encoders.js";
import type { JsonSchema } from "../../kinds/json-schema.js";

/** Schemas by their names in the OpenAPI document. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A member of a type, below its comment: `readonly status?: "open" | "closed"`. */
export interface TypeMember {
  readonly code: TsCode;
}

/** A member of a type that a file declares, with its comment. */
export function typeMember(member: TsCode, description: string): TypeMember {
  const comment = doc(description, 2);
  // A comment that is closed, before code.
  const above = (comment === "" ? "" : `${comment}\n  `) as TsCode;
  return { code: ts`${above}readonly ${member}` };
}

/** The members of the type of an object's schema, with those of the schemas that it builds on. */
export function membersOf(schema: JsonSchema, schemas: Schemas): readonly TypeMember[] {
  const { properties, required } = flattened(schema, schemas);
  return Object.entries(properties).map(([name, property]) =>
    typeMember(memberCode(name, property, required), textOf(property["description"])),
  );
}

/** The type of the values of a schema. */
export function typeCode(schema: JsonSchema): TsCode {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) {
    return union(values.map((value) => (value === null ? ts`null` : literal(String(value)))));
  }
  if (Array.isArray(type)) return union(type.map((one) => typeCode({ ...schema, type: one })));
  switch (type) {
    case "string":
      return ts`string`;
    case "boolean":
      return ts`boolean`;
    case "integer":
    case "number":
      return ts`number`;
    case "null":
      return ts`null`;
    case "array":
      return listCode(schema["items"] as JsonSchema);
    case "object":
      return objectCode(schema);
    default:
      // What the service writes itself is ignored in a body, whatever it is.
      return ts`unknown`;
  }
}

function union(members: readonly TsCode[]): TsCode {
  return joined(members, " | ");
}

function listCode(items: JsonSchema): TsCode {
  const several = [items["type"], items["enum"]].some(
    (one) => Array.isArray(one) && one.length > 1,
  );
  const item = typeCode(items);
  return several || items["type"] === "array" ? ts`readonly (${item})[]` : ts`readonly ${item}[]`;
}

function objectCode(schema: JsonSchema): TsCode {
  const { properties, required } = flattened(schema, {});
  const members = Object.entries(properties).map(
    ([name, property]) => ts`readonly ${memberCode(name, property, required)}`,
  );
  return members.length === 0 ? ts`object` : ts`{ ${joined(members, "; ")} }`;
}

function memberCode(name: string, property: JsonSchema, required: readonly string[]): TsCode {
  const mark = required.includes(name) ? ts`` : ts`?`;
  return ts`${key(name)}${mark}: ${typeCode(property)}`;
}

interface Flattened {
  readonly required: readonly string[];
  readonly properties: Schemas;
}

/** An object with all of its properties, and which of them must be there. */
function flattened(schema: JsonSchema, schemas: Schemas): Flattened {
  // What openapi/ makes: a list of references, texts, and schemas.
  const bases = (schema["allOf"] ?? []) as readonly JsonSchema[];
  const parts = bases.map(({ $ref }) => {
    const base = schemas[textOf($ref).replace("#/components/schemas/", "")];
    return base === undefined ? NOTHING : flattened(base, schemas);
  });
  const own = {
    required: (schema["required"] ?? []) as readonly string[],
    properties: (schema["properties"] ?? {}) as Schemas,
  };
  return [...parts, own].reduce(merged, NOTHING);
}

const NOTHING: Flattened = { required: [], properties: {} };

function merged(base: Flattened, more: Flattened): Flattened {
  const properties = { ...base.properties };
  for (const [name, schema] of Object.entries(more.properties)) {
    properties[name] = narrowed(properties[name], schema);
  }
  return { required: [...base.required, ...more.required], properties };
}

/** A property of which a body demands more than the one that it builds on: what that says and it does not repeat holds. */
function narrowed(base: JsonSchema | undefined, more: JsonSchema): JsonSchema {
  if (base?.["properties"] === undefined || more["properties"] === undefined) {
    return { ...base, ...more };
  }
  return { ...base, ...more, ...merged(flattened(base, {}), flattened(more, {})) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
