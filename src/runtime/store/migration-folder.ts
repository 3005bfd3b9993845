import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

import { StartRefusal } from "../base/errors.js";
import { hasToWait } from "./migration-script.js";
import type { Migration, StorageRecord } from "./migration.js";
import type { MigrationFile, MigrationStep } from "./migration-step.js";
import { storageFingerprint, type StorageModel } from "./storage-model.js";

/** What `tools/bundle.ts` defines: `migrationDigests` at the time of the build. Not declared in code that is no bundle. */
declare const BUILT_MIGRATIONS: Readonly<Record<string, string>>;
const built = typeof BUILT_MIGRATIONS === "undefined" ? null : BUILT_MIGRATIONS;

/**
 * The migrations of a folder, in order of their names; of a bundle, those that it was built with, since its code does not
 * know what later ones store. Throws `StartRefusal`.
 */
export async function readMigrations(folder: URL, dialect: string): Promise<readonly Migration[]> {
  const base = baseOf(folder);
  const names = built === null ? await folderNames(base) : await builtNames(base, built);
  return Promise.all(names.map((name) => readMigration(base, name, dialect)));
}

/** The names of the migrations that were made after the bundle was built. */
export async function laterMigrations(folder: URL): Promise<readonly string[]> {
  if (built === null) return [];
  return (await folderNames(baseOf(folder))).filter((name) => built[name] === undefined);
}

/** A SHA-256 of the files of each migration of a folder, by name. */
export async function migrationDigests(folder: URL): Promise<Readonly<Record<string, string>>> {
  const base = baseOf(folder);
  const digests = (await folderNames(base)).map(
    async (name) => [name, await digestOf(base, name)] as const,
  );
  return Object.fromEntries(await Promise.all(digests));
}

async function builtNames(
  base: URL,
  digests: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const names = Object.keys(digests).sort();
  for (const name of names) {
    const digest = await digestOf(base, name).catch(() => null);
    if (digest !== digests[name])
      throw new StartRefusal(
        `The folder migrations/${name} is not the one that this release was built with. Restore it, or run "npm run build".`,
      );
  }
  return names;
}

async function digestOf(base: URL, name: string): Promise<string> {
  const folder = new URL(`${encodeURIComponent(name)}/`, base);
  const files = (await readdir(folder)).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(JSON.stringify([file, await readText(folder, file)]));
  return hash.digest("hex");
}

function baseOf(folder: URL): URL {
  return folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
}

async function folderNames(base: URL): Promise<readonly string[]> {
  try {
    const entries = await readdir(base, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new StartRefusal(`The folder of the migrations cannot be read: ${base.pathname}.`, {
      cause: error,
    });
  }
}

async function readMigration(base: URL, name: string, dialect: string): Promise<Migration> {
  const folder = new URL(`${encodeURIComponent(name)}/`, base);
  const text = await readText(folder, `${dialect}.sql`).catch((error: unknown) => {
    throw new StartRefusal(`Migration ${name} has no ${dialect}.sql.`, { cause: error });
  });
  const digest = createHash("sha256").update(text).digest("hex");
  const script = scriptOf(text);
  // That of PostgreSQL says for both databases what has to wait: SQLite runs all of its own at once.
  const marked =
    dialect === "postgres" ? script : await readText(folder, "postgres.sql").catch(() => script);
  const retiresOlder = hasToWait(script) || hasToWait(scriptOf(marked));
  return { name, script, digest, retiresOlder, ...(await readStorage(folder, name)) };
}

/** Without what would hide a marker: a byte order mark, which some editors begin with, and line ends of CR alone. */
function scriptOf(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r", "\n");
}

/** Line ends may differ between check-outs of the same migration. */
async function readText(folder: URL, file: string): Promise<string> {
  return (await readFile(new URL(file, folder), "utf8")).replaceAll("\r\n", "\n");
}

/** What stands beside the scripts of a migration that is generated; one that is written by hand need not have it. */
async function readStorage(
  folder: URL,
  name: string,
): Promise<Pick<Migration, "steps" | "parents" | "storage">> {
  // Generated, and like every migration never edited.
  const file = (await readJson(folder, name, "migration.json")) as MigrationFile | null;
  if (file !== null) {
    const { steps, parents, handWritten = false } = file;
    return { steps, parents: handWritten ? [] : parents, storage: recordOf(file) };
  }
  // The first migration of an older service.
  const model = (await readJson(folder, name, "storage.json")) as StorageModel | null;
  if (model === null) return { steps: [], parents: [], storage: null };
  return {
    parents: [],
    steps: model.tables.map((table) => ({ step: "createTable", table })),
    storage: { fingerprint: storageFingerprint(model), model: JSON.stringify(model) },
  };
}

/** The names are all that a database has to know: what else there is follows from its migrations. */
function recordOf({ storage, steps }: MigrationFile): StorageRecord {
  const tables = steps.flatMap(madeTable).map((name) => ({ name }));
  return { fingerprint: storage, model: JSON.stringify({ tables }) };
}

function madeTable(step: MigrationStep): readonly string[] {
  if (step.step === "createTable") return [step.table.name];
  return step.step === "renameTable" ? [step.to] : [];
}

async function readJson(folder: URL, migration: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(new URL(file, folder), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new StartRefusal(`${file} of migration ${migration} cannot be read.`, { cause: error });
  }
}
