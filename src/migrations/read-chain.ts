import { join } from "node:path";
import { stepsToMake } from "./apply-steps.js";
import { MIGRATION_FILES, migrationDigest } from "./migration-digest.js";
import type { MigrationFile, MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { linkChain, NO_CHAIN, type Chain, type ChainMigration } from "./chain.js";
import { fileProblem } from "./chain-problem.js";
import { isColumnStep, isStepName } from "./step-names.js";

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
    if (typeof read === "string") problems.push(fileProblem("SCH-147", read, { file: read }));
    else migrations.push(read);
  }
  return problems.length > 0 ? failure(problems) : linkChain(migrations);
}

/** A migration, or the path of what keeps it from being one. */
function readMigration(files: FileSystem, folder: string, name: string): ChainMigration | string {
  const path = join(folder, name);
  const at = (file: string): string => `${MIGRATIONS}/${name}/${file}`;
  const isNamed = files.lstat(path)?.kind === "directory" && MIGRATION_NAME.test(name);
  if (!isNamed) return `${MIGRATIONS}/${name}`;
  const texts: Record<string, string> = {};
  for (const file of MIGRATION_FILES) {
    const status = files.lstat(join(path, file));
    if (status === null) continue;
    if (status.kind !== "file") return at(file);
    texts[file] = files.readText(join(path, file)).replaceAll("\r\n", "\n");
  }
  const missing = ["sqlite.sql", "postgres.sql"].find((file) => texts[file] === undefined);
  if (missing !== undefined) return at(missing);
  return parsed(name, texts) ?? at("migration.json");
}

/** Null where its JSON is not that of a migration. */
function parsed(name: string, texts: Readonly<Record<string, string>>): ChainMigration | null {
  const around = { name, texts, digest: migrationDigest(texts) };
  try {
    if (texts["migration.json"] === undefined) return olderMigration(around);
    const file: unknown = JSON.parse(texts["migration.json"]);
    if (!isMigrationFile(file)) return null;
    const { parents, parentDigests, steps, handWritten: isHandWritten = false } = file;
    const storage = isHandWritten ? null : file.storage;
    return { ...around, parents, parentDigests, steps, storage, isHandWritten };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The first migration of a project that was made before there were others: its storage model says what it makes. */
function olderMigration(
  around: Pick<ChainMigration, "name" | "texts" | "digest">,
): ChainMigration | null {
  const text = around.texts["storage.json"];
  if (text === undefined) return null;
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
    Array.isArray(steps) &&
    steps.every(isStep)
  );
}

/** Whether it has what every step has; whether it fits is seen when it is applied. */
function isStep(value: unknown): value is MigrationStep {
  if (typeof value !== "object" || value === null) return false;
  const { step, table, path } = value as Partial<Record<string, unknown>>;
  if (typeof step !== "string" || !isStepName(step)) return false;
  if (step === "createTable") return typeof table === "object" && table !== null;
  return typeof table === "string" && (!isColumnStep(step) || typeof path === "string");
}
