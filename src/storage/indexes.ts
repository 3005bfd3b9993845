import type { StoredIndex } from "#runtime/store/storage-model";
import { innerType, leavesOf } from "../model/leaves.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { isNested } from "../model/references.js";
import { CREATOR } from "../model/common-leaves.js";
import type { EntityModel, IndexModel } from "../model/entity-model.js";
import { TENANT } from "./own-columns.js";
import { foreignKeys } from "./references.js";
import { shortName } from "./short-name.js";

/** PostgreSQL refuses an entry of a B-tree of more than 2,704 bytes: 4 for each character, and the identifier. */
const INDEXED_CHARACTERS = 600;

const BOTH = ["sqlite", "postgres"] as const;
const SQLITE = ["sqlite"] as const;

/** The columns of the common fields, by their paths. */
const COMMON_TERMS: Readonly<
  Record<string, { readonly column: string; readonly isDate: boolean }>
> = {
  createdDate: { column: "created_date", isDate: true },
  lastModifiedDate: { column: "last_modified_date", isDate: true },
  [CREATOR]: { column: "created_subject_id", isDate: false },
  "createdSubject.userPrincipalName": { column: "created_user_principal_name", isDate: false },
  "lastModifiedSubject.subjectId": { column: "last_modified_subject_id", isDate: false },
  "lastModifiedSubject.userPrincipalName": {
    column: "last_modified_user_principal_name",
    isDate: false,
  },
};

/**
 * A unique property gets a unique index; one that is filtered, sorted or referred by gets an index that ends on the
 * identifier, as every sort does (QRY-4). Then come those of several: of aliases, and those that the schema declares.
 */
export function indexesOf(entity: EntityModel): readonly StoredIndex[] {
  const single = [
    ...entity.properties.flatMap(keptLeaves).flatMap((leaf) => leafIndexes(entity, leaf)),
    ...commonIndexes(entity),
  ];
  const several = entity.indexes.map((keys) => keysIndex(entity, keys));
  const all = [
    ...single,
    ...several.filter((index) => !single.some((other) => isSame(index, other))),
    ...entity.uniqueTogether.map((names) => togetherIndex(entity, names)),
  ];
  return entity.tenant === null ? all : withTenant(entity, all);
}

/**
 * AUT-4: every list is that of one tenant, and unique values are unique in it. A reference is enough by itself, and so is what
 * the lists of other entities look up.
 */
function withTenant(entity: EntityModel, indexes: readonly StoredIndex[]): readonly StoredIndex[] {
  const { idProperty, table } = entity.name;
  const name = shortName(`${table}_${TENANT}`);
  const compared = entity.comparedByOthers.map(
    (path) => COMMON_TERMS[path]?.column ?? path.split(".")[0],
  );
  const keys = [...foreignKeys(entity).map(({ column }) => column), ...compared].map(
    (column) => `${column} ${idProperty}`,
  );
  return [
    { name, unique: false, searches: "order", terms: [TENANT, idProperty], databases: BOTH },
    ...indexes.map((index): StoredIndex => {
      if (index.searches === "content" || keys.includes(index.terms.join(" "))) return index;
      const descending = index.descending?.map((place) => place + 1);
      const terms = [TENANT, ...index.terms];
      return { ...index, terms, ...(descending && { descending }) };
    }),
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
  if (property.type.kind === "object") return property.type.properties.flatMap(keptLeaves);
  const leaves = leavesOf([property]);
  if (inner.kind !== "reference") {
    return leaves.map((leaf) => ({ leaf, term: leaf.path, isInternal: false }));
  }
  // What stands inside JSON is looked for in a table of links.
  const isInternal = inner.target !== null && !isNested(property.path);
  // The first leaf of a reference is its identifier, which is all that is kept of it.
  return leaves.slice(0, 1).map((leaf) => ({ leaf, term: property.path, isInternal }));
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
  const databases = isIndexedText(leaf) ? BOTH : SQLITE;
  return [{ ...ordered, terms: [term, name.idProperty], databases }];
}

/** Without an index a filter by a long text is slower; with one PostgreSQL could not store the text. */
export function isIndexedText({ type }: PropertyModel): boolean {
  return type.kind !== "string" || type.maxLength <= INDEXED_CHARACTERS;
}

/** The dates are sortable (QRY-4); who wrote an entity is a filter where owners see their own (AUT-2), or where it is opened (QRY-1). */
function commonIndexes({ name, isFilteredByCreator, queried }: EntityModel): StoredIndex[] {
  const subjects = Object.entries(COMMON_TERMS).filter(
    ([path, { isDate }]) =>
      !isDate && (queried.includes(path) || (path === CREATOR && isFilteredByCreator)),
  );
  return [...Object.entries(COMMON_TERMS).filter(([, { isDate }]) => isDate), ...subjects].map(
    ([path, { column }]) => ({
      // Without the ending that the index of a nested property `created.date` has.
      name: shortName(`${name.table}_${column}`),
      unique: false,
      searches: "order",
      terms: [column, name.idProperty],
      databases: path.endsWith(".userPrincipalName") ? SQLITE : BOTH,
    }),
  );
}

/** An index of several terms; it is called after them, so that those of two aliases are one where they are the same. */
function keysIndex({ name, properties }: EntityModel, keys: IndexModel): StoredIndex {
  const kept = properties.flatMap(keptLeaves);
  const terms = keys.map(({ path }) => {
    const found = kept.find(({ leaf }) => leaf.path === path);
    return { term: found?.term ?? COMMON_TERMS[path]?.column ?? path, leaf: found?.leaf };
  });
  // No name of a property has an underscore.
  const words = keys.map(
    ({ path, descending }) => path.replaceAll(".", "_") + (descending ? "__desc" : ""),
  );
  const descending = keys.flatMap((key, place) => (key.descending ? [place] : []));
  // The index that keeps a property unique has the name without it, and no identifier.
  if (keys.length === 1 && terms[0]?.leaf?.unique === true) words.push("_id");
  const characters = terms.reduce((sum, { leaf }) => sum + charactersOf(leaf), 0);
  return {
    name: shortName(`${name.table}_${words.join("_")}_index`),
    unique: false,
    searches: "order",
    terms: [...terms.map(({ term }) => term), name.idProperty],
    ...(descending.length > 0 && { descending }),
    databases: characters > INDEXED_CHARACTERS ? SQLITE : BOTH,
  };
}

/** What a text adds to an entry of an index. */
function charactersOf(leaf: PropertyModel | undefined): number {
  return leaf?.type.kind === "string" ? leaf.type.maxLength : 0;
}

function togetherIndex({ name }: EntityModel, names: readonly string[]): StoredIndex {
  const index = shortName(`${name.table}_${names.join("_")}_unique`);
  return { name: index, unique: true, searches: "order", terms: names, databases: BOTH };
}

/** Whether two indexes lead to the same order. */
function isSame(one: StoredIndex, other: StoredIndex): boolean {
  const order = ({ terms, searches, descending = [] }: StoredIndex): string =>
    JSON.stringify([searches, terms, descending]);
  return order(one) === order(other);
}
