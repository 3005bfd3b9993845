import type { CommonFields, Subject } from "../base/common-fields.js";
import { decimalOfUnits, decimalUnits } from "../base/decimal.js";
import {
  type SqlRow,
  type SqlValue,
  ResultTooLarge,
  type Database,
  type Recipient,
} from "./database.js";
import { DIALECTS } from "./dialect.js";
import type { ReadShape } from "./json-columns.js";

/** Undefined if the statement did not select the column. */
type Cell = SqlValue | undefined;

/** Reads a column of strings that is never null; for an enum, one of its values. */
export function textOf<T extends string = string>(cell: Cell): T {
  if (typeof cell !== "string") throw unexpected("text", cell);
  // `encode` of the same table wrote it from a T.
  return cell as T;
}

/** Reads a column of strings that may be null. */
export function textOrNull<T extends string = string>(cell: Cell): T | null {
  return cell === null ? null : textOf<T>(cell);
}

/** Reads a column of numbers that is never null. */
export function numberOf(cell: Cell): number {
  if (typeof cell !== "number") throw unexpected("a number", cell);
  return cell;
}

/** Reads a column of numbers that may be null. */
export function numberOrNull(cell: Cell): number | null {
  return cell === null ? null : numberOf(cell);
}

/** Reads a column of booleans (0 or 1) that is never null. */
export function booleanOf(cell: Cell): boolean {
  if (cell !== 0 && cell !== 1) throw unexpected("0 or 1", cell);
  return cell === 1;
}

/** Reads a column of booleans that may be null. */
export function booleanOrNull(cell: Cell): boolean | null {
  return cell === null ? null : booleanOf(cell);
}

/** Reads a column of objects or arrays that is never null; `read` completes the values. */
export function jsonOf<T>(cell: Cell, read?: ReadShape): T {
  const value: unknown = JSON.parse(textOf(cell));
  // `encode` of the same table, or of an earlier one, wrote it from a T.
  return (read === undefined ? value : read(value)) as T;
}

/** Reads a column of objects or arrays that may be null. */
export function jsonOrNull<T>(cell: Cell, read?: ReadShape): T | null {
  return cell === null ? null : jsonOf<T>(cell, read);
}

/** Reads a reference inside JSON; returns null if the text lacks it, which the log reports. */
export function unlessLacking<Stored, Given extends readonly unknown[], Value>(
  stored: Stored,
  decode: (stored: Stored, ...given: Given) => Value,
  ...given: Given
): Value {
  // No type allows null here, but the response must still contain a damaged row.
  return stored === null ? (null as Value) : decode(stored, ...given);
}

/** Encodes a boolean for its column. */
export function bitOf(value: string | number | boolean): number {
  return value === true || value === "true" ? 1 : 0;
}

/** Encodes a boolean that may be null for its column. */
export function bitOrNull(value: boolean | null): number | null {
  return value === null ? null : bitOf(value);
}

/** Encodes an object that may be null for its column. */
export function jsonTextOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Reads the subject that created an entity (ENT-2). */
export function creatorOf(row: SqlRow): Subject {
  return subjectOf(row["created_subject_id"], row["created_user_principal_name"]);
}

/** Reads the subject that changed an entity last (ENT-2). */
export function lastModifierOf(row: SqlRow): Subject {
  return subjectOf(row["last_modified_subject_id"], row["last_modified_user_principal_name"]);
}

/** Encodes the common fields in the order of their columns: three of the creation, three of the last change. */
export function commonValues(common: CommonFields): readonly SqlValue[] {
  return [
    common.createdDate,
    common.createdSubject.subjectId,
    common.createdSubject.userPrincipalName,
    ...lastModifiedValues(common),
  ];
}

/** Encodes the three columns that every change writes. */
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
 * Decodes the rows that `look` finds, with the embedded values of other entities. Reads and decodes again if one of the others
 * was deleted in between. Throws `ResultTooLarge` for several entities. A single one that embeds too much goes to `leaveOut`.
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

/** Reads a column of decimals, selected with `CAST(... AS TEXT)`: `1250` at scale 2 is `12.50`. */
export function decimalOf(cell: Cell, scale: number): string {
  return decimalOfUnits(textOf(cell), scale);
}

/** Reads a column of decimals that may be null. */
export function decimalOrNull(cell: Cell, scale: number): string | null {
  return cell === null ? null : decimalOf(cell, scale);
}

/** Encodes a decimal as the whole number in its column: `12.5` at scale 2 is `1250n`. */
export function scaledInteger(value: string | number | boolean, scale: number): bigint {
  return decimalUnits(String(value), scale);
}

