import type { HeldValue, StorageModel, StoredValue } from "#runtime/store/storage-model";

/** What was retired stands in the database as well, and its values are looked at when it is restored. */
export function withRetired({ format, tables, retired = [] }: StorageModel): StorageModel {
  const all = (
    columns: readonly StoredValue[] = [],
    kept: readonly StoredValue[] = [],
  ): StoredValue[] => [...columns, ...kept].map((column) => ({ ...column, ...whole(column) }));
  const whole = (held: HeldValue): HeldValue => {
    const { members, retired: kept, items } = held.encoding;
    const inside = {
      ...(members && { members: all(members, kept) }),
      ...(items && { items: whole(items) }),
    };
    return { ...held, encoding: { ...held.encoding, ...inside } };
  };
  const present = [...tables, ...retired];
  return {
    format,
    tables: present.map((table) => ({ ...table, columns: all(table.columns, table.retired) })),
  };
}

/** What stands at a path of a model, an item of a list as well; null where nothing does. */
export function heldAt(model: StorageModel, at: StoredPlace): HeldValue | null {
  const held = columnAt(model, { ...at, path: at.path.replace(/\[\]$/, "") });
  return (at.path.endsWith("[]") ? held?.encoding.items : held) ?? null;
}

interface StoredPlace {
  readonly table: string;
  readonly path: string;
}

/** The column at a path of a model, or the member of an object; null where nothing stands there. */
export function columnAt(model: StorageModel, { table, path }: StoredPlace): StoredValue | null {
  let found: StoredValue | undefined;
  let among = model.tables.find(({ name }) => name === table)?.columns ?? [];
  for (const step of path.split(".")) {
    found = among.find(({ name }) => name === step.replace(/\[\]$/, ""));
    const held = step.endsWith("[]") ? found?.encoding.items : found;
    among = held?.encoding.members ?? [];
  }
  return found ?? null;
}
