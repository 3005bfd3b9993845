import { kindOf } from "../../kinds/kinds.js";
import type { PropertyModel, ResourceModel } from "../../model/service-model.js";
import { innerType, leavesOf } from "../nested.js";
import type { OpenApi } from "./document.js";

/** Parameters that every collection takes (QRY-5), and every POST (OPS-12) where there is one. */
export function commonParameters(creates: boolean): OpenApi {
  return {
    ...(creates && { IdempotencyKey: idempotencyKey() }),
    PageNumber: {
      name: "pageNumber",
      in: "query",
      description: "Which page to return; pages count from 1.",
      schema: { type: "integer", minimum: 1, default: 1 },
    },
  };
}

/** OPS-12: its form is the loosest one, so that a client may send the key in quotes or bare. */
function idempotencyKey(): OpenApi {
  return {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A name for this request that the caller has not used before, such as a UUID. The same request sent again " +
      "with it within 24 hours is answered as it was the first time, and creates nothing.",
    schema: { type: "string", minLength: 1, maxLength: 512, pattern: "^[!-~]+$" },
  };
}

/** The query parameters of a collection (QRY). */
export function listParameters(resource: ResourceModel): readonly OpenApi[] {
  const { defaultSize, maximumSize } = resource.paging;
  const leaves = leavesOf(resource.properties);
  return [
    ...leaves.filter(({ filterable }) => filterable).map(filterParameter),
    sortParameter(leaves.filter(({ sortable }) => sortable)),
    {
      name: "pageSize",
      in: "query",
      description: "The most results on a page.",
      schema: { type: "integer", minimum: 1, maximum: maximumSize, default: defaultSize },
    },
    { $ref: "#/components/parameters/PageNumber" },
  ];
}

/** QRY-1 to QRY-3 */
function filterParameter({ path, type }: PropertyModel): OpenApi {
  const inner = innerType(type);
  const { type: shown, enum: values, format } = kindOf(inner).jsonSchema(inner, "answer");
  const what = type.kind === "array" ? "which hold the value" : "with the value";
  return {
    name: path,
    in: "query",
    description: `Only those ${what}; given more than once: any of the values. Empty: ${type.kind === "array" ? "[]" : "null"}.`,
    allowEmptyValue: true,
    schema: {
      type: "array",
      items: {
        type: shown,
        ...(values !== undefined && { enum: values }),
        ...(format !== undefined && { format }),
      },
    },
  };
}

/** QRY-4 */
function sortParameter(leaves: readonly PropertyModel[]): OpenApi {
  const names = [...leaves.map(({ path }) => path), "createdDate", "lastModifiedDate"];
  return {
    name: "sort",
    in: "query",
    description: "What to sort by; `-` means descending, and the first takes precedence.",
    explode: false,
    schema: {
      type: "array",
      minItems: 1,
      items: { type: "string", enum: names.flatMap((name) => [name, `-${name}`]) },
    },
  };
}
