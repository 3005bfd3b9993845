import { join } from "node:path";
import { stepsToMake } from "#kernel/store/apply-steps";
import { MIGRATION_FILES, migrationDigest } from "#kernel/store/migration-digest";
import type { MigrationFile } from "#kernel/store/migration-step";
import type { StorageModel } from "#kernel/store/storage-model";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { linkChain, NO_CHAIN, type Chain, type ChainMigration } from "./chain.js";
import { chainProblem } from "./chain-problem.js";

/** Where the migrations of a project stand. */
export const MIGRATIONS = "migrations";

/** `0002-rename-orders-fax` */
export const MIGRATION_NAME = /^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Reads all migrations of a project, in the order of their names; each has to fit those before it. */
export function readChain(files: FileSystem, root: string): Result<Chain> {
  const folder = join(root, MIGRATIONS);
  const status = files.lstat(folder);
  if (status === null) return success(NO_CHAIN);
  // `plan` tells what stands in the way of the folder.
  if (status.kind !== "directory") return success(NO_CHAIN);
  const migrations: ChainMigration[] = [];
  const problems: Diagnostic[] = [];
  for (const name of files.list(folder)) {
    if (files.lstat(join(folder, name))?.kind === "file") continue;
    const read = readMigration(files, folder, name);
    if (typeof read === "string")
      problems.push(chainProblem("SCH-147", name, { name, reason: read }));
    else migrations.push(read);
  }
  return problems.length > 0 ? failure(problems) : linkChain(migrations);
}

/** A migration, or why it cannot be read. */
function readMigration(files: FileSystem, folder: string, name: string): ChainMigration | string {
  const path = join(folder, name);
  if (files.lstat(path)?.kind !== "directory") return "it is not a folder";
  if (!MIGRATION_NAME.test(name)) {
    return "its name has to be four digits and then words in lower case, with hyphens between them";
  }
  const texts: Record<string, string> = {};
  for (const file of MIGRATION_FILES) {
    const status = files.lstat(join(path, file));
    if (status === null) continue;
    if (status.kind !== "file") return `its ${file} is not a file`;
    texts[file] = files.readText(join(path, file)).replaceAll("\r\n", "\n");
  }
  const missing = ["sqlite.sql", "postgres.sql"].find((file) => texts[file] === undefined);
  if (missing !== undefined) return `it has no ${missing}`;
  return parsed(name, texts);
}

function parsed(name: string, texts: Readonly<Record<string, string>>): ChainMigration | string {
  const around = { name, texts, digest: migrationDigest(texts) };
  try {
    if (texts["migration.json"] === undefined) return olderMigration(around);
    const file: unknown = JSON.parse(texts["migration.json"]);
    if (!isMigrationFile(file)) return "its migration.json is not one that generator makes";
    const { parents, parentDigests, steps, handWritten: isHandWritten = false } = file;
    const storage = isHandWritten ? null : file.storage;
    return { ...around, parents, parentDigests, steps, storage, isHandWritten };
  } catch {
    return "its JSON cannot be read";
  }
}

/** The first migration of a project that was made before there were others: its storage model says what it makes. */
function olderMigration(
  around: Pick<ChainMigration, "name" | "texts" | "digest">,
): ChainMigration | string {
  const text = around.texts["storage.json"];
  if (text === undefined) return "it has neither a migration.json nor a storage.json";
  // Generated, and edited by nobody: generator.lock has its hash.
  const steps = stepsToMake(JSON.parse(text) as StorageModel);
  const first = { parents: [], parentDigests: {}, storage: null, isHandWritten: false };
  return { ...around, ...first, steps };
}

function isMigrationFile(value: unknown): value is MigrationFile {
  if (typeof value !== "object" || value === null) return false;
  const { format, parents, parentDigests, steps } = value as Partial<Record<string, unknown>>;
  return (
    format === 1 &&
    Array.isArray(parents) &&
    typeof parentDigests === "object" &&
    Array.isArray(steps)
  );
}
