import type { ForeignKey, StoredTable } from "#kernel/store/storage-model";
import { innerType } from "../model/leaves.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceTarget } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceName } from "../naming/resource-name.js";
import { identifierColumn } from "./own-columns.js";
import { shortName } from "./short-name.js";

/** The keys of the references that are not lists; nothing makes sure where a reference to another service leads. */
export function foreignKeys({ name, properties }: EntityModel): readonly ForeignKey[] {
  return internalReferences(properties)
    .filter(({ isList }) => !isList)
    .map(({ property, target }) => foreignKey(name.table, property.name, target.name));
}

/** A table for each list of references, with a row for each member. */
export function linkTables({ name, properties }: EntityModel): readonly StoredTable[] {
  return internalReferences(properties)
    .filter(({ isList }) => isList)
    .map(({ property, target }) => linkTable(name, property, target));
}

/** The name of the table of a list of references. */
export function linkName(table: string, property: string): string {
  return `${table}_${property}`;
}

function linkTable(
  owner: ResourceName,
  property: PropertyModel,
  target: ReferenceTarget,
): StoredTable {
  const name = linkName(owner.table, property.name);
  return {
    name,
    holds: "links",
    columns: [identifierColumn("owner_id"), identifierColumn("other_id")],
    primaryKey: ["owner_id", "other_id"],
    foreignKeys: [
      { ...foreignKey(name, "owner_id", owner), onDelete: "cascade" },
      foreignKey(name, "other_id", target.name),
    ],
    indexes: [
      {
        name: shortName(`${name}_index`),
        unique: false,
        searches: "order",
        terms: ["other_id"],
        databases: ["sqlite", "postgres"],
      },
    ],
  };
}

function foreignKey(
  table: string,
  column: string,
  { table: other, idProperty }: ResourceName,
): ForeignKey {
  const name = shortName(`${table}_${column}_reference`);
  return { name, column, table: other, key: idProperty, onDelete: "refuse" };
}

interface InternalReference {
  readonly property: PropertyModel;
  readonly target: ReferenceTarget;
  readonly isList: boolean;
}

function internalReferences(properties: readonly PropertyModel[]): InternalReference[] {
  return properties.flatMap((property) => {
    const inner = innerType(property.type);
    const target = inner.kind === "reference" ? inner.target : null;
    const isList = property.type.kind === "array";
    return target === null ? [] : [{ property, target, isList }];
  });
}
