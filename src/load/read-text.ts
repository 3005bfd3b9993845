import { ADVICE } from "../diagnostics/advice.js";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { codePoint } from "../diagnostics/quoted.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import { placeAt, placeOfFile, SchemaText } from "./schema-text.js";

/** Decodes the bytes of a schema file; refuses invalid UTF-8 and invisible characters. */
export function readText(path: string, bytes: Uint8Array): Result<SchemaText> {
  const decoded = decode(bytes);
  if (decoded === null) {
    const suggestion = "Save it as UTF-8.";
    return failure([diagnostic("SCH-26", placeOfFile(path), {}, { suggestion })]);
  }
  const found = new SchemaText(path, decoded.replaceAll("\r\n", "\n"));
  const problem = loneReturn(found) ?? unseenCharacter(found);
  return problem === null ? success(found) : failure([problem]);
}

/** Finds control characters except line feed, carriage return and tab: `readText` and the check of each value refuse them. */
export const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Finds characters that change the text direction (CVE-2021-42574). */
export const BIDI = /[\u202a-\u202e\u2066-\u2069]/;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Null when the bytes are not UTF-8; a byte order mark is dropped. */
function decode(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

function loneReturn(found: SchemaText): Diagnostic | null {
  const at = found.text.indexOf("\r");
  if (at === -1) return null;
  const shown = new SchemaText(found.path, found.text.replaceAll("\r", "\n"));
  return diagnostic("SCH-27", placeAt(shown, Math.max(at - 1, 0), at), {});
}

function unseenCharacter(found: SchemaText): Diagnostic | null {
  const at = found.text.search(CONTROL);
  if (at !== -1) return unseen("SCH-22", found, at);
  const turned = found.text.search(BIDI);
  return turned === -1 ? null : unseen("SCH-23", found, turned);
}

function unseen(code: "SCH-22" | "SCH-23", found: SchemaText, at: number): Diagnostic {
  const character = codePoint(found.text.charAt(at));
  return diagnostic(code, placeAt(found, at, at + 1), { character }, { suggestion: ADVICE.remove });
}
