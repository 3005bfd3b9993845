import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import { sorted } from "../diagnostics/format.js";

/** One name that was written anew in a schema. */
export interface Repair {
  readonly span: Span;
  readonly before: string;
  readonly after: string;
}

/** The names that a first round would write anew; what names them follows. */
export function repairable(diagnostics: readonly Diagnostic[]): readonly Repair[] {
  return repairsOf(diagnostics, new Map(), new Set());
}

/** The names that a round writes anew: those that break a rule, and those that name what an earlier round has renamed. */
export function repairsOf(
  diagnostics: readonly Diagnostic[],
  names: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): readonly Repair[] {
  const repairs = sorted(diagnostics).flatMap((found): Repair[] => {
    const { replacement, source, span } = found;
    const before = nameAt(found);
    if (before === null) return [];
    if (replacement !== null) {
      return isWritten(replacement, source) ? [] : [{ span, before, after: replacement }];
    }
    if (known.has(keyOf(found))) return [];
    // Nothing has this name any more, since an earlier round gave what it meant another one.
    const former = before.replace(/^-/, "");
    const after = names.get(former);
    return after === undefined ? [] : [{ span, before: former, after }];
  });
  // Two names that only differ in how they are written would become one.
  return repairs.filter(
    ({ span, before, after }) =>
      !repairs.some(
        (other) =>
          other.span.file === span.file && other.after === after && other.before !== before,
      ),
  );
}

/** A diagnostic without its place, which moves while a line is mended. */
export function keyOf({ code, message, span: { file } }: Diagnostic): string {
  return `${file} ${code} ${message}`;
}

/** The name that a diagnostic covers, without quotes; null where it covers something else. */
function nameAt({ span, source }: Diagnostic): string | null {
  if (span.line !== span.endLine) return null;
  const line = source.split("\n", span.line)[span.line - 1] ?? "";
  const written = line.slice(span.column - 1, span.endColumn - 1);
  const quoted = /^(["'])([^"'\\]+)\1$/.exec(written)?.[2];
  return quoted ?? (/^[^"'#:,{}[\]\\]+$/.test(written) ? written : null);
}

/** Whether a name is a key or a value of a text already; what a resource is called, or leads to, has another meaning. */
function isWritten(name: string, text: string): boolean {
  // A conforming name holds letters and digits only.
  return new RegExp(`(?<![\\w-])${name}["']?\\s*(?:[:,\\]}#]|$)`, "m").test(
    text.replaceAll(/(?:reference|resource|entity|parent|represents)["']?\s*:\s*\S+/g, ""),
  );
}
