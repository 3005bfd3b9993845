import { sha256 } from "../files/hash.js";

/** The files of a migration's folder that count, sorted. Those made before `migration.json` have a `storage.json`. */
export const MIGRATION_FILES = [
  "migration.json",
  "postgres.sql",
  "sqlite.sql",
  "storage.json",
] as const;

/** The SHA-256 of a migration, in hex. `texts` are its files by name; line ends may differ between check-outs. */
export function migrationDigest(texts: Readonly<Record<string, string>>): string {
  const lines = MIGRATION_FILES.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [`${name} ${sha256(text.replaceAll("\r\n", "\n"))}\n`];
  });
  return sha256(lines.join(""));
}
