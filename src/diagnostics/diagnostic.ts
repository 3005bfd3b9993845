import type { Code, MessageArguments } from "./messages.js";
import { MESSAGES } from "./messages.js";

/** A stretch of a source file. Lines and columns count from 1; the end is exclusive. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A mistake in the user's files, as a value: found, collected, sorted and printed; never thrown. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** What to write instead, when it is known: `Did you mean "inProgress"?` */
  readonly suggestion: string | null;
  /** The name that mends it where it stands in place of what `span` covers; null where a person has to choose. */
  readonly replacement: string | null;
  readonly span: Span;
  /** The text of the file that `span` points into, for the code frame; "" when there is none. */
  readonly source: string;
  /** Other places that have a part in it, each with a sentence; left out: none. */
  readonly related?: readonly Related[];
}

/** A place elsewhere, and what is to be said of it. */
export interface Related {
  readonly span: Span;
  readonly message: string;
}

/** Where a diagnostic points, and the text it points into. */
export interface Place {
  readonly span: Span;
  readonly source: string;
}

/** A mistake by itself, before it is known where it stands. */
export type Mistake = Pick<Diagnostic, "code" | "message">;

/** How a mistake is reported. */
export interface Telling {
  readonly severity?: "error" | "warning";
  readonly suggestion?: string | null;
  readonly replacement?: string | null;
  readonly related?: readonly Related[];
}

/** Makes the mistake `code`; the message's arguments are checked by the compiler. */
export function mistake<C extends Code>(code: C, given: MessageArguments<C>): Mistake {
  return { code, message: (MESSAGES[code] as (given: MessageArguments<C>) => string)(given) };
}

/** Makes the diagnostic `code` at `place`; the message's arguments are checked by the compiler. */
export function diagnostic<C extends Code>(
  code: C,
  place: Place,
  given: MessageArguments<C>,
  telling: Telling = {},
): Diagnostic {
  return placed(mistake(code, given), place, telling);
}

/** A mistake at its place. */
export function placed(
  { code, message }: Mistake,
  place: Place,
  options: Telling = {},
): Diagnostic {
  return {
    code,
    severity: options.severity ?? "error",
    message,
    suggestion: options.suggestion ?? null,
    replacement: options.replacement ?? null,
    span: place.span,
    source: place.source,
    ...(options.related !== undefined && { related: options.related }),
  };
}
