import { isScalar, parseDocument, type Document, type ErrorCode, type ParsedNode } from "yaml";
import { diagnostic, type Diagnostic, type Place } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import { LIMITS } from "./limits.js";
import { tooDeepAt } from "./nesting.js";
import { placeAt, type SchemaText } from "./schema-text.js";

/** Parses one YAML document and checks its syntax; `plainValue` checks its content. */
export function parseYaml(found: SchemaText): Result<ParsedNode> {
  const early = conflict(found) ?? tooDeep(found) ?? directive(found);
  if (early !== null) return failure([early]);
  const document = parse(found.text);
  if (document === null) return failure([deep(found, 0)]);
  const [error] = document.errors;
  if (error?.code === "RESOURCE_EXHAUSTION") return failure([deep(found, error.pos[0])]);
  if (error?.code === "MULTIPLE_DOCS") {
    return failure([diagnostic("SCH-3", placeAt(found, error.pos[0], error.pos[1]), {})]);
  }
  if (error !== undefined) {
    const said = sentence(error.message);
    const suggestion = CURES[error.code] ?? null;
    return failure([diagnostic("SCH-1", visible(found, error.pos), { said }, { suggestion })]);
  }
  if (document.contents === null || isNull(document.contents)) {
    const suggestion = "A resource file begins with `resource:`, service.yaml with `service:`.";
    return failure([diagnostic("SCH-2", placeAt(found, 0, 0), {}, { suggestion })]);
  }
  return success(document.contents);
}

/** The place of a mistake; one that was noticed at the end of the text is placed after the last visible character. */
function visible(found: SchemaText, [start, end]: readonly [number, number]): Place {
  if (found.text.slice(start).trim() !== "") return placeAt(found, start, end);
  const last = Math.max(0, found.text.trimEnd().length - 1);
  return placeAt(found, last, last + 1);
}

/** Advice for the most common mistakes. */
const CURES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BLOCK_IN_FLOW: "Put a string that contains a colon in quotes.",
  BLOCK_AS_IMPLICIT_KEY: "Put a string that contains a colon in quotes.",
  BAD_SCALAR_START: "Put the string in quotes.",
  TAB_AS_INDENT: "Indent with spaces.",
  BAD_INDENT: "Compare the indentation with the lines above.",
};

/** Null if the text is nested so deep that the parser runs out of stack. */
function parse(text: string): Document.Parsed | null {
  try {
    return parseDocument(text, {
      version: "1.2",
      merge: false,
      strict: true,
      prettyErrors: false,
      // The library's own check is quadratic: `plainValue` has a set.
      uniqueKeys: false,
      // "silent" would also hide a second document.
      logLevel: "error",
    });
  } catch {
    return null;
  }
}

function isNull(node: ParsedNode): boolean {
  return isScalar(node) && node.value === null;
}

/** What git writes where two branches have changed the same lines. */
function conflict(found: SchemaText): Diagnostic | null {
  const start = found.text.search(/^<{7} /m);
  if (start < 0 || !/^={7}\r?$/m.test(found.text) || !/^>{7} /m.test(found.text)) return null;
  const suggestion =
    "Take the text above =======, the text below it, or both, and remove the three marked lines.";
  return diagnostic("SCH-434", placeAt(found, start, start + 7), {}, { suggestion });
}

/** A `%` line before the document starts. */
function directive(found: SchemaText): Diagnostic | null {
  const match = /^(?:[ \t]*(?:#.*)?\n)*(%.*)/.exec(found.text);
  const line = match?.[1];
  if (match === null || line === undefined) return null;
  const start = match[0].length - line.length;
  const place = placeAt(found, start, start + line.length);
  return diagnostic(
    "SCH-4",
    place,
    { construct: "directives" },
    { suggestion: "Remove the line." },
  );
}

/** Refuses text that is nested far too deep before the parser recurses into it; `plainValue` counts exactly. */
function tooDeep(found: SchemaText): Diagnostic | null {
  const at = tooDeepAt(found.text, 3 * LIMITS.depth);
  return at === null ? null : deep(found, at);
}

function deep(found: SchemaText, at: number): Diagnostic {
  return diagnostic("SCH-123", placeAt(found, at, at + 1), { limit: LIMITS.depth });
}

/** The library's message as a part of a sentence: its first line, without the full stop. */
function sentence(message: string): string {
  const line = (message.split("\n")[0] ?? "").trim().replace(/[.:]+$/, "");
  return line.charAt(0).toLowerCase() + line.slice(1);
}
