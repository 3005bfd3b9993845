import type { ForeignKey, StorageModel, StoredTable } from "#runtime/store/storage-model";
import { referencesOf, type Holder } from "../model/references.js";
import type { ReferenceTarget } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceName } from "../naming/resource-name.js";
import { identifierColumn } from "./own-columns.js";
import { shortName } from "./short-name.js";

/** The keys of the references that have columns; nothing makes sure where a reference to another service leads. */
export function foreignKeys(entity: EntityModel): readonly ForeignKey[] {
  return internalReferences(entity)
    .filter(({ isLinked }) => !isLinked)
    .map(({ path, target }) => foreignKey(entity.name.table, path, target.name));
}

/** A table for each list of references and for each that stands inside JSON, with a row for what it leads to. */
export function linkTables(entity: EntityModel): readonly StoredTable[] {
  return linkedReferences(entity).map(({ table }) => table);
}

/** The references that have a table of links, each by the path of its property. */
export function linkedReferences(
  entity: EntityModel,
): readonly { readonly path: string; readonly table: StoredTable }[] {
  return internalReferences(entity)
    .filter(({ isLinked }) => isLinked)
    .map(({ path, target }) => ({ path, table: linkTable(entity.name, path, target) }));
}

/** The name of the table of links of a reference; no two paths have the same, since no name of a property has an underscore. */
export function linkName(table: string, path: string): string {
  return shortName(`${table}_${path.replaceAll(".", "_")}`);
}

/** The table to which a reference leads; null where it has no key. */
export function targetOf({ tables }: StorageModel, table: string, path: string): string | null {
  const keyOf = (name: string, column: string): string | undefined =>
    tables.find((one) => one.name === name)?.foreignKeys.find((key) => key.column === column)
      ?.table;
  return keyOf(table, path) ?? keyOf(linkName(table, path), "other_id") ?? null;
}

function linkTable(owner: ResourceName, path: string, target: ReferenceTarget): StoredTable {
  const name = linkName(owner.table, path);
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
  readonly path: string;
  readonly target: ReferenceTarget;
  readonly isLinked: boolean;
}

function internalReferences(holder: Holder): InternalReference[] {
  return referencesOf(holder).flatMap(({ property: { path }, type: { target }, isLinked }) =>
    target === null ? [] : [{ path, target, isLinked }],
  );
}
