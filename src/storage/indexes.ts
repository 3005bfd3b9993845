import type { StoredIndex } from "#kernel/store/storage-model";
import { innerType, leavesOf } from "../model/leaves.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { shortName } from "./short-name.js";

/** PostgreSQL refuses an entry of a B-tree of more than 2,704 bytes: 4 for each character, and the identifier. */
const INDEXED_CHARACTERS = 600;

const BOTH = ["sqlite", "postgres"] as const;

/**
 * A unique property gets a unique index; one that is filtered, sorted or referred by gets an index that ends on the
 * identifier, as every sort does (QRY-4).
 */
export function indexesOf(entity: EntityModel): readonly StoredIndex[] {
  return [
    ...entity.properties.flatMap(keptLeaves).flatMap((leaf) => leafIndexes(entity, leaf)),
    ...commonIndexes(entity),
  ];
}

/** A leaf, and where it is kept: in a column, or in a JSON one. */
interface KeptLeaf {
  readonly leaf: PropertyModel;
  readonly term: string;
  /** It leads to another table of this service. */
  readonly isInternal: boolean;
}

/** What is embedded of another is kept, and indexed, in the other's table. */
function keptLeaves(property: PropertyModel): KeptLeaf[] {
  const inner = innerType(property.type);
  const isInternal = inner.kind === "reference" && inner.target !== null;
  const leaves = leavesOf([property]);
  if (inner.kind !== "reference") {
    return leaves.map((leaf) => ({ leaf, term: leaf.path, isInternal }));
  }
  // The first leaf of a reference is its identifier, which its column holds.
  return leaves.slice(0, 1).map((leaf) => ({ leaf, term: property.name, isInternal }));
}

function leafIndexes(
  { name, queried }: EntityModel,
  { leaf, term, isInternal }: KeptLeaf,
): StoredIndex[] {
  const { path, unique, type } = leaf;
  if (!unique && !isInternal && !queried.includes(path)) return [];
  const index = shortName(`${name.table}_${path.replaceAll(".", "_")}_index`);
  const ordered = { name: index, unique, searches: "order", databases: BOTH } as const;
  if (unique) return [{ ...ordered, terms: [term] }];
  if (type.kind === "array") {
    // No index of SQLite serves a search through JSON.
    return [{ ...ordered, searches: "content", terms: [term], databases: ["postgres"] }];
  }
  // Without an index a filter by a long text is slower; with one PostgreSQL could not store the text.
  const isLong = type.kind === "string" && type.maxLength > INDEXED_CHARACTERS;
  const databases = isLong ? (["sqlite"] as const) : BOTH;
  return [{ ...ordered, terms: [term, name.idProperty], databases }];
}

/** The dates are sortable (QRY-4); who created an entity is a filter where owners see their own only (AUT-2). */
function commonIndexes({ name, isFilteredByCreator }: EntityModel): StoredIndex[] {
  const columns = [
    "created_date",
    "last_modified_date",
    ...(isFilteredByCreator ? ["created_subject_id"] : []),
  ];
  return columns.map((column) => ({
    // Without the ending that the index of a nested property `created.date` has.
    name: shortName(`${name.table}_${column}`),
    unique: false,
    searches: "order",
    terms: [column, name.idProperty],
    databases: BOTH,
  }));
}
