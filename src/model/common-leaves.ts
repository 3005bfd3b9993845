import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { CommonFieldYaml } from "../validate/resource-document.js";
import type { EntityModel } from "./entity-model.js";

/** The path of who made an entity. */
export const CREATOR = "createdSubject.subjectId";

/** A name that a token gives is cut nowhere, and is no longer. */
const LONGEST_NAME = 1000;

/** What a list can be filtered by where a resource opens its common fields (QRY-1). */
export function commonLeaves(opened: readonly CommonFieldYaml[]): PropertyModel[] {
  return opened.flatMap((field) =>
    field === "createdDate" || field === "lastModifiedDate"
      ? [commonLeaf(field, { kind: "timestamp" })]
      : [
          commonLeaf(`${field}.subjectId`, { kind: "uuid" }),
          commonLeaf(`${field}.userPrincipalName`, USER_PRINCIPAL_NAME),
        ],
  );
}

/** Those that some resource opens, so that own code can ask lists for them, too. */
export function queriedCommonLeaves({ queried }: EntityModel): PropertyModel[] {
  const all = commonLeaves([
    "createdDate",
    "createdSubject",
    "lastModifiedDate",
    "lastModifiedSubject",
  ]);
  return all.filter(({ path }) => queried.includes(path));
}

const USER_PRINCIPAL_NAME: PropertyType = {
  kind: "string",
  minLength: 1,
  maxLength: LONGEST_NAME,
  pattern: null,
  format: null,
};

function commonLeaf(path: string, type: PropertyType): PropertyModel {
  return {
    name: path.slice(path.lastIndexOf(".") + 1),
    path,
    description: "",
    type,
    nullable: false,
    default: null,
    example: null,
    deprecated: false,
    filterable: type.kind === "timestamp" ? "range" : true,
    sortable: false,
    unique: false,
    readOnly: true,
    immutable: false,
    sensitive: false,
    addedLater: false,
    filled: null,
  };
}
