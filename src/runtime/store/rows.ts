import type { CommonFields, Subject } from "../base/common-fields.js";
import { decimalOfUnits, decimalUnits } from "../base/decimal.js";
import { type SqlRow, type SqlValue, ResultTooLarge } from "./database.js";
import type { ReadShape } from "./json-columns.js";
import {
  LinkedRowDeleted,
  EmbeddedTooLarge,
  NO_LINKED_ROWS,
  readLinkedRows,
  type LinkedReference,
  type LinkedRows,
  type LinkedReading,
} from "./linked-rows.js";

/** Undefined if the statement did not select the column. */
type Cell = SqlValue | undefined;

/** A text column that is never null; for an enum, one of its values. */
export function textOf<T extends string = string>(cell: Cell): T {
  if (typeof cell !== "string") throw unexpected("text", cell);
  // `encode` of the same table wrote it from a T.
  return cell as T;
}

/** A text column that may be null. */
export function textOrNull<T extends string = string>(cell: Cell): T | null {
  return cell === null ? null : textOf<T>(cell);
}

/** A number column that is never null. */
export function numberOf(cell: Cell): number {
  if (typeof cell !== "number") throw unexpected("a number", cell);
  return cell;
}

/** A number column that may be null. */
export function numberOrNull(cell: Cell): number | null {
  return cell === null ? null : numberOf(cell);
}

/** A boolean column (0 or 1) that is never null. */
export function booleanOf(cell: Cell): boolean {
  if (cell !== 0 && cell !== 1) throw unexpected("0 or 1", cell);
  return cell === 1;
}

/** A boolean column that may be null. */
export function booleanOrNull(cell: Cell): boolean | null {
  return cell === null ? null : booleanOf(cell);
}

/** An object or array column that is never null, completed by `read`. */
export function jsonOf<T>(cell: Cell, read?: ReadShape): T {
  const value: unknown = JSON.parse(textOf(cell));
  // `encode` of the same table, or of an earlier one, wrote it from a T.
  return (read === undefined ? value : read(value)) as T;
}

/** An object or array column that may be null. */
export function jsonOrNull<T>(cell: Cell, read?: ReadShape): T | null {
  return cell === null ? null : jsonOf<T>(cell, read);
}

/** A reference inside JSON; null if the text lacks it, which the log reports. */
export function unlessLacking<Stored, Given extends readonly unknown[], Value>(
  stored: Stored,
  decode: (stored: Stored, ...given: Given) => Value,
  ...given: Given
): Value {
  // No type allows null here, but a damaged row must still be answered.
  return stored === null ? (null as Value) : decode(stored, ...given);
}

/** A boolean as its column holds it. */
export function bitOf(value: string | number | boolean): number {
  return value === true || value === "true" ? 1 : 0;
}

/** A boolean that may be null, as its column holds it. */
export function bitOrNull(value: boolean | null): number | null {
  return value === null ? null : bitOf(value);
}

/** An object that may be null, as its column holds it. */
export function jsonTextOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The subject that created an entity (ENT-2). */
export function creatorOf(row: SqlRow): Subject {
  return subjectOf(row["created_subject_id"], row["created_user_principal_name"]);
}

/** The subject that changed an entity last (ENT-2). */
export function lastModifierOf(row: SqlRow): Subject {
  return subjectOf(row["last_modified_subject_id"], row["last_modified_user_principal_name"]);
}

/** The common fields in the order of their columns: three of the creation, three of the last change. */
export function commonValues(common: CommonFields): readonly SqlValue[] {
  return [
    common.createdDate,
    common.createdSubject.subjectId,
    common.createdSubject.userPrincipalName,
    ...lastModifiedValues(common),
  ];
}

/** The three columns that every change writes. */
export function lastModifiedValues(common: CommonFields): readonly SqlValue[] {
  return [
    common.lastModifiedDate,
    common.lastModifiedSubject.subjectId,
    common.lastModifiedSubject.userPrincipalName,
  ];
}

function subjectOf(subjectId: Cell, userPrincipalName: Cell): Subject {
  return { subjectId: textOf(subjectId), userPrincipalName: textOf(userPrincipalName) };
}

function unexpected(wanted: string, cell: Cell): Error {
  return new Error(
    `The database holds a ${cell === null ? "null" : typeof cell} where ${wanted} belongs.`,
  );
}

/** Attempts, if referenced entities are deleted while they are read. */
const MOST_READS = 5;

/** Rows and their entities, in the same order. */
export interface DecodedRows<Entity> {
  readonly rows: readonly SqlRow[];
  readonly entities: Entity[];
}

export type ReadRows = () => Promise<readonly SqlRow[]>;

interface DecodedTable<Entity> {
  readonly idProperty: string;
  readonly linked?: readonly LinkedReference[];
  readonly decode: (row: SqlRow, linked: LinkedRows) => Entity;
}

/**
 * Decodes the rows that `look` finds, with the embedded values of other entities. Repeats both if one of these was deleted in
 * between. Throws `ResultTooLarge`, and `EmbeddedTooLarge` if an entity cannot be left out.
 */
export async function decodeRows<Entity>(
  { decode, idProperty, linked = [] }: DecodedTable<Entity>,
  look: ReadRows,
  reading: LinkedReading,
): Promise<DecodedRows<Entity>> {
  for (let attempt = 1; ; attempt += 1) {
    const rows = await look();
    if (linked.length === 0) {
      return { rows, entities: rows.map((row) => decode(row, NO_LINKED_ROWS)) };
    }
    const owners = rows.map((row) => textOf(row[idProperty]));
    try {
      const others = await readLinkedRows(linked, owners, reading);
      return { rows, entities: rows.map((row) => decode(row, others)) };
    } catch (error) {
      const [owner] = owners;
      const isTooLarge = error instanceof ResultTooLarge && owners.length === 1;
      if (isTooLarge && owner !== undefined && reading.leaveOut !== undefined) {
        reading.leaveOut(owner, new EmbeddedTooLarge());
        return { rows, entities: [] };
      }
      if (!(error instanceof LinkedRowDeleted) || attempt === MOST_READS) throw error;
    }
  }
}

/** A decimal column, read with `CAST(... AS TEXT)`, with its fraction digits: `1250` at scale 2 is `12.50`. */
export function decimalOf(cell: Cell, scale: number): string {
  return decimalOfUnits(textOf(cell), scale);
}

/** A decimal column that may be null. */
export function decimalOrNull(cell: Cell, scale: number): string | null {
  return cell === null ? null : decimalOf(cell, scale);
}

/** A decimal as the whole number that its column holds: `12.5` at scale 2 is `1250n`. */
export function scaledInteger(value: string | number | boolean, scale: number): bigint {
  return decimalUnits(String(value), scale);
}

/** A decimal that may be null, as its column holds it. */
export function scaledOrNull(value: string | null, scale: number): bigint | null {
  return value === null ? null : scaledInteger(value, scale);
}
