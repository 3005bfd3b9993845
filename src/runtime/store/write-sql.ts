import type { CommonFields } from "../base/common-fields.js";
import type { SqlValue, WriteStep } from "./database.js";
import { CREATED, LAST_MODIFIED, REVISION } from "./read-sql.js";
import { commonValues, lastModifiedValues } from "./rows.js";
import { keyedStep } from "./write-steps.js";

/** Of an entity that is new. */
export const FIRST_REVISION = 1;

/** The table of which rows are written, and its columns beside those that every table has. */
export interface WrittenTable {
  readonly name: string;
  readonly idProperty: string;
  /** Those that hold what `encode` makes, in its order. */
  readonly written: readonly string[];
}

/** Which row is written, and what is told of it. */
export interface WrittenRow {
  readonly id: string;
  readonly revision: number;
  readonly common: CommonFields;
}

/** A client chooses which columns it changes: of more combinations than these, the others are made anew. */
const MOST_KNOWN = 100;

/** The statements that write one row of a table. */
export class WriteSql {
  private readonly insertion: string;
  private readonly deletion: string;
  private readonly key: string;
  /** By the places of the columns that are changed. */
  private readonly changes = new Map<string, string>();

  constructor(private readonly table: WrittenTable) {
    const { name, idProperty, written } = table;
    const columns = [idProperty, ...written, ...CREATED, ...LAST_MODIFIED, REVISION];
    const places = columns.map(() => "?").join(", ");
    this.key = `"${idProperty}" = ? AND row_revision = ?`;
    this.insertion = `INSERT INTO "${name}" (${columns.map(quoted).join(", ")}) VALUES (${places})`;
    this.deletion = `DELETE FROM "${name}" WHERE ${this.key}`;
  }

  insert(id: string, encoded: readonly SqlValue[], common: CommonFields): WriteStep {
    const values = [id, ...encoded, ...commonValues(common), FIRST_REVISION];
    return { sql: this.insertion, values };
  }

  delete({ id, revision }: Omit<WrittenRow, "common">): WriteStep {
    return keyedStep(this.deletion, [id, revision], this.table);
  }

  /**
   * Changes the columns whose places are given to what `encoded` has there; a row of which none is changed has another
   * revision all the same. A database writes each index anew of which a column is named, also where its value stays.
   */
  update(
    places: readonly number[],
    encoded: readonly SqlValue[],
    { id, revision, common }: WrittenRow,
  ): WriteStep {
    const values = places.map((place) => encoded[place] ?? null);
    const all = [...values, ...lastModifiedValues(common), revision + 1, id, revision];
    return keyedStep(this.updateOf(places), all, this.table);
  }

  private updateOf(places: readonly number[]): string {
    const key = places.join();
    const known = this.changes.get(key);
    if (known !== undefined) return known;
    const columns = places.map((place) => this.table.written[place] ?? "");
    const named = [...columns, ...LAST_MODIFIED, REVISION];
    const set = named.map((column) => `${quoted(column)} = ?`).join(", ");
    const sql = `UPDATE "${this.table.name}" SET ${set} WHERE ${this.key}`;
    if (this.changes.size >= MOST_KNOWN) this.changes.clear();
    this.changes.set(key, sql);
    return sql;
  }
}

/** The places at which two rows of values differ. */
export function changedPlaces(
  one: readonly SqlValue[],
  other: readonly SqlValue[],
): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < other.length; place++) {
    if (one[place] !== other[place]) places.push(place);
  }
  return places;
}

function quoted(column: string): string {
  return `"${column}"`;
}
