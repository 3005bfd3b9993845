import type { EntityModel } from "../model/entity-model.js";
import { ANSWERS_TABLE } from "./answers-table.js";
import { eventTables } from "./event-tables.js";
import { indexesOf } from "./indexes.js";
import { linkedReferences } from "./references.js";
import { itemsOf, itemTables } from "./item-tables.js";
import { indexOf, searchedPath, searchTables } from "./search-tables.js";

/** A name that two things of the storage would have; a link table is named after a property. */
export interface NameClash {
  readonly name: string;
  readonly entity: EntityModel;
  /** Of the property whose references have a table; null where none has part in it. */
  readonly path: string | null;
  /** What else has the name, in words. */
  readonly other: string;
}

/** Tables that the runtime creates, in `postgres/history.ts`, `sqlite/migrations.ts` and `releases.ts` of its `store`. */
const BOOKKEEPING = [
  ...["schema_migrations", "schema_storage", "schema_progress", "schema_lock"],
  ...["schema_statements", "schema_releases", "schema_fence"],
];

/** Nothing in a database of SQLite may be called so: the indexes of a resource `sqlite` would be. */
const RESERVED = "sqlite_";

interface Named {
  readonly name: string;
  readonly what: string;
  readonly entity: EntityModel | null;
  readonly path: string | null;
  /** PostgreSQL names the index of a primary key, and gives it another name where that is in use. */
  readonly isPrimaryKey?: boolean;
}

/** Finds tables and indexes that have one name: both databases keep them in one name space, SQLite whatever the case. */
export function nameClashes(entities: readonly EntityModel[]): readonly NameClash[] {
  const seen = new Map<string, Named>();
  const clashes: NameClash[] = [];
  for (const named of [...ownNames(), ...entities.flatMap(namesOf)]) {
    const key = named.name.toLowerCase();
    const before = seen.get(key.startsWith(RESERVED) ? RESERVED : key);
    if (before === undefined) {
      seen.set(key, named);
      continue;
    }
    if (named.isPrimaryKey === true) continue;
    // A property can be given another name, an index that every table has cannot.
    const [mine, other] =
      named.path === null && before.path !== null ? [before, named] : [named, before];
    if (mine.entity === null) continue;
    clashes.push({ name: mine.name, entity: mine.entity, path: mine.path, other: other.what });
  }
  return clashes;
}

function ownNames(): readonly Named[] {
  const tables = [ANSWERS_TABLE, ...eventTables(false)];
  const kept = tables.flatMap(({ name, indexes }) => [name, ...indexes.map((one) => one.name)]);
  const all = [...BOOKKEEPING, ...kept].map((name) => ({
    ...{ name, what: "what the service keeps beside its entities" },
    ...{ entity: null, path: null },
  }));
  return [...all, { name: RESERVED, what: "what SQLite keeps itself", entity: null, path: null }];
}

function namesOf(entity: EntityModel): readonly Named[] {
  const { table } = entity.name;
  const of = `of ${entity.name.plural}`;
  return [
    { name: table, what: `the table ${of}`, entity, path: null },
    {
      ...{ name: primaryKey(table), what: `the primary key ${of}`, entity, path: null },
      isPrimaryKey: true,
    },
    ...indexesOf(entity).map(({ name }) => ({ name, what: `an index ${of}`, entity, path: null })),
    ...searchTables(entity).flatMap((search) => {
      const what = `what is searched ${of}`;
      const path = searchedPath(search);
      return [search.name, indexOf(search)].map((name) => ({ name, what, entity, path }));
    }),
    ...itemTables(entity).flatMap((items) => {
      const what = `the items of a list ${of}`;
      const names = [items.name, ...items.indexes.map(({ name }) => name)];
      return names.map((name) => ({ name, what, entity, path: itemsOf(items)?.path ?? null }));
    }),
    ...linkedReferences(entity).flatMap(({ path, table: { name: link, indexes } }) => {
      const what = `the table of the references \`${path}\` ${of}`;
      return [link, ...indexes.map(({ name }) => name)].map((name) => ({
        ...{ name, what, entity, path },
      }));
    }),
  ];
}

/** The name that PostgreSQL gives the index of a primary key: cut so that it has 63 bytes. */
function primaryKey(table: string): string {
  return `${table.slice(0, 63 - "_pkey".length)}_pkey`;
}
