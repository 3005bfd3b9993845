import { join } from "node:path";
import type { Environment } from "./environment.js";
import { keyOf, repairsOf, type Repair } from "./repairs.js";
import { validate } from "./validate.js";

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
