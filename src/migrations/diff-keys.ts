import type { ForeignKey, StoredIndex, StoredTable } from "#runtime/store/storage-model";
import type { Draft } from "./draft.js";

/** Drops the foreign keys and indexes of a table that are not wanted; all keys of a table that goes. */
export function dropKeys(draft: Draft, table: StoredTable, wanted: StoredTable | undefined): void {
  const { name, foreignKeys, indexes } = table;
  for (const key of foreignKeys) {
    if (wanted?.foreignKeys.some((one) => keyFacts(one) === keyFacts(key)) === true) continue;
    draft.add({ step: "dropForeignKey", table: name, foreignKey: key.name });
  }
  if (wanted === undefined) return;
  for (const index of indexes) {
    if (wanted.indexes.some((one) => indexFacts(one) === indexFacts(index))) continue;
    draft.add({ step: "dropIndex", table: name, index: index.name });
  }
}

/** Gives a table the foreign keys and indexes that it lacks, and those that it has their names. */
export function makeKeys(draft: Draft, wanted: StoredTable): void {
  const { name } = wanted;
  const table = draft.table(name);
  if (table === undefined) return;
  const keys = paired(table.foreignKeys, wanted.foreignKeys, keyFacts);
  const indexes = paired(table.indexes, wanted.indexes, indexFacts);
  for (const { from, to } of inOrder(keys.renamed)) {
    draft.add({ step: "renameForeignKey", table: name, foreignKey: from, to });
  }
  for (const { from, to } of inOrder(indexes.renamed)) {
    draft.add({ step: "renameIndex", table: name, index: from, to });
  }
  draft.add(
    ...keys.added.map(
      (foreignKey) => ({ step: "addForeignKey", table: name, foreignKey }) as const,
    ),
    ...indexes.added.map((index) => ({ step: "addIndex", table: name, index }) as const),
  );
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

function paired<Item extends { readonly name: string }>(
  before: readonly Item[],
  after: readonly Item[],
  facts: (item: Item) => string,
): { readonly renamed: readonly Renaming[]; readonly added: readonly Item[] } {
  const known = new Map(before.map((item) => [facts(item), item.name]));
  const renamed = after.flatMap((item) => {
    const from = known.get(facts(item));
    return from === undefined || from === item.name ? [] : [{ from, to: item.name }];
  });
  return { renamed, added: after.filter((item) => !known.has(facts(item))) };
}

/** One whose new name another still has comes after that other. */
function inOrder(renamings: readonly Renaming[]): readonly Renaming[] {
  const waiting = [...renamings];
  const ordered: Renaming[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex(({ to }) => !waiting.some(({ from }) => from === to));
    ordered.push(...waiting.splice(Math.max(free, 0), 1));
  }
  return ordered;
}

/** All that a key is, but its name. */
function keyFacts({ name: _name, ...key }: ForeignKey): string {
  return JSON.stringify([key.column, key.table, key.key, key.onDelete]);
}

function indexFacts({ name: _name, descending = [], ...index }: StoredIndex): string {
  return JSON.stringify([index.unique, index.searches, index.terms, descending, index.databases]);
}