/** Encodes a decimal that may be null for its column. */
export function scaledOrNull(value: string | null, scale: number): bigint | null {
  return value === null ? null : scaledInteger(value, scale);
}

/** References in lists and objects, whose embedded values no join can read (REP-4). */
export interface LinkedReference {
  /** `lines.product` */
  readonly path: string;
  /** Reads the referenced entities, without a condition. */
  readonly select: string;
  /** Property with the identifier of the referenced entities. */
  readonly idProperty: string;
  /** The table with a row for each reference. */
  readonly links: string;
}

/** Adds up the text of values, each time that one is shown (LIM-1). */
export class ByteBudget {
  total = 0;
  private readonly lengths = new Map<unknown, number>();

  /** Returns the approximate total. */
  add(value: unknown): number {
    const length = this.lengths.get(value) ?? JSON.stringify(value).length;
    this.lengths.set(value, length);
    this.total += length;
    return this.total;
  }
}

/** The rows of referenced entities, by the path of the reference and by identifier. */
export class LinkedRows {
  private readonly shown = new ByteBudget();

  /** `mostBytes` is the limit of all embedded values; null for none. */
  constructor(
    private readonly rows: ReadonlyMap<string, ReadonlyMap<string, SqlRow>>,
    private readonly mostBytes: number | null,
  ) {}

  /**
   * Throws `LinkedRowDeleted` if the row was deleted between two statements, and `ResultTooLarge` beyond the limit: one row can be
   * shown thousands of times (LIM-1).
   */
  row(path: string, id: string): SqlRow {
    const row = this.rows.get(path)?.get(id);
    if (row === undefined)
      throw new LinkedRowDeleted(`${path} refers to something that no longer exists.`);
    const { mostBytes } = this;
    if (mostBytes !== null && this.shown.add(row) > mostBytes) throw new ResultTooLarge(mostBytes);
    return row;
  }
}

/** The limit of the embedded values of one entity. No write exceeds it, but referenced entities can grow. */
const MOST_OF_ONE_BYTES = 67_108_864;

/** An entity embeds too much for any response. */
class EmbeddedTooLarge extends Error {
  override readonly name = "EmbeddedTooLarge";

  constructor() {
    super(`The embedded values of an entity take more than ${MOST_OF_ONE_BYTES} bytes.`);
  }
}

/** A row was deleted between two statements. */
export class LinkedRowDeleted extends Error {
  override readonly name = "LinkedRowDeleted";
}

/** For tables without references in lists or objects. */
export const NO_LINKED_ROWS = new LinkedRows(new Map(), null);

export interface LinkedReading {
  readonly database: Database;
  readonly recipient?: Recipient | undefined;
  /** The limit of the rows of one reference. */
  readonly bytes?: number | undefined;
  /** The limit of all embedded values. */
  readonly shown?: number | undefined;
  /** Called with the error of an entity that embeds too much; may throw it. */
  readonly leaveOut?: ((id: string, error: EmbeddedTooLarge) => void) | undefined;
}

/**
 * Reads embedded values with one statement for each reference, however many entities there are. Throws `ResultTooLarge`, for a
 * single entity only with `leaveOut`.
 */
async function readLinkedRows(
  references: readonly LinkedReference[],
  owners: readonly string[],
  { database, recipient, bytes, shown, leaveOut }: LinkedReading,
): Promise<LinkedRows> {
  if (owners.length === 0) return NO_LINKED_ROWS;
  const isBounded = bytes !== undefined && owners.length > 1;
  const most = isBounded ? bytes : leaveOut && MOST_OF_ONE_BYTES;
  // The number of referenced rows is unbounded.
  const bound = most === undefined ? undefined : { rows: Number.MAX_SAFE_INTEGER, bytes: most };
  const { oneOf, values } = DIALECTS[database.dialect];
  const read = references.map(async ({ path, select, idProperty, links }) => {
    const among = `SELECT other_id FROM "${links}" WHERE ${oneOf("owner_id")}`;
    const sql = `${select} WHERE "${idProperty}" IN (${among})`;
    const rows = await database.all(sql, [values(owners)], bound, recipient);
    return [path, new Map(rows.map((row) => [textOf(row[idProperty]), row]))] as const;
  });
  const ofOne = leaveOut === undefined ? null : MOST_OF_ONE_BYTES;
  return new LinkedRows(
    new Map(await Promise.all(read)),
    owners.length > 1 ? (shown ?? null) : ofOne,
  );
}
