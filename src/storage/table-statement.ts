import type { StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../naming/encoders.js";

/** One statement that makes a part of a table that is a copy of others: of searched texts, or of items. */
export interface TableStatement {
  readonly what: string;
  readonly lines: readonly string[];
}

/** How such a table refers to the entities that it is copied from. */
export function ownerClause({ foreignKeys: [key] }: StoredTable): string {
  return `REFERENCES ${sqlName(key?.table ?? "")} (${sqlName(key?.key ?? "")}) ON DELETE CASCADE`;
}
