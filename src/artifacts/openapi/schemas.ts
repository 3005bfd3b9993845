import type { PropertyModel } from "../../kinds/property-model.js";
import { objectSchema } from "../../kinds/property-schema.js";
import { ANSWERED_UUID } from "../../kinds/uuid/uuid-kind.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { dtoName, pageDto, purposeOf } from "../dtos.js";
import { operationsOf } from "../operations.js";
import { actionSchemas } from "./actions.js";
import { bodySchemas } from "./bodies.js";
import { COMMON_FIELDS } from "./common-fields.js";
import type { OpenApi } from "./document.js";

const COMMON_ENTITY = { $ref: "#/components/schemas/Common.Entity" };

/** ENT-2 */
export function subjectSchema(): OpenApi {
  return {
    type: "object",
    description: "The subject that made a change.",
    readOnly: true,
    required: ["subjectId", "userPrincipalName"],
    properties: {
      subjectId: ANSWERED_UUID,
      userPrincipalName: { type: "string" },
    },
  };
}

/** ENT-1: what the service writes of every entity. */
export function commonEntitySchema(): OpenApi {
  return {
    type: "object",
    description: "The fields that every entity has.",
    required: Object.keys(COMMON_FIELDS),
    properties: COMMON_FIELDS,
  };
}

/** COL-2: what pages say beside their results, counted and not. */
export function commonPageSchemas(resources: readonly ResourceModel[]): OpenApi {
  const count = { type: "integer", minimum: 0 };
  const place = { type: "integer", minimum: 1 };
  // A page that follows a token has no number (QRY-9).
  const schema = (required: readonly string[], properties: OpenApi): OpenApi => ({
    type: "object",
    required,
    properties,
  });
  const listed = resources.filter((resource) => operationsOf(resource).lists);
  return {
    ...(listed.some(({ counted }) => counted) && {
      [COUNTED_PAGE]: schema(["itemCount", "pageSize"], {
        itemCount: count,
        pageNumber: place,
        pageSize: place,
        pageCount: count,
      }),
    }),
    ...(listed.some(({ counted }) => !counted) && {
      [PAGE]: schema(["pageSize"], { pageNumber: place, pageSize: place }),
    }),
  };
}

const COUNTED_PAGE = "Common.CountedPage";
const PAGE = "Common.Page";

/** The entity, the bodies that make and change it, and its collection. */
export function resourceSchemas(resource: ResourceModel): OpenApi {
  const { name } = resource;
  return {
    [dtoName(name.typeName)]: entitySchema(resource),
    ...bodySchemas(resource),
    ...actionSchemas(resource),
    ...(operationsOf(resource).lists && {
      [pageDto(resource).name]: pageSchema(resource),
    }),
  };
}

function entitySchema(resource: ResourceModel): OpenApi {
  const { name, properties } = resource;
  return {
    type: "object",
    description: purposeOf(resource),
    allOf: [COMMON_ENTITY],
    required: [name.idProperty, ...properties.map(nameOf)],
    properties: {
      [name.idProperty]: { ...ANSWERED_UUID, readOnly: true },
      ...propertiesOf(objectSchema(properties, "answer")),
    },
  };
}

/** COL-1 */
function pageSchema(resource: ResourceModel): OpenApi {
  const { name, counted, paging } = resource;
  return {
    type: "object",
    description: pageDto(resource).purpose,
    allOf: [{ $ref: `#/components/schemas/${counted ? COUNTED_PAGE : PAGE}` }],
    required: ["results", ...(paging.next ? ["next"] : [])],
    properties: {
      results: { type: "array", items: { $ref: `#/components/schemas/${dtoName(name.typeName)}` } },
      ...(paging.next && { next: NEXT }),
    },
  };
}

const NEXT = {
  type: ["string", "null"],
  description: "The value of `after` for the page that follows; null on the last page.",
};

/** The properties of an object's schema. */
function propertiesOf(schema: OpenApi): OpenApi {
  // What objectSchema makes is an object of schemas.
  return schema["properties"] as OpenApi;
}

function nameOf({ name }: PropertyModel): string {
  return name;
}
