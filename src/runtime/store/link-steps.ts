import type { WriteStep } from "./database.js";
import type { LinkTable } from "./entity-table.js";

type Links<Properties> = readonly LinkTable<Properties>[] | undefined;

/** Writes what a new entity refers to in lists and objects. */
export function linkSteps<P>(links: Links<P>, id: string, properties: P): WriteStep[] {
  return (links ?? []).flatMap((link) => insertLinks(link, id, properties));
}

/** Writes it anew where a change has changed it. */
export function relinkSteps<P>(
  links: Links<P>,
  id: string,
  [stored, next]: readonly [stored: P, next: P],
): WriteStep[] {
  return (links ?? []).flatMap((link) => {
    const before = new Set(link.idsOf(stored));
    const after = new Set(link.idsOf(next));
    if (before.size === after.size && [...before].every((one) => after.has(one))) return [];
    const sql = `DELETE FROM "${link.table}" WHERE owner_id = ?`;
    return [{ sql, values: [id] }, ...insertLinks(link, id, next)];
  });
}

/** One row for each of the entities, however often a list names it. */
function insertLinks<P>({ table, idsOf }: LinkTable<P>, id: string, properties: P): WriteStep[] {
  const sql = `INSERT INTO "${table}" (owner_id, other_id) VALUES (?, ?)`;
  return [...new Set(idsOf(properties))].map((other) => ({ sql, values: [id, other] }));
}
