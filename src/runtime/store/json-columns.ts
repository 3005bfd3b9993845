import type { SqlValue } from "./database.js";
import {
  shapeReader,
  withKept,
  type JsonMembers,
  type JsonShape,
  type Lack,
  type ReadShape,
} from "./json-shape.js";

/** The columns of a table that hold objects, or lists of objects, by name. */
export type JsonTable = Readonly<Record<string, JsonMembers | readonly JsonMembers[]>>;

/** Readers of what such columns hold, by name. */
export type JsonReaders = Readonly<Record<string, ReadShape>>;

/** The texts of such columns, by name, as they are stored. */
export type JsonTexts = Readonly<Record<string, SqlValue>>;

/** Where members that are missing are reported, each once in a minute. */
export interface LackLog {
  readonly logger: { warn(text: string): void };
  readonly warnings: { isDue(text: string): boolean };
}

/** What reads the rows has to go on, and what wrote them has to be mended. */
export function lackLog(table: string, { logger, warnings }: LackLog): Lack {
  return (path) => {
    const text =
      `Rows of ${table} lack ${path} inside their JSON: it is read as null, or as an empty list. ` +
      'Fill it by a migration of your own: "generator migration new <name>".';
    if (warnings.isDue(text)) logger.warn(text);
  };
}

interface JsonColumn {
  readonly name: string;
  readonly holds: JsonTable[string];
  /** Among the values that `encode` makes. */
  readonly place: number;
}

/** Reads the objects inside a table's rows, and keeps what else they hold. */
export class JsonColumns {
  readonly readers: JsonReaders;
  private readonly columns: readonly JsonColumn[];

  /** `written` are the names of the values that `encode` makes. */
  constructor(table: JsonTable = {}, written: readonly string[], lack: Lack) {
    this.columns = Object.entries(table).map(([name, holds]) => {
      return { name, holds, place: written.indexOf(name) };
    });
    this.readers = Object.fromEntries(
      this.columns.map(({ name, holds }) => [name, shapeReader(holds, name, lack)]),
    );
  }

  /** What values hold that `encode` has made. */
  textsIn(values: readonly SqlValue[]): JsonTexts {
    return Object.fromEntries(this.columns.map(({ name, place }) => [name, values[place] ?? null]));
  }

  /**
   * Values with the members that only the texts have which they replace: those of removed properties are kept until
   * they are dropped.
   */
  withKept(values: readonly SqlValue[], texts: JsonTexts = {}): readonly SqlValue[] {
    const made = [...values];
    for (const { name, place, holds } of this.columns) {
      made[place] = keptText(texts[name], values[place] ?? null, holds);
    }
    return made;
  }
}

function keptText(stored: SqlValue | undefined, next: SqlValue, holds: JsonShape): SqlValue {
  if (typeof stored !== "string" || typeof next !== "string" || stored === next) return next;
  return JSON.stringify(withKept(JSON.parse(stored), JSON.parse(next), holds));
}
