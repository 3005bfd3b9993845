import type { RowStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import { quoted } from "../diagnostics/quoted.js";
import type { ConvertedProperties, EntityModel } from "../model/entity-model.js";
import type { Draft } from "./draft.js";
import { otherValuesProblem } from "./edit-problem.js";
import { formerPlaces } from "./former-places.js";
import { lastStep, schemaPath } from "./paths.js";
import { columnAt } from "./sql/stored-values.js";
import type { Wanted } from "./wanted.js";

/**
 * What the service's own code makes of properties that go, it makes in the rows that exist, once (VER-2). Where a draft
 * has changed its mind since an earlier migration, rows hold values that would be read as something else.
 */
export function convertRows(draft: Draft, wanted: Wanted): void {
  for (const entity of wanted.entities.values()) {
    const { table } = entity.name;
    const made = draft.history.filter(
      (step): step is RowStep => step.step === "convertRows" && step.table === table,
    );
    for (const one of entity.history.converted.filter(({ pair }) => wanted.pairs.has(pair))) {
      if (!convertBy(draft, wanted, table, one)) refuseOlder(draft, table, one);
    }
    for (const step of made) refuseTakenBack(draft, entity, step);
  }
}

/** False where all of it has to be there and is not. */
function convertBy(draft: Draft, wanted: Wanted, table: string, one: ConvertedProperties): boolean {
  const { pair, from, to } = one;
  const before = movedBy(draft, "retireColumn", table, from);
  const after = movedBy(draft, "addColumn", table, to);
  if (before.length < from.length || after.length < to.length) return false;
  draft.add({ step: "convertRows", table, pair, from: before, to: after });
  neverNull(draft, wanted, table, after);
  return true;
}

/** Of some paths of schemas, those that the migration in the making retires, or adds, as the storage has them. */
function movedBy(
  { steps }: Draft,
  name: "retireColumn" | "addColumn",
  table: string,
  paths: readonly string[],
): readonly string[] {
  return paths.flatMap((path) =>
    steps.flatMap((step) =>
      step.step === name && step.table === table && schemaPath(step.path) === path
        ? [step.path]
        : [],
    ),
  );
}

/** What own code has made of others is never null from then on, where the schema says so. */
function neverNull(draft: Draft, { model }: Wanted, table: string, paths: readonly string[]): void {
  for (const path of paths) {
    const isNullable = (storage: StorageModel): boolean =>
      columnAt(storage, { table, path })?.nullable === true;
    if (isNullable(draft.model) && !isNullable(model)) {
      draft.add({ step: "setNullable", table, path, nullable: false });
    }
  }
}

/** Refuses what goes too late, and what holds the values of the older version, since an earlier migration renamed it. */
function refuseOlder(draft: Draft, table: string, { from, to }: ConvertedProperties): void {
  const [late] = movedBy(draft, "retireColumn", table, from);
  const [path = ""] = to;
  if (late !== undefined) {
    const why = `${quoted(schemaPath(late))} goes now, and ${quoted(path)}, which custom code makes of it, already has values in existing rows`;
    draft.problems.push(otherValuesProblem(table, path, why));
  }
  for (const made of to) {
    const names = formerPlaces(draft.history, { table, path: made }).map((place) => place.path);
    const was = from.find((one) => names.includes(one));
    if (was === undefined) continue;
    const why = `${quoted(made)} holds what ${quoted(was)} was in existing rows: an earlier migration renamed it`;
    draft.problems.push(otherValuesProblem(table, made, why));
  }
}

/** Refuses what an earlier migration has converted where it is to be what it was before. */
function refuseTakenBack(draft: Draft, { name, history }: EntityModel, step: RowStep): void {
  const { table } = name;
  const from = step.from.map(schemaPath);
  for (const other of draft.steps) {
    if (other.step !== "restoreColumn" || other.table !== table) continue;
    const path = schemaPath(other.path);
    if (!from.includes(path)) continue;
    const why = `${quoted(path)} was converted by an earlier migration, and holds the values of that time`;
    draft.problems.push(otherValuesProblem(table, path, why));
  }
  for (const made of step.to.map(schemaPath)) {
    const isMade = history.converted.some(({ to }) => to.includes(made));
    const was = from.find((one) => history.renamed[made]?.includes(lastStep(one)) === true);
    if (isMade || was === undefined) continue;
    const why = `${quoted(made)} was made of ${quoted(was)} by custom code in existing rows, and is not the same under another name`;
    draft.problems.push(otherValuesProblem(table, made, why));
  }
}
