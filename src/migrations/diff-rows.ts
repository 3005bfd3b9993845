import type { RowStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import { quoted } from "../diagnostics/quoted.js";
import type { ConvertedProperties, EntityModel } from "../model/entity-model.js";
import type { Draft } from "./draft.js";
import { otherValuesProblem } from "./edit-problem.js";
import { formerPlaces } from "./former-places.js";
import { before, lastStep, schemaPath } from "./paths.js";
import { columnAt } from "./sql/stored-values.js";
import type { Wanted } from "./wanted.js";

/**
 * Fills one side of a conversion from the other in the rows that exist, once: both are stored (VER-2). Where a draft has
 * changed its mind since an earlier migration, rows hold values that would be read as something else.
 */
export function convertRows(draft: Draft, wanted: Wanted): void {
  for (const entity of wanted.entities.values()) {
    const { table } = entity.name;
    const made = draft.history.filter(
      (step): step is RowStep => step.step === "convertRows" && step.table === table,
    );
    for (const one of entity.history.converted.filter(({ pair }) => wanted.pairs.has(pair))) {
      const before = made.findLast(({ pair }) => pair === one.pair);
      if (!refusesOther(draft, table, one, before)) convertBy(draft, wanted, table, one);
    }
    const converted = draft.steps.filter((step) => step.step === "convertRows");
    for (const step of made) {
      if (!converted.some(({ pair }) => pair === step.pair)) refuseTakenBack(draft, entity, step);
    }
  }
}

/** Fills a side of which all is new, from the other one, which rows have already. */
function convertBy(draft: Draft, wanted: Wanted, table: string, one: ConvertedProperties): void {
  const [older, newer] = [one.from, one.to];
  const isForward = isFilledNow(draft, table, { from: older, to: newer });
  if (!isForward && !isFilledNow(draft, table, { from: newer, to: older })) return;
  const to = comingBy(draft, table, isForward ? newer : older);
  const holder = before(to[0] ?? "");
  const from = (isForward ? older : newer).map((path) => holder + lastStep(path));
  const step = { step: "convertRows", table, pair: one.pair, from, to } as const;
  draft.add(isForward ? step : { ...step, isBack: true });
  neverNull(draft, wanted, table, to);
}

/** Whether the migration in the making adds all of one side, and rows have the other one. */
function isFilledNow(
  draft: Draft,
  table: string,
  { from, to }: Pick<ConvertedProperties, "from" | "to">,
): boolean {
  const coming = comingBy(draft, table, to);
  if (coming.length < to.length || comingBy(draft, table, from).length > 0) return false;
  const holder = before(coming[0] ?? "");
  return from.every(
    (path) => columnAt(draft.model, { table, path: holder + lastStep(path) }) !== null,
  );
}

/** Of some paths of schemas, those that the migration in the making adds or uses again, as the storage has them. */
function comingBy({ steps }: Draft, table: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    steps.flatMap((step) =>
      (step.step === "addColumn" || step.step === "restoreColumn") &&
      step.table === table &&
      schemaPath(step.path) === path
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

/** Refuses what an earlier migration has made of less, or has only renamed: it holds other values. */
function refusesOther(
  draft: Draft,
  table: string,
  { from, to }: ConvertedProperties,
  earlier: RowStep | undefined,
): boolean {
  const { length } = draft.problems;
  // An object may have another name by now, a property of the older version not.
  const known = [...(earlier?.from ?? []), ...(earlier?.to ?? [])].map(lastStep);
  const late = earlier && from.find((path) => !known.includes(lastStep(path)));
  if (late !== undefined) {
    const [path = ""] = to;
    const why = `${quoted(late)} goes now, and ${quoted(path)}, which custom code makes of it, already has values in existing rows`;
    draft.problems.push(otherValuesProblem(table, path, why));
  }
  for (const made of to) {
    const names = formerPlaces(draft.history, { table, path: made }).map((place) => place.path);
    const was = from.find((one) => names.includes(one));
    if (was === undefined) continue;
    const why = `${quoted(made)} holds what ${quoted(was)} was in existing rows: an earlier migration renamed it`;
    draft.problems.push(otherValuesProblem(table, made, why));
  }
  return draft.problems.length > length;
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
