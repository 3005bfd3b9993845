import type { ResourceModel } from "../model/resource-model.js";

/** What one resource adds to a file that is made from all of them. */
export interface Piece {
  readonly resource: ResourceModel;
  /** Tells the pieces of one resource in one file apart. */
  readonly name: string;
  /** May be empty; made of the resource and of what holds for the whole service, and of nothing else. */
  text(): string;
}

/** The pieces that stand together in a file; the empty ones are left out. */
export interface Stretch {
  readonly pieces: readonly Piece[];
  readonly separator: string;
  /** What stands before and after them, where there are any. */
  readonly before?: string;
  readonly after?: string;
  /** What stands there where there are none. */
  readonly otherwise?: string;
}

/** A file in its order: texts, and stretches of pieces. */
export type Pieced = readonly (string | Stretch)[];

/** Where a piece that was made of `key` stands in a text, in UTF-16 units; the end is exclusive. */
export type Cut = readonly [key: string, start: number, end: number];

/** What a piece is made of, as a key, and the text that was made of a key in the last run, or null. */
export interface KeptPieces {
  keyOf(piece: Piece): string;
  text(key: string): string | null;
}

/** No piece is kept. */
export const NO_PIECES: KeptPieces = { keyOf: ({ name }) => name, text: () => null };

/** A file's text, and where its pieces stand in it. */
export interface PiecedText {
  readonly text: string;
  readonly cuts: readonly Cut[];
}

/** Puts a file together, with the pieces of the last run where they are the same. */
export function piecedText(parts: Pieced, kept: KeptPieces): PiecedText {
  const texts: string[] = [];
  const cuts: Cut[] = [];
  let length = 0;
  const add = (text: string): void => {
    texts.push(text);
    length += text.length;
  };
  for (const part of parts) {
    if (typeof part === "string") {
      add(part);
      continue;
    }
    let lead = part.before ?? "";
    let isEmpty = true;
    for (const piece of part.pieces) {
      const key = kept.keyOf(piece);
      const text = kept.text(key) ?? piece.text();
      if (text !== "") add(lead);
      cuts.push([key, length, length + text.length]);
      if (text === "") continue;
      add(text);
      lead = part.separator;
      isEmpty = false;
    }
    add((isEmpty ? part.otherwise : part.after) ?? "");
  }
  return { text: texts.join(""), cuts };
}
