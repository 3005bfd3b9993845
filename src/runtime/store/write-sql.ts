import type { CommonFields, Subject } from "../base/common-fields.js";
import { TENANT } from "../query/tenant.js";
import { type SqlValue, type WriteStep, changedSince } from "./database.js";
import {
  CREATED,
  LAST_MODIFIED,
  REVISION,
  type LinkTable,
  type ChildRights,
  type GuardedCascade,
} from "./entity-table.js";
import { commonValues, lastModifiedValues } from "./rows.js";

/** The revision of a new entity. */
export const FIRST_REVISION = 1;

/** A table, and its columns without the common ones. */
interface WrittenTable {
  readonly name: string;
  readonly idProperty: string;
  readonly hasTenant?: boolean;
  /** The columns of the values of `encode`, in its order. */
  readonly written: readonly string[];
}

interface WrittenRow {
  readonly id: string;
  readonly revision: number;
  readonly common: CommonFields;
}

/** Clients choose which columns they change. With this many combinations of columns, all their statements are dropped. */
const MOST_KEPT = 100;

export class WriteSql {
  private readonly insertion: string;
  private readonly deletion: string;
  private readonly key: string;
  /** By the indexes of the changed columns. */
  private readonly changes = new Map<string, string>();

  constructor(private readonly table: WrittenTable) {
    const { name, idProperty, hasTenant = false, written } = table;
    const own = [idProperty, ...written, ...CREATED, ...LAST_MODIFIED, REVISION];
    const columns = hasTenant ? [...own, TENANT] : own;
    const places = columns.map(() => "?").join(", ");
    this.key = `"${idProperty}" = ? AND row_revision = ?`;
    this.insertion = `INSERT INTO "${name}" (${columns.map(quoted).join(", ")}) VALUES (${places})`;
    this.deletion = `DELETE FROM "${name}" WHERE ${this.key}`;
  }

  /** `tenant` is for a table with tenants. */
  insert(
    id: string,
    encoded: readonly SqlValue[],
    common: CommonFields,
    tenant: string | null,
  ): WriteStep {
    const values = [id, ...encoded, ...commonValues(common), FIRST_REVISION];
    return { sql: this.insertion, values: tenant === null ? values : [...values, tenant] };
  }

  delete({ id, revision }: Omit<WrittenRow, "common">): WriteStep {
    return keyedStep(this.deletion, [id, revision], this.table);
  }

  /**
   * Sets the columns with these indexes, and a new revision in any case. Only changed columns are named, since databases rewrite
   * the indexes of every named column.
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
    if (this.changes.size >= MOST_KEPT) this.changes.clear();
    this.changes.set(key, sql);
    return sql;
  }
}

/** The indexes at which two rows differ. */
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

/** A step for one row at the revision that was read; writing it throws `WriteConflict` if that has changed. */
export function keyedStep(
  sql: string,
  values: readonly SqlValue[],
  { name }: { readonly name: string },
): WriteStep {
  const otherwise = (): Error => changedSince(`An entity of ${name}`);
  return { sql, values, changes: 1, isKeyed: true, otherwise };
}

/** A step that may change a large number of rows. */
export function openEnded(sql: string, values: readonly SqlValue[]): WriteStep {
  return { sql, values, isOpenEnded: true };
}

/** Throws the error of a step that has changed a wrong number of rows. */
export function checkChanges({ changes, otherwise }: WriteStep, changed: number | null): void {
  if (changes === undefined || changed === changes) return;
  throw otherwise?.() ?? new Error(`A write changed ${changed} rows, not ${changes}.`);
}

/**
 * Whether the steps need no transaction: a single statement that fails undoes itself. One with a wrong number of rows must not have
 * changed any, which holds if it names its row by a key.
 */
export function isOneStatement<Step extends WriteStep>(
  steps: readonly Step[],
): steps is readonly [Step] {
  const [first, ...others] = steps;
  if (first === undefined || others.length > 0) return false;
  return first.changes === undefined || first.isKeyed === true;
}

type Links<Properties> = readonly LinkTable<Properties>[] | undefined;

/** Inserts the references of a new entity in lists and objects. */
export function linkSteps<P>(links: Links<P>, id: string, properties: P): WriteStep[] {
  return (links ?? []).flatMap((link) => insertLinks(link, id, properties));
}

/** Replaces the references that a change has changed. */
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

/** One row for each referenced entity, however often a list contains it. */
function insertLinks<P>({ table, idsOf }: LinkTable<P>, id: string, properties: P): WriteStep[] {
  const sql = `INSERT INTO "${table}" (owner_id, other_id) VALUES (?, ?)`;
  return [...new Set(idsOf(properties))].map((other) => ({ sql, values: [id, other] }));
}

/** Deletes the children that the author may delete (CHD-4, AUT-2). */
export function cascadeSteps(
  cascades: readonly (string | GuardedCascade)[] | undefined,
  id: string,
  [{ subject }, rights]: readonly [author: { readonly subject: Subject }, rights: ChildRights],
): WriteStep[] {
  return (cascades ?? []).flatMap((cascade): WriteStep[] => {
    if (typeof cascade === "string") return [openEnded(cascade, [id])];
    const right = rights.get(cascade.children) ?? "all";
    if (right === "none") return [];
    if (right === "all") return [openEnded(cascade.delete, [id])];
    return [openEnded(cascade.deleteOwn, [id, subject.subjectId])];
  });
}

/**
 * Replaces each reference of an entity to itself by `itself`, so that it embeds its new values (REP-4). `steps` lead through
 * objects and lists to the references.
 */
export function withItself<T>(
  value: T,
  steps: readonly string[],
  idProperty: string,
  itself: object,
): T {
  // A reference is replaced by one of the same type.
  return replaced(value, steps, idProperty, itself) as T;
}

function replaced(
  value: unknown,
  steps: readonly string[],
  idProperty: string,
  itself: object,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => replaced(item, steps, idProperty, itself));
  }
  if (typeof value !== "object" || value === null) return value;
  const [step, ...rest] = steps;
  if (step === undefined) {
    return Reflect.get(value, idProperty) === Reflect.get(itself, idProperty) ? itself : value;
  }
  return { ...value, [step]: replaced(Reflect.get(value, step), rest, idProperty, itself) };
}
