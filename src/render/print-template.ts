import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import type { Piece, TextPlace, ValuePath } from "./template-piece.js";

/** A template of the project's own asks for something that there is not: a mistake of the user's, at a place of it. */
export class TemplateMistake extends Error {
  /** The template, relative to the project; null: not known yet. */
  path: string | null = null;

  constructor(
    readonly mistake: Mistake,
    readonly place: TextPlace,
  ) {
    super(mistake.message);
  }
}

/** What a template sees at one place: the view, or an item of a list in it. */
interface Frame {
  readonly view: unknown;
  /** `@index`, `@first`, `@last` */
  readonly item: Readonly<Record<string, unknown>>;
  readonly above: Frame | null;
}

/** Prints the partial of a name; null: there is none. */
export type PrintPartial = (name: string, view: unknown) => string | null;

/** Prints a view as Handlebars would, without compiling anything. Throws `TemplateMistake`. */
export function printTemplate(
  pieces: readonly Piece[],
  view: unknown,
  partial: PrintPartial,
): string {
  return print(pieces, { view, item: {}, above: null }, partial);
}

function print(pieces: readonly Piece[], frame: Frame, partial: PrintPartial): string {
  return pieces.map((piece) => printOne(piece, frame, partial)).join("");
}

function printOne(piece: Piece, frame: Frame, partial: PrintPartial): string {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "value":
      return String(valueAt(piece.path, frame));
    case "if":
      return print(
        isFilled(valueAt(piece.path, frame)) ? piece.then : piece.otherwise,
        frame,
        partial,
      );
    case "each": {
      const list = valueAt(piece.path, frame);
      if (!Array.isArray(list) || list.length === 0) return print(piece.otherwise, frame, partial);
      return list
        .map((view: unknown, index) => {
          const item = { index, first: index === 0, last: index === list.length - 1 };
          return print(piece.body, { view, item, above: frame }, partial);
        })
        .join("");
    }
    case "partial": {
      const text = partial(piece.name, frame.view);
      if (text === null) throw unknownName(piece.name, [], piece.place);
      return indented(text, piece.indent);
    }
  }
}

function valueAt({ depth, parts, isOfItem, original, place }: ValuePath, frame: Frame): unknown {
  let at: Frame | null = frame;
  for (let step = 0; step < depth; step += 1) at = at?.above ?? null;
  if (at === null) throw unknownName(original, [], place);
  return parts.reduce<unknown>(
    (value, name) => {
      if (typeof value === "object" && value !== null && Object.hasOwn(value, name)) {
        return (value as Readonly<Record<string, unknown>>)[name];
      }
      const known = typeof value === "object" && value !== null ? Object.keys(value) : [];
      throw unknownName(original, known, place);
    },
    isOfItem ? at.item : at.view,
  );
}

function unknownName(name: string, known: readonly string[], place: TextPlace): TemplateMistake {
  return new TemplateMistake(mistake("SCH-266", { name, known }), place);
}

/** As `{{#if}}` takes it: an empty text or list, 0 and false are not. */
function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** A partial that stands alone on its line is moved in with its tag. */
function indented(text: string, indent: string): string {
  if (indent === "") return text;
  const lines = text.split("\n");
  return lines
    .map((line, index) => (line === "" && index === lines.length - 1 ? line : indent + line))
    .join("\n");
}
