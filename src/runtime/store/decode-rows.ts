import { ResultTooLarge, type SqlRow } from "./database.js";
import {
  LinkedRowGone,
  ShownTooLarge,
  NO_LINKED_ROWS,
  readLinkedRows,
  type LinkedReference,
  type LinkedRows,
  type Reading,
} from "./linked-rows.js";
import { textOf } from "./rows.js";

/** So often is looked again for what is deleted while it is read. */
const MOST_LOOKS = 5;

/** Rows, and the entities that they are, in the same order. */
export interface DecodedRows<Entity> {
  readonly rows: readonly SqlRow[];
  readonly entities: Entity[];
}

/** Finds rows. */
export type Look = () => Promise<readonly SqlRow[]>;

/** What of a table is needed to make entities of rows. */
interface DecodedTable<Entity> {
  readonly idProperty: string;
  readonly linked?: readonly LinkedReference[];
  readonly decode: (row: SqlRow, linked: LinkedRows) => Entity;
}

/**
 * The entities that `look` finds, with what they show of others. It looks again where some of that was deleted between
 * two statements. Throws `ResultTooLarge`, and `ShownTooLarge` where it cannot be left out.
 */
export async function decodeRows<Entity>(
  { decode, idProperty, linked = [] }: DecodedTable<Entity>,
  look: Look,
  reading: Reading,
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
        reading.leaveOut(owner, new ShownTooLarge());
        return { rows, entities: [] };
      }
      if (!(error instanceof LinkedRowGone) || attempt === MOST_LOOKS) throw error;
    }
  }
}
