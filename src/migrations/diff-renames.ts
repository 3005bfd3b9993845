import type { StoredTable, StoredValue } from "#runtime/store/storage-model";
import type { EntityHistory, EntityModel } from "../model/entity-model.js";
import type { Draft } from "./draft.js";
import { sameColumnProblem, takenNameProblem, unknownFormerProblem } from "./edit-problem.js";
import { formerPlaces } from "./former-places.js";
import { sameColumn } from "./named-items.js";
import { lastStep, schemaPath } from "./paths.js";

/** The columns, or the members of an object, that stand side by side. */
interface Side {
  readonly table: string;
  /** `lines[].`; "" for the columns of the table. */
  readonly inside: string;
  readonly before: readonly StoredValue[];
  /** They keep their names. */
  readonly retired: readonly StoredValue[];
  readonly after: readonly StoredValue[];
  readonly renamed: EntityHistory["renamed"];
  readonly removed: EntityHistory["removed"];
}

/** Gives the columns of a table the names that they are wanted to have. */
export function renameColumns(
  draft: Draft,
  wanted: StoredTable,
  entity: EntityModel | undefined,
): void {
  const table = draft.table(wanted.name);
  if (table === undefined) return;
  renameKey(draft, table, wanted);
  const { columns = [], retired = [] } = draft.table(wanted.name) ?? {};
  const { renamed, removed } = entity?.history ?? { renamed: {}, removed: [] };
  renameSide(draft, {
    table: wanted.name,
    inside: "",
    before: columns,
    retired,
    after: wanted.columns,
    renamed,
    removed,
  });
}

/** The identifier is named after the entity, and is never anything else. */
function renameKey(draft: Draft, { name, primaryKey }: StoredTable, wanted: StoredTable): void {
  const [from, to] = [primaryKey[0], wanted.primaryKey[0]];
  if (primaryKey.length > 1 || from === undefined || to === undefined || from === to) return;
  draft.add({ step: "renameColumn", table: name, path: from, to });
}

function renameSide(draft: Draft, side: Side): void {
  const { table, inside, before, retired, after, renamed } = side;
  let unclaimed = unclaimedIn(side);
  for (const column of after) {
    const path = inside + column.name;
    const formers = renamed[schemaPath(path)] ?? [];
    const was = before.find(({ name }) => name === column.name);
    const held =
      was ??
      before.find(({ name }) => formers.includes(name)) ??
      onceCalled(draft, side, unclaimed, { name: column.name, formers });
    unclaimed = unclaimed.filter((one) => one !== held);
    if (held === undefined) {
      const [former] = formers;
      const known = unclaimed.map(({ name }) => name);
      if (former !== undefined)
        draft.problems.push(unknownFormerProblem(table, path, { former, known }));
      continue;
    }
    if (was === undefined && retired.some(({ name }) => name === column.name)) {
      draft.problems.push(takenNameProblem(table, path, held.name));
      continue;
    }
    const others = [...before, ...retired].filter((one) => one !== held);
    const other = inside === "" && was === undefined ? sameColumn(column.name, others) : null;
    if (other !== null) {
      draft.problems.push(sameColumnProblem(table, path, other));
      continue;
    }
    if (was === undefined) {
      draft.add({ step: "renameColumn", table, path: inside + held.name, to: column.name });
    }
    renameInside(draft, side, column, held);
  }
}

/** What has no name that is wanted, and that nothing wanted says to have been; removed neither. */
function unclaimedIn({ inside, before, after, renamed, removed }: Side): readonly StoredValue[] {
  const claimed = after.flatMap(({ name }) => [
    name,
    ...(renamed[schemaPath(inside + name)] ?? []),
  ]);
  return before.filter(
    ({ name }) => !claimed.includes(name) && !removed.includes(schemaPath(inside + name)),
  );
}

/**
 * What had one of some names in an earlier migration: an older version calls a property as it was called then, however
 * often a draft has changed its mind. Undefined where several had.
 */
function onceCalled(
  draft: Draft,
  { table, inside, retired }: Side,
  unclaimed: readonly StoredValue[],
  { name, formers }: { readonly name: string; readonly formers: readonly string[] },
): StoredValue | undefined {
  const isKept = retired.some((one) => one.name === name);
  const names = isKept ? formers : [name, ...formers];
  const found = unclaimed.filter((one) =>
    formerPlaces(draft.history, { table, path: inside + one.name }).some(({ path }) =>
      names.includes(lastStep(path)),
    ),
  );
  return found.length === 1 ? found[0] : undefined;
}

function renameInside(draft: Draft, side: Side, column: StoredValue, held: StoredValue): void {
  const path = side.inside + column.name;
  const [old, now] = [held.encoding, column.encoding];
  if (old.members && now.members) {
    const { members: before, retired = [] } = old;
    renameSide(draft, { ...side, inside: `${path}.`, before, retired, after: now.members });
  }
  const [oldItems, items] = [old.items?.encoding.members, now.items?.encoding.members];
  if (oldItems && items) {
    const { retired = [] } = old.items?.encoding ?? {};
    const inside = `${path}[].`;
    renameSide(draft, { ...side, inside, before: oldItems, retired, after: items });
  }
}
