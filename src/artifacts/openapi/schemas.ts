import type { SchemaUse } from "../../kinds/property-kind.js";
import { objectSchema } from "../../kinds/property-schema.js";
import { TIMESTAMP_SCHEMA } from "../../kinds/timestamp-kind.js";
import type { PropertyModel, ResourceModel } from "../../model/service-model.js";
import { offers } from "../offers.js";
import { writable } from "../reader-view.js";
import type { OpenApi } from "./document.js";

const TIMESTAMP = { ...TIMESTAMP_SCHEMA, readOnly: true };
const SUBJECT = { $ref: "#/components/schemas/Common.Subject" };

/** ENT-1, in the order in which they are answered. */
const COMMON_FIELDS = {
  createdDate: { ...TIMESTAMP, description: "When it was created." },
  createdSubject: SUBJECT,
  lastModifiedDate: { ...TIMESTAMP, description: "When it was last changed." },
  lastModifiedSubject: SUBJECT,
};

/** ENT-2 */
export function subjectSchema(): OpenApi {
  return {
    type: "object",
    description: "Who made a change.",
    readOnly: true,
    required: ["subjectId", "userPrincipalName"],
    properties: {
      subjectId: { type: "string", format: "uuid" },
      userPrincipalName: { type: "string" },
    },
  };
}

/** The entity, the bodies that make and change it, and its collection. */
export function resourceSchemas(resource: ResourceModel): OpenApi {
  const { name } = resource;
  const { creates, lists, replaces, updates } = offers(resource);
  return {
    [name.typeName]: entitySchema(resource),
    ...(creates && { [`${name.typeName}Create`]: bodySchema(resource, "whole") }),
    ...(replaces && { [`${name.typeName}Replace`]: replaceSchema(resource) }),
    ...(updates && { [`${name.typeName}Update`]: bodySchema(resource, "part") }),
    ...(lists && { [`${name.typeName}Page`]: pageSchema(resource) }),
  };
}

function entitySchema({ name, description, properties }: ResourceModel): OpenApi {
  return {
    type: "object",
    ...(description !== "" && { description }),
    required: [name.idProperty, ...properties.map(nameOf), ...Object.keys(COMMON_FIELDS)],
    properties: {
      [name.idProperty]: { type: "string", format: "uuid", readOnly: true },
      ...propertiesOf(objectSchema(properties, "answer")),
      ...COMMON_FIELDS,
    },
  };
}

/** OPS-1, OPS-4, OPS-5: what the service writes itself may be sent back and is ignored (ENT-3). */
function bodySchema(
  { name, properties }: ResourceModel,
  use: Exclude<SchemaUse, "answer">,
): OpenApi {
  const { properties: own, ...rest } = objectSchema(writable(properties), use);
  const ignored = [
    name.idProperty,
    ...properties.filter(({ readOnly }) => readOnly).map(nameOf),
    ...Object.keys(COMMON_FIELDS),
  ];
  return {
    type: "object",
    ...rest,
    properties: {
      ...(own as OpenApi),
      ...Object.fromEntries(
        ignored.map((name) => [name, { readOnly: true, description: "Ignored." }]),
      ),
    },
  };
}

/** OPS-4: all that can be updated is there, an unknown value as null. */
function replaceSchema(resource: ResourceModel): OpenApi {
  const demanded = writable(resource.properties).filter(({ immutable }) => !immutable);
  const { properties } = bodySchema(resource, "replacement");
  return {
    type: "object",
    ...(demanded.length > 0 && { required: demanded.map(nameOf) }),
    additionalProperties: false,
    properties,
  };
}

/** COL-1, COL-2 */
function pageSchema({ name, counted }: ResourceModel): OpenApi {
  const count = { type: "integer", minimum: 0 };
  const counts = counted ? { itemCount: count } : {};
  const pages = counted ? { pageCount: count } : {};
  const members = {
    results: { type: "array", items: { $ref: `#/components/schemas/${name.typeName}` } },
    ...counts,
    pageNumber: { type: "integer", minimum: 1 },
    pageSize: { type: "integer", minimum: 1 },
    ...pages,
  };
  return { type: "object", required: Object.keys(members), properties: members };
}

function propertiesOf(schema: OpenApi): OpenApi {
  return schema["properties"] as OpenApi;
}

function nameOf({ name }: PropertyModel): string {
  return name;
}
