import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import { referencesOf } from "../model/references.js";
import { linkName, targetOf } from "../storage/references.js";
import { itemsOf } from "../storage/item-tables.js";
import { NO_STORAGE, withModels } from "./apply-steps.js";
import type { Chain } from "./chain.js";
import { diffColumns } from "./diff-columns.js";
import { dropKeys, makeKeys } from "./diff-keys.js";
import { convertRows } from "./diff-rows.js";
import { renameColumns } from "./diff-renames.js";
import { Draft } from "./draft.js";
import { formerPlaces } from "./former-places.js";
import { isWithin, schemaPath } from "./paths.js";
import { conversionProblem, unknownFormerProblem, type EditProblem } from "./edit-problem.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { Wanted } from "./wanted.js";

/** What leads from one storage to another, or what stands in the way. */
export interface StorageDiff {
  readonly steps: readonly MigrationStep[];
  /** Where there are any, the steps lead only part of the way. */
  readonly problems: readonly EditProblem[];
}

/**
 * The steps from the storage that the migrations so far lead to, to the one that the schemas ask for: names first, then
 * what no longer holds, columns and values, and at last the keys and indexes of what is then there.
 */
export function diffStorage({ storage: before, migrations }: Chain, wanted: Wanted): StorageDiff {
  const draft = new Draft(
    before,
    migrations.flatMap(({ steps }) => steps),
  );
  const { tables } = wanted.model;
  const same = sameTables(before, tables);
  const changed = tables.filter(({ name }) => !same.has(name));
  renameTables(draft, wanted);
  restoreTables(draft, tables);
  for (const table of changed) renameColumns(draft, table, wanted.entities.get(table.name));
  renameLinks(draft, wanted);
  dropItems(draft, ({ name }) => !same.has(name));
  const renamed = draft.model;
  refuseRetargeted(draft, wanted);
  for (const table of present(draft)) {
    if (!same.has(table.name)) dropKeys(draft, table, named(tables, table));
  }
  for (const table of changed) diffColumns(draft, table, { ...wanted, renamed });
  convertRows(draft, wanted);
  dropItems(draft, (table) => draft.steps.some((step) => isMadeAnew(step, table)));
  removeTables(draft, tables);
  const there = new Set(present(draft).map(({ name }) => name));
  const missing = tables.filter(({ name }) => !there.has(name));
  draft.add(...missing.map((table) => ({ step: "createTable", table }) as const));
  for (const table of changed) makeKeys(draft, table);
  return { steps: draft.steps, problems: draft.problems };
}

/** The names of the tables that are as they are wanted; nearly all are, and comparing texts is quick. */
function sameTables(before: StorageModel, tables: readonly StoredTable[]): ReadonlySet<string> {
  const known = new Map(before.tables.map((table) => [table.name, JSON.stringify(table)]));
  const same = tables.filter((table) => known.get(table.name) === JSON.stringify(table));
  return new Set(same.map(({ name }) => name));
}

function present({ model }: Draft): readonly StoredTable[] {
  return model.tables;
}

function named(tables: readonly StoredTable[], { name }: StoredTable): StoredTable | undefined {
  return tables.find((table) => table.name === name);
}

/** A resource under another name keeps its rows; one that was removed before has them again. */
function renameTables(draft: Draft, { model, entities }: Wanted): void {
  const wanted = new Set(model.tables.map(({ name }) => name));
  const formers = [...entities.values()].flatMap(({ history }) => history.formerPlurals);
  const claimed = new Set([...wanted, ...formers]);
  for (const [to, { history }] of entities) {
    const retired = (draft.model.retired ?? []).map(({ name }) => name);
    if (draft.table(to) !== undefined || retired.includes(to)) continue;
    const free = history.formerPlurals.filter((name) => !wanted.has(name));
    const from =
      free.find((name) => draft.table(name) ?? retired.includes(name)) ??
      tableOnceCalled(draft, [to, ...history.formerPlurals], claimed);
    if (from === undefined) {
      const [former] = history.formerPlurals;
      // The first migration makes every table under its present name.
      const isFirst = draft.model.tables.length === 0;
      if (former !== undefined && !isFirst) {
        draft.problems.push(unknownFormerProblem(to, "", { former }));
      }
      continue;
    }
    if (draft.table(from) === undefined) draft.add({ step: "restoreTable", table: from });
    draft.add({ step: "renameTable", table: from, to });
  }
}

