import { ResultTooLarge, type Database, type Recipient, type SqlRow } from "./database.js";
import { DIALECTS } from "./dialect.js";
import { textOf } from "./rows.js";

/** What is shown of other entities by references in lists and in objects, which no join could read (REP-4). */
export interface LinkedReference {
  /** `lines.product` */
  readonly path: string;
  /** Reads the others, without a condition. */
  readonly select: string;
  /** Of the others. */
  readonly idProperty: string;
  /** The table with a row for each entity and what it refers to. */
  readonly links: string;
}

/** Counts the text that values become, each time that one is shown (LIM-1). */
export class TextBytes {
  inAll = 0;
  private readonly lengths = new Map<unknown, number>();

  /** Returns what there is in all, about. */
  add(value: unknown): number {
    const length = this.lengths.get(value) ?? JSON.stringify(value).length;
    this.lengths.set(value, length);
    this.inAll += length;
    return this.inAll;
  }
}

/** The rows of the others, by the path of the reference and by their identifiers, for entities that show them. */
export class LinkedRows {
  private readonly shown = new TextBytes();

  /** `mostBytes` may be shown in all; null: anything. */
  constructor(
    private readonly rows: ReadonlyMap<string, ReadonlyMap<string, SqlRow>>,
    private readonly mostBytes: number | null,
  ) {}

  /**
   * Throws `LinkedRowGone` for one that is not there: between two statements the reference was changed, and then the other deleted.
   * Throws `ResultTooLarge` where all that was asked for is too much: one row can be shown thousands of times (LIM-1).
   */
  row(path: string, id: string): SqlRow {
    const row = this.rows.get(path)?.get(id);
    if (row === undefined)
      throw new LinkedRowGone(`${path} refers to something that no longer exists.`);
    const { mostBytes } = this;
    if (mostBytes !== null && this.shown.add(row) > mostBytes) throw new ResultTooLarge(mostBytes);
    return row;
  }
}

/** Of one entity alone: no write makes so much, but what it refers to may grow. */
const MOST_OF_ONE_BYTES = 67_108_864;

/** An entity shows so much of others that no list can show it. */
export class ShownTooLarge extends Error {
  override readonly name = "ShownTooLarge";

  constructor() {
    super(`The embedded values of an entity take more than ${MOST_OF_ONE_BYTES} bytes.`);
  }
}

/** What was read before is no longer so. */
export class LinkedRowGone extends Error {
  override readonly name = "LinkedRowGone";
}

/** Where nothing of the kind is shown. */
export const NO_LINKED_ROWS = new LinkedRows(new Map(), null);

/** Where entities are read from, and who waits for them. */
export interface Reading {
  readonly database: Database;
  readonly recipient?: Recipient | undefined;
  /** What the others may hold that one reference of all of them leads to; left out: anything. */
  readonly bytes?: number | undefined;
  /** What several entities may show of others, in all; left out: anything. */
  readonly shown?: number | undefined;
  /** Hears of an entity that alone shows too much to be answered, and may throw the error; left out: none does. */
  readonly leaveOut?: ((id: string, error: ShownTooLarge) => void) | undefined;
}

/**
 * Reads what entities show of others: a statement for each reference, however many entities there are. Throws
 * `ResultTooLarge`; of one entity, the rows are never too many.
 */
export async function readLinkedRows(
  references: readonly LinkedReference[],
  owners: readonly string[],
  { database, recipient, bytes, shown, leaveOut }: Reading,
): Promise<LinkedRows> {
  if (owners.length === 0) return NO_LINKED_ROWS;
  const isBounded = bytes !== undefined && owners.length > 1;
  const most = isBounded ? bytes : leaveOut && MOST_OF_ONE_BYTES;
  // Nobody knows how many there are.
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
