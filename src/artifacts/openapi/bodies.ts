import type { SchemaUse } from "../../kinds/kind-code.js";
import { objectSchema } from "../../kinds/property-schema.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { bodyDto, bodyOperations, type BodyOperation } from "../dtos.js";
import { writable } from "../reader-code.js";
import { COMMON_FIELDS } from "./common-fields.js";
import type { OpenApi } from "./document.js";
import { stateProperty, transitionsOf } from "./states.js";

type BodyUse = Exclude<SchemaUse, "answer">;

/** The schema of a body, or of an object in it. */
interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties: OpenApi;
}

/** What creates, replaces and updates an entity (OPS-1, OPS-4, OPS-5); what they have in common stands in the last. */
export function bodySchemas(resource: ResourceModel): OpenApi {
  const operations = bodyOperations(resource);
  const base = operations.includes("update") ? bodyDto(resource, "update").name : null;
  return Object.fromEntries(
    operations.map((operation) => {
      const { name, purpose } = bodyDto(resource, operation);
      const schema = schemaOf(resource, operation, operation === "update" ? null : base);
      return [name, { type: "object", description: purpose, ...schema }];
    }),
  );
}

const USES = { create: "whole", replace: "replacement", update: "part" } as const;

function schemaOf(resource: ResourceModel, operation: BodyOperation, base: string | null): OpenApi {
  const schema = bodySchema(resource, USES[operation]);
  if (base === null) return { ...schema, additionalProperties: false };
  return {
    allOf: [{ $ref: `#/components/schemas/${base}` }],
    ...schema,
    properties: differences(schema, bodySchema(resource, "part").properties),
  };
}

/** The properties whose schema says more than that of the base. */
function differences({ required = [], properties }: ObjectSchema, base: OpenApi): OpenApi {
  const differing = Object.entries(properties).flatMap(([name, schema]) => {
    // Both have the same properties, each with a schema.
    const more = difference(schema as OpenApi, base[name] as OpenApi);
    return more === null ? [] : [[name, more] as const];
  });
  const [first] = required;
  // Generators of clients take no notice of `required` where no property stands beside it.
  const shown = differing.length === 0 && first !== undefined ? [[first, properties[first]]] : [];
  return Object.fromEntries([...differing, ...shown]) as OpenApi;
}

/** What a schema says beyond that of the base; null: nothing. */
function difference({ default: preset, ...schema }: OpenApi, base: OpenApi): OpenApi | null {
  const more = preset === undefined ? null : { default: preset };
  if (isSame(schema, base)) return more;
  const nested = schema["properties"] as OpenApi | undefined;
  const required = schema["required"] as readonly string[] | undefined;
  if (nested === undefined || required === undefined) return { ...schema, ...more };
  const demanded = Object.fromEntries(required.map((name) => [name, nested[name]]));
  const others = differences({ properties: nested }, base["properties"] as OpenApi);
  return { type: schema["type"], required, properties: { ...demanded, ...others }, ...more };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What the service writes itself may be sent back and is ignored (ENT-3). */
function bodySchema(resource: ResourceModel, use: BodyUse): ObjectSchema {
  const { name, properties } = resource;
  const written = writable(properties);
  const own = objectSchema(written, use);
  const ignored = [
    name.idProperty,
    ...properties.filter(({ readOnly }) => readOnly).map((property) => property.name),
    ...Object.keys(COMMON_FIELDS),
  ];
  const demanded = written
    .filter(({ immutable, addedLater }) => !immutable && !addedLater)
    .map((property) => property.name);
  // OPS-4: all that can be updated is there, an unknown value as null.
  const required = use === "replacement" ? demanded : ((own["required"] ?? []) as string[]);
  return {
    ...(required.length > 0 && { required }),
    properties: {
      ...withStates(resource, own["properties"] as OpenApi, use),
      ...Object.fromEntries(ignored.map((property) => [property, { readOnly: true }])),
    },
  };
}

/** STA-1: an entity begins in an initial state, and each state says which can follow. */
function withStates(resource: ResourceModel, properties: OpenApi, use: BodyUse): OpenApi {
  const { states } = resource.entity;
  const name = stateProperty(resource);
  if (states === null || name === null) return properties;
  // Each property has a schema.
  const schema = properties[name] as OpenApi & { readonly description?: string };
  if (schema["enum"] === undefined) return properties;
  const shown =
    use === "whole"
      ? { ...schema, enum: states.initials }
      : { ...schema, ...transitionsOf(states, resource.actions, schema.description) };
  return { ...properties, [name]: shown };
}
