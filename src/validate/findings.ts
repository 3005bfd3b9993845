import {
  mistake,
  placed,
  type Diagnostic,
  type Mistake,
  type Place,
  type Span,
  type Telling,
} from "../diagnostics/diagnostic.js";
import type { Code, MessageArguments } from "../diagnostics/messages.js";
import type { PathStep, SourceDocument } from "../load/source-document.js";

/** A place in one YAML file: the value at `path`, or the key that it stands under. */
export interface At {
  readonly path: readonly PathStep[];
  readonly part?: "key" | "value";
}

/** Collects the diagnostics of one file. */
export class Findings {
  readonly diagnostics: Diagnostic[] = [];

  constructor(readonly document: SourceDocument) {}

  /** Adds the diagnostic `code` at a place of the file. */
  add<C extends Code>(code: C, at: At, given: MessageArguments<C>, telling: Telling = {}): void {
    this.tell(mistake(code, given), at, telling);
  }

  /** Adds a mistake at a place of the file. */
  tell(found: Mistake, at: At, telling: Telling = {}): void {
    this.diagnostics.push(placed(found, this.place(at), telling));
  }

  /** Where a path stands. */
  place({ path, part }: At): Place {
    return this.document.locate(path, part);
  }

  /** Whether something is told at a place, or inside of it. */
  isToldIn(at: At): boolean {
    const { span } = this.place(at);
    return this.diagnostics.some(
      ({ span: { line, column } }) =>
        !isBefore({ line, column }, span) &&
        isBefore({ line, column }, { line: span.endLine, column: span.endColumn }),
    );
  }

  /** A place as messages name it: `4:12`, in this file. */
  position(at: At): string {
    const { line, column } = this.place(at).span;
    return `${line}:${column}`;
  }

  /** The text of a value as it is written, quotes included. */
  written(at: At): string {
    const { span, source } = this.place(at);
    const lines = source.split("\n", span.line);
    const end = span.line === span.endLine ? span.endColumn - 1 : undefined;
    return (lines[span.line - 1] ?? "").slice(span.column - 1, end);
  }
}

type Position = Pick<Span, "line" | "column">;

function isBefore(one: Position, other: Position): boolean {
  return one.line === other.line ? one.column < other.column : one.line < other.line;
}
