import { join } from "node:path";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { isInside } from "../files/is-inside.js";
import { LIMITS } from "./limits.js";
import { placeOfFile } from "./schema-text.js";

/** The bytes of a regular file in the project, within the size limit; symbolic links inside the project are followed (G6, G9). */
export function readSource(files: FileSystem, root: string, path: string): Result<Uint8Array> {
  const real = followed(files, root, join(root, path));
  if (real === null) {
    const suggestion = "Copy the file, or link to a file inside the project.";
    return failure([diagnostic("SCH-113", placeOfFile(path), { path }, { suggestion })]);
  }
  const status = files.lstat(real);
  if (status === null || status.kind !== "file") {
    return failure([diagnostic("SCH-24", placeOfFile(path), { path })]);
  }
  if (status.size > LIMITS.fileBytes) return failure([tooLarge(path, status.size)]);
  try {
    const bytes = files.readBytes(real);
    return bytes.length > LIMITS.fileBytes
      ? failure([tooLarge(path, bytes.length)])
      : success(bytes);
  } catch (error) {
    return failure([diagnostic("SCH-114", placeOfFile(path), { path, error: codeOf(error) })]);
  }
}

function tooLarge(path: string, size: number): Diagnostic {
  const given = { what: "The file", size, limit: LIMITS.fileBytes, unit: "bytes" };
  return diagnostic("SCH-6", placeOfFile(path), given);
}

/** The path with links followed, or null when a link leaves the project, is broken or is part of a loop. */
export function followed(files: FileSystem, root: string, path: string): string | null {
  try {
    const real = files.realPath(path);
    return isInside(files.realPath(root), real) ? real : null;
  } catch {
    return null;
  }
}

/** The error code of the operating system: `EACCES`. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
