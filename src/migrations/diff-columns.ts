import { TENANT } from "../storage/own-columns.js";
import type {
  Encoding,
  HeldValue,
  StorageModel,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";
import type { EntityModel } from "../model/entity-model.js";
import { conversionOf, heldWords, isTextApart } from "./conversions.js";
import type { Draft } from "./draft.js";
import {
  conversionProblem,
  goneProblem,
  sameColumnProblem,
  unfilledProblem,
  unownedProblem,
  type Unconverted,
} from "./edit-problem.js";
import { sameColumn } from "./named-items.js";
import { targetOf } from "../storage/references.js";
import { schemaPath } from "./paths.js";
import { backfillOf, type Wanted } from "./wanted.js";

/** Columns, or members of an object, as they are and as they are wanted. */
interface Side {
  readonly table: string;
  readonly entity: EntityModel | undefined;
  /** As `Wanted` has them. */
  readonly pairs: ReadonlySet<string>;
  readonly shownInstead: ReadonlySet<string>;
  /** To which table a reference of the table leads, as it is and as it is wanted. */
  readonly target: { readonly before: TargetOf; readonly after: TargetOf };
  /** `lines[].`; "" for the columns of the table. */
  readonly inside: string;
  readonly before: readonly StoredValue[];
  readonly retired: readonly StoredValue[];
  readonly after: readonly StoredValue[];
}

type TargetOf = (path: string) => string | null;

/** Gives a table the columns that it is wanted to have; those that go are retired where the schema says so. */
export function diffColumns(
  draft: Draft,
  wanted: StoredTable,
  { model, renamed, entities, pairs, shownInstead }: Wanted & { readonly renamed: StorageModel },
): void {
  const table = draft.table(wanted.name);
  if (table === undefined) return;
  const { columns, retired = [] } = table;
  diffSide(draft, {
    table: wanted.name,
    entity: entities.get(wanted.name),
    pairs,
    shownInstead,
    target: {
      before: (path) => targetOf(renamed, wanted.name, schemaPath(path)),
      after: (path) => targetOf(model, wanted.name, schemaPath(path)),
    },
    inside: "",
    before: columns,
    retired,
    after: wanted.columns,
  });
}

function diffSide(draft: Draft, side: Side): void {
  const { before, after, retired } = side;
  for (const column of after) {
    const was = before.find(({ name }) => name === column.name);
    const kept = retired.find(({ name }) => name === column.name);
    if (was !== undefined) diffColumn(draft, side, was, column);
    else if (kept !== undefined) restore(draft, side, kept, column);
    else add(draft, side, column);
  }
  const gone = before.filter(({ name }) => !after.some((column) => column.name === name));
  for (const column of gone) retire(draft, side, column);
}

/** A property that was removed and is there again has its values again; rows that were made in between have none. */
function restore(draft: Draft, side: Side, kept: StoredValue, column: StoredValue): void {
  const { table, entity, inside } = side;
  const path = inside + column.name;
  const backfill = column.nullable ? null : backfillOf(entity, path);
  // A column is null where it has no value; a member is not there.
  const isFilled = backfill !== null || (inside !== "" && column.nullable);
  draft.add({
    ...({ step: "restoreColumn", table, path } as const),
    ...(isFilled && { filled: { column, backfill } }),
  });
  // Rows without a value get it from the other side of a conversion before the column is never null.
  const isMade = !column.nullable && backfill === null && isConverted(side, column.name);
  diffColumn(draft, side, kept, isMade ? { ...column, nullable: true } : column);
}

function add(draft: Draft, side: Side, column: StoredValue): void {
  const { table, entity, inside } = side;
  const path = inside + column.name;
  const other = inside === "" ? sameColumn(column.name, [...side.before, ...side.retired]) : null;
  if (other !== null) {
    draft.problems.push(sameColumnProblem(table, path, other));
    return;
  }
  const backfill = column.nullable ? null : backfillOf(entity, path);
  const isUnfilled = !column.nullable && backfill === null;
  if (isUnfilled && !isConverted(side, column.name)) {
    draft.problems.push(
      path === TENANT
        ? unownedProblem(table)
        : unfilledProblem(table, path, entity?.parent?.property === path),
    );
    return;
  }
  // Null until own code has made it of others.
  const added = isUnfilled ? { ...column, nullable: true } : column;
  draft.add({ step: "addColumn", table, path, column: added, backfill });
}

/** Whether rows get it from the other side of a conversion, all of which the same object has (VER-2). */
function isConverted({ entity, pairs, inside, before }: Side, name: string): boolean {
  const path = schemaPath(inside + name);
  const isThere = (other: string): boolean =>
    before.some((one) => schemaPath(inside + one.name) === other);
  return (entity?.history.converted ?? []).some(
    ({ pair, from, to }) =>
      pairs.has(pair) &&
      ((to.includes(path) && from.every(isThere)) || (from.includes(path) && to.every(isThere))),
  );
}

function retire(draft: Draft, side: Side, { name, encoding, nullable }: StoredValue): void {
  const { table, entity, inside, before, after, target } = side;
  const path = inside + name;
  // What was converted holds nothing that its other side does not hold.
  const isConverted = draft.history.some(
    (step) => step.step === "convertRows" && step.table === table && step.from.includes(path),
  );
  if (isConverted || entity?.history.removed.includes(schemaPath(path)) === true) {
    draft.add({ step: "retireColumn", table, path });
    return;
  }
  const isNew = (column: StoredValue): boolean => !before.some((old) => old.name === column.name);
  // Where another parent is refused, nothing is to be said of the former one: it is to stay.
  const isParent = (column: StoredValue): boolean => column.name === entity?.parent?.property;
  const leads = target.before(path);
  if (!nullable && leads !== null && after.some((one) => isParent(one) && isNew(one))) return;
  const come = after.find(
    (column) =>
      column.encoding.form === encoding.form &&
      isNew(column) &&
      leads === target.after(inside + column.name),
  );
  draft.problems.push(goneProblem(table, path, come?.name ?? null));
}

function diffColumn(draft: Draft, side: Side, before: StoredValue, after: StoredValue): void {
  const path = side.inside + after.name;
  const [were, are] = [before.encoding.values ?? [], after.encoding.values ?? []];
  const isDisjoint = were.length > 0 && !were.some((value) => are.includes(value));
  // A row with one of the old values could be changed to null at most.
  if (isDisjoint && are.length > 0 && !after.nullable) {
    const kinds = { from: `one of ${were.join(", ")}`, to: `one of ${are.join(", ")}` };
    draft.problems.push(
      conversionProblem(side.table, path, { ...kinds, was: was(draft, side, path) }),
    );
    return;
  }
  const isConverted = diffHeld(draft, { ...side, path }, before, after);
  if (isConverted && before.nullable !== after.nullable) {
    draft.add({ step: "setNullable", table: side.table, path, nullable: after.nullable });
  }
}

function was(draft: Draft, { table, inside, retired }: Side, path: string): Unconverted["was"] {
  const isBack = retired.some(({ name }) => schemaPath(inside + name) === schemaPath(path));
  return isBack ? "removed" : draft.was(table, path);
}

/** A column, or an item of a list, and what stands beside it. */
interface Place extends Side {
  readonly path: string;
}

/** False where the values cannot be converted. */
function diffHeld(draft: Draft, at: Place, before: HeldValue, after: HeldValue): boolean {
  const { table, path } = at;
  let held = before;
  const isSame = isSameEncoding(before, after);
  const place = /[.[]/.test(path) ? "json" : "column";
  const asked = { from: before, to: after, place, dialect: "sqlite" } as const;
  if ((!isSame && conversionOf(asked) === null) || isTextApart(before, after)) {
    const kinds = { from: heldWords(before), to: heldWords(after) };
    draft.problems.push(conversionProblem(table, path, { ...kinds, was: was(draft, at, path) }));
    return false;
  }
  if (!isSame) {
    // Its bounds are looked at after it: values of another kind had others.
    held = { type: after.type, encoding: after.encoding, bounds: {} };
    draft.add({ step: "convertColumn", table, path, from: heldBy(before), to: held });
  }
  diffInside(draft, at, held.encoding, after.encoding);
  diffValues(draft, at, held, after);
  return true;
}

/** Without the name and the nullability of the column. */
function heldBy({ type, encoding, bounds }: HeldValue): HeldValue {
  return { type, encoding, ...(bounds && { bounds }) };
}

function diffInside(draft: Draft, at: Place, old: Encoding, now: Encoding): void {
  const { path } = at;
  if (old.members && now.members) {
    const { members: before, retired = [] } = old;
    diffSide(draft, { ...at, inside: `${path}.`, before, retired, after: now.members });
  }
  if (old.items && now.items) {
    diffHeld(draft, { ...at, path: `${path}[]` }, old.items, now.items);
  }
}

function diffValues(
  draft: Draft,
  { table, path, shownInstead }: Place,
  before: HeldValue,
  after: HeldValue,
): void {
  const facts = ({ encoding, bounds }: HeldValue): string =>
    JSON.stringify([encoding.values ?? null, sortedEntries(bounds)]);
  if (after.bounds === undefined || facts(before) === facts(after)) return;
  const { encoding, bounds } = after;
  const isNew = encoding.values?.some((one) => before.encoding.values?.includes(one) !== true);
  const isShownInstead =
    isNew === true && shownInstead.has(`${table}.${schemaPath(path).replace(/\[\]$/, "")}`);
  draft.add({
    ...({ step: "changeValues", table, path, values: encoding.values ?? null, bounds } as const),
    ...(isShownInstead && { isShownInstead }),
  });
}

function sortedEntries(bounds: HeldValue["bounds"]): unknown {
  return bounds && Object.entries(bounds).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether values are read alike: what an object or a list holds is compared by itself. */
function isSameEncoding(before: HeldValue, after: HeldValue): boolean {
  return before.type === after.type && details(before) === details(after);
}

function details({ encoding }: HeldValue): string {
  const {
    values: _values,
    members: _members,
    items: _items,
    retired: _retired,
    ...rest
  } = encoding;
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}