/** The table that had one of some names in an earlier migration, and that no resource is, or says to have been. */
function tableOnceCalled(
  draft: Draft,
  names: readonly string[],
  claimed: ReadonlySet<string>,
): string | undefined {
  const found = draft.model.tables.filter(
    ({ name, holds }) =>
      holds === "entities" &&
      !claimed.has(name) &&
      formerPlaces(draft.history, { table: name, path: "" }).some(({ table }) =>
        names.includes(table),
      ),
  );
  return found.length === 1 ? found[0]?.name : undefined;
}

/** A resource that was removed and is there again has its rows again. */
function restoreTables(draft: Draft, tables: readonly StoredTable[]): void {
  const retired = new Set((draft.model.retired ?? []).map(({ name }) => name));
  const back = tables.filter(({ name }) => retired.has(name));
  draft.add(...back.map(({ name }) => ({ step: "restoreTable", table: name }) as const));
}

/** A table of links is named after the resource, and the path of the reference. */
function renameLinks(draft: Draft, { entities }: Wanted): void {
  for (const entity of entities.values()) {
    const { table } = entity.name;
    for (const { property } of referencesOf(entity)) {
      const to = linkName(table, property.path);
      if (draft.table(to) !== undefined) continue;
      const was = formerPlaces(draft.steps, { table, path: property.path }).at(-1);
      const from = was && linkName(was.table, was.path);
      if (from === undefined || draft.table(from)?.holds !== "links") continue;
      draft.add({ step: "renameTable", table: from, to });
    }
  }
}

/** A reference that is kept, under its name or another one, or comes back, leads where it led. */
function refuseRetargeted(draft: Draft, { model, entities }: Wanted): void {
  for (const entity of entities.values()) {
    const { table } = entity.name;
    for (const { property } of referencesOf(entity)) {
      const { path } = property;
      const to = targetOf(model, table, path);
      const isThere = targetOf(draft.model, table, path);
      const from = isThere ?? formerTarget(draft, table, path);
      if (from === null || to === null || from === to) continue;
      const was = isThere === null ? "removed" : draft.was(table, path);
      const kinds = { from: `references to ${from}`, to: `references to ${to}` };
      draft.problems.push(conversionProblem(table, path, { ...kinds, was }));
    }
  }
}

/** Where a reference led that was removed, alone or with its resource, and whose values are kept; null: there is none. */
function formerTarget({ history }: Draft, table: string, path: string): string | null {
  let target: string | null = null;
  let isKept = false;
  for (const { step, model } of withModels(NO_STORAGE, history)) {
    target = targetOf(model, table, path) ?? target;
    if (step.step === "retireTable" && step.table === table) isKept = true;
    if (!("path" in step) || step.table !== table) continue;
    if (!isWithin(path, schemaPath(step.path))) continue;
    if (step.step === "retireColumn") isKept = true;
    if (step.step === "dropColumn" || step.step === "restoreColumn") isKept = false;
  }
  return isKept && target !== null ? laterName(history, target) : null;
}

/** What a table is called now that had a name in an earlier migration. */
function laterName(history: readonly MigrationStep[], former: string): string {
  let name = former;
  for (const step of history)
    if (step.step === "renameTable" && step.table === name) name = step.to;
  return name;
}

/** A table of items is a copy with triggers: one that no longer fits is dropped, and created again at the end. */
function dropItems(draft: Draft, isStale: (table: StoredTable) => boolean): void {
  const stale = present(draft).filter((table) => table.holds === "items" && isStale(table));
  for (const table of stale) dropCopy(draft, table);
}

function dropCopy(draft: Draft, { name }: StoredTable): void {
  draft.add({ step: "retireTable", table: name }, { step: "dropTable", table: name });
}

/** Whether a step replaces the column of a list, which the triggers of its items read. */
function isMadeAnew(step: MigrationStep, table: StoredTable): boolean {
  const list = itemsOf(table);
  const [column] = list?.path.split(".") ?? [];
  if (!("table" in step) || step.table !== list?.table) return false;
  if (step.step === "convertRows") {
    return [...step.from, ...step.to].some((path) => path.split(/[.[]/)[0] === column);
  }
  return "path" in step && step.path === column && step.step !== "changeValues";
}

const COPIES: readonly StoredTable["holds"][] = ["links", "search", "items"];

/** Copies of what is in other tables are dropped at once. Others stay until `drop-columns`. */
function removeTables(draft: Draft, tables: readonly StoredTable[]): void {
  const wanted = new Set(tables.map(({ name }) => name));
  for (const table of present(draft)) {
    if (wanted.has(table.name)) continue;
    if (COPIES.includes(table.holds)) dropCopy(draft, table);
    else draft.add({ step: "retireTable", table: table.name });
  }
}
