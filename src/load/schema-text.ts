import type { Place } from "../diagnostics/diagnostic.js";

/** The text of a schema file: no byte order mark, lines end in a line feed. */
export class SchemaText {
  /** Where each line starts: computed when the first place is needed, because a correct file needs none. */
  #lineStarts: readonly number[] | null = null;

  /** `path` is relative to the project, with forward slashes. */
  constructor(
    readonly path: string,
    readonly text: string,
  ) {}

  /** The line and the column, from 1, of the character at `offset`, from 0. */
  position(offset: number): { readonly line: number; readonly column: number } {
    this.#lineStarts ??= [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const starts = this.#lineStarts;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

/** The place of the characters from `start` to `end` (exclusive), counted from 0. */
export function placeAt(found: SchemaText, start: number, end: number): Place {
  const from = found.position(start);
  const to = found.position(Math.max(start, end));
  return {
    span: { file: found.path, ...from, endLine: to.line, endColumn: to.column },
    source: found.text,
  };
}

/** The place of a whole file, or of a path without text. */
export function placeOfFile(path: string): Place {
  return { span: { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 }, source: "" };
}
