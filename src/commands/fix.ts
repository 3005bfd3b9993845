import { join } from "node:path";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import { sorted } from "../diagnostics/format.js";
import type { Environment } from "./environment.js";
import { validate } from "./validate.js";

/** One name that was written anew in a schema. */
export interface Repair {
  readonly span: Span;
  readonly before: string;
  readonly after: string;
}

/** A name that is mended can be named elsewhere in its project, and that elsewhere: no schema nests deeper. */
const ROUNDS = 10;

/**
 * Mends in the schemas what only has to be written differently: names that break a rule of naming (NAM-2 to NAM-5), and
 * the places that name them. Nothing else of a file changes. Leaves alone what a person has to decide.
 */
export async function fix(env: Environment): Promise<readonly Repair[]> {
  const done: Repair[] = [];
  const names = new Map<string, string>();
  let known: ReadonlySet<string> = new Set();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { diagnostics } = await validate(env);
    const repairs = repairsOf(diagnostics, names, known);
    if (repairs.length === 0) break;
    for (const { before, after } of repairs) names.set(before, after);
    if (round === 1) known = new Set(diagnostics.map(keyOf));
    const written = writeRepairs(env, repairs);
    if (written.length === 0) break;
    done.push(...written);
  }
  return done;
}

/** The names that a first round would write anew; what names them follows. */
export function repairable(diagnostics: readonly Diagnostic[]): readonly Repair[] {
  return repairsOf(diagnostics, new Map(), new Set());
}

function repairsOf(
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
function keyOf({ code, message, span: { file } }: Diagnostic): string {
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

function writeRepairs({ files, root }: Environment, repairs: readonly Repair[]): readonly Repair[] {
  const paths = [...new Set(repairs.map(({ span }) => span.file))];
  return paths.flatMap((path) => {
    const file = join(root, path);
    // A file that is elsewhere is not the project's to change.
    if (files.lstat(file)?.kind !== "file") return [];
    const inFile = repairs.filter(({ span }) => span.file === path);
    const draft = `${file}.fixed`;
    files.writeFile(draft, mended(files.readText(file), inFile));
    files.rename(draft, file);
    return inFile;
  });
}

/** A text with the names in their places; from the end, so that what comes before stays where it is. */
function mended(text: string, repairs: readonly Repair[]): string {
  // Places are those of the text without a byte order mark; a carriage return stands behind all of them.
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = text.slice(mark.length).split("\n");
  const backwards = [...repairs].sort(
    ({ span: a }, { span: b }) => b.line - a.line || b.column - a.column,
  );
  for (const { span, before, after } of backwards) {
    const line = lines[span.line - 1] ?? "";
    const [from, to] = [span.column - 1, span.endColumn - 1];
    const written = line.slice(from, to).replace(before, after);
    lines[span.line - 1] = line.slice(0, from) + written + line.slice(to);
  }
  return mark + lines.join("\n");
}
