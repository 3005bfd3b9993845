import { ResultTooLarge, type Database, type Recipient, type SqlRow } from "./database.js";
import { DIALECTS } from "./dialect.js";
import { textOf } from "./rows.js";

/** References in lists and objects, whose embedded values no join can read (REP-4). */
export interface LinkedReference {
  /** `lines.product` */
  readonly path: string;
  /** Reads the referenced entities, without a condition. */
  readonly select: string;
  /** Of the others. */
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

/** The limit of one entity. No write exceeds it, but referenced entities can grow. */
const MOST_OF_ONE_BYTES = 67_108_864;

/** An entity embeds too much for any list. */
export class EmbeddedTooLarge extends Error {
  override readonly name = "EmbeddedTooLarge";

  constructor() {
    super(`The embedded values of an entity take more than ${MOST_OF_ONE_BYTES} bytes.`);
  }
}

/** A row was deleted between two statements. */
export class LinkedRowDeleted extends Error {
  override readonly name = "LinkedRowDeleted";
}

/** For tables without such references. */
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
 * Reads embedded values with one statement for each reference, however many entities there are. Throws `ResultTooLarge`, but
 * never for a single entity.
 */
export async function readLinkedRows(
  references: readonly LinkedReference[],
  owners: readonly string[],
  { database, recipient, bytes, shown, leaveOut }: LinkedReading,
): Promise<LinkedRows> {
  if (owners.length === 0) return NO_LINKED_ROWS;
  const isBounded = bytes !== undefined && owners.length > 1;
  const most = isBounded ? bytes : leaveOut && MOST_OF_ONE_BYTES;
  // Their number is unbounded.
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
