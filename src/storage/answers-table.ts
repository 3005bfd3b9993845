import type { StoredTable } from "#runtime/store/storage-model";
import { textColumn, timeColumn } from "./own-columns.js";

const NAME = "idempotency_key_answers";

/** OPS-12: answers to requests with a key. No table of a resource has underscores before its properties begin. */
export const ANSWERS_TABLE: StoredTable = {
  name: NAME,
  holds: "answers",
  columns: [
    textColumn("key_digest"),
    textColumn("body_digest"),
    textColumn("head"),
    { ...textColumn("body"), nullable: true },
    timeColumn("created_date"),
  ],
  primaryKey: ["key_digest"],
  foreignKeys: [],
  indexes: [
    {
      name: `${NAME}_created_date`,
      unique: false,
      searches: "order",
      terms: ["created_date", "key_digest"],
      databases: ["sqlite", "postgres"],
    },
  ],
};
