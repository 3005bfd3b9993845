import { StartRefusal } from "../base/errors.js";
import type { Database } from "./database.js";
import type { Migration, RecordedMigration, StorageRecord } from "./migration.js";
import { harmfulChanges, storageDifferences } from "./storage-differences.js";
import type { StorageModel } from "./storage-model.js";

type Where = Pick<Database, "name">;

/** More of them would hide what to do. */
const MOST_CHANGES = 8;

/**
 * Refuses a database whose values would be misread. True where it was made under another storage model that means the
 * same, and this one is to be put on record: only the first migration of an older service has such a model.
 * Throws `StartRefusal`.
 */
export function checkStorage(
  database: Where,
  { storage }: Migration,
  recorded: RecordedMigration,
): boolean {
  if (storage === null) return false;
  if (recorded.storage === null) {
    throw new StartRefusal(
      "The database was made by a release of the generator that did not record how values are stored. " +
        `They might be read differently from how they were written. ${wayOut(database)}`,
    );
  }
  if (recorded.storage.fingerprint === storage.fingerprint) return false;
  const [before, after] = [read(recorded.storage), read(storage)];
  if (before === null || after === null) return false;
  const changes = harmfulChanges(storageDifferences(before, after));
  if (changes.length > 0) {
    throw new StartRefusal(
      `The database was made for other schemas: ${listed(changes)}. ${wayOut(database)}`,
    );
  }
  return true;
}

function listed(changes: readonly string[]): string {
  const rest = changes.length - MOST_CHANGES;
  const shown = changes.slice(0, MOST_CHANGES).join("; ");
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}

function wayOut(database: Where): string {
  return `${resetAdvice(database)}; otherwise start the release that it was made for.`;
}

/** What a user in development does with a database that is refused. */
export function resetAdvice({ name }: Where): string {
  return `In development "npm run db:reset -- ${name}" deletes it and everything in it`;
}

/** Null where only the names of tables are on record. */
function read({ model }: StorageRecord): StorageModel | null {
  // Written by a service when it applied the migration, or just read from its folder.
  const read = JSON.parse(model) as Partial<StorageModel>;
  return read.format === undefined ? null : (read as StorageModel);
}
