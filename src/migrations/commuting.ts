import type { IndexStep, MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import { applySteps, withModels } from "./apply-steps.js";
import type { ChainMigration } from "./chain.js";
import { copiedPlace } from "../storage/copy-tables.js";
import { isWithin } from "./paths.js";
import { staleIndexes } from "./sql/index-remakes.js";
import { filledPath } from "./sql/links.js";
import { replacedColumn } from "./sql/sqlite-columns.js";

/** What a step changes, and what has to stay as it is for it: `orders`, `orders.fax`. */
interface Touched {
  readonly changes: readonly string[];
  readonly needs: readonly string[];
}

/** A migration, and the storage that it was made on top of. */
export interface Written extends Pick<ChainMigration, "steps" | "isHandWritten"> {
  readonly before: StorageModel;
}

/**
 * Where two migrations that do not know of each other get in each other's way: what both change, or one changes and the
 * other needs. Null: they can be applied in either order.
 */
export function conflictOf(one: Written, other: Written): string | null {
  // Nothing says what statements by hand do.
  if (isUntold(one) || isUntold(other)) return "what was written by hand";
  const others = touchedBy(other);
  for (const mine of touchedBy(one)) {
    for (const theirs of others) {
      const found =
        overlap(mine.changes, theirs.changes) ??
        overlap(mine.changes, theirs.needs) ??
        overlap(mine.needs, theirs.changes);
      if (found !== null) return found;
    }
  }
  return null;
}

type Turn = Parameters<typeof filledPath>[1];

function isUntold({ steps, isHandWritten }: Written): boolean {
  return isHandWritten && steps.length === 0;
}

function touchedBy({ before, steps }: Written): readonly Touched[] {
  return withModels(before, steps).flatMap(({ step, model }) => [
    touchedByStep(step, { model, steps }),
    remade(step, model),
  ]);
}

/**
 * The column that a step replaces, and the indexes that it drops and makes again: no other branch may change them. The
 * identifier has to keep its name, because checks and indexes use it.
 */
function remade(step: MigrationStep, model: StorageModel): Touched {
  const table = model.tables.find(({ name }) => "table" in step && name === step.table);
  if (table === undefined || step.step === "renameColumn") return { changes: [], needs: [] };
  const after = applySteps(model, [step]).tables.find(({ name }) => name === table.name);
  const column = replacedColumn(step, model);
  const keys = (after?.foreignKeys ?? []).filter((key) => key.column === column);
  const indexes = (["sqlite", "postgres"] as const).flatMap((dialect) =>
    staleIndexes(model, step, dialect),
  );
  return {
    changes: [
      ...(column === null ? [] : [`${table.name}.${column}`]),
      ...indexes.map(({ name }) => `index ${name}`),
    ],
    needs: [
      ...table.primaryKey.map((key) => `${table.name}.${key}`),
      ...keys.map((key) => `${key.table}.${key.key}`),
    ],
  };
}

function touchedByStep(step: MigrationStep, turn: Turn): Touched {
  switch (step.step) {
    case "createTable": {
      const { name, foreignKeys, indexes } = step.table;
      const filled = filledPath(step.table, turn);
      const copied = copiedPlace(step.table);
      const others = foreignKeys.filter(({ table }) => table !== name);
      const needs = others.map(({ table, key }) => `${table}.${key}`);
      if (filled !== null) needs.push(`${String(foreignKeys[0]?.table)}.${filled}`);
      if (copied !== null) {
        needs.push(`${copied.table}.${copied.key}`, `${copied.table}.${copied.path}`);
      }
      return { changes: [name, ...indexes.map((index) => `index ${index.name}`)], needs };
    }
    case "renameTable":
      return { changes: [step.table, step.to], needs: [] };
    case "retireTable":
    case "restoreTable":
    case "dropTable":
      return { changes: [step.table], needs: [] };
    case "convertRows": {
      const paths = [...step.from, ...step.to];
      return { changes: paths.map((path) => `${step.table}.${path}`), needs: [] };
    }
    case "addIndex":
    case "renameIndex":
    case "dropIndex":
      return touchedByIndexStep(step, turn);
    case "addForeignKey": {
      const { name, column, table, key } = step.foreignKey;
      const needs = [`${step.table}.${column}`, `${table}.${key}`];
      return { changes: [`foreign key ${name}`], needs };
    }
    case "renameForeignKey":
      return { changes: [`foreign key ${step.foreignKey}`, `foreign key ${step.to}`], needs: [] };
    case "dropForeignKey":
      return { changes: [`foreign key ${step.foreignKey}`], needs: [] };
    case "renameColumn": {
      const to = step.path.slice(0, step.path.lastIndexOf(".") + 1) + step.to;
      return { changes: [`${step.table}.${step.path}`, `${step.table}.${to}`], needs: [] };
    }
    default:
      return { changes: [`${step.table}.${step.path}`], needs: [] };
  }
}

function touchedByIndexStep(step: IndexStep, { model }: Turn): Touched {
  const table = model.tables.find(({ name }) => name === step.table);
  const needs = (terms: readonly string[]): readonly string[] =>
    terms.map((term) => `${step.table}.${term}`);
  switch (step.step) {
    case "addIndex":
      return { changes: [`index ${step.index.name}`], needs: needs(step.index.terms) };
    case "renameIndex": {
      const { terms = [] } = table?.indexes.find(({ name }) => name === step.index) ?? {};
      return { changes: [`index ${step.index}`, `index ${step.to}`], needs: needs(terms) };
    }
    case "dropIndex":
      return { changes: [`index ${step.index}`], needs: [] };
  }
}

/** The inner one of two places that are the same, or of which one is in the other; SQLite does not tell `A` from `a`. */
function overlap(ours: readonly string[], theirs: readonly string[]): string | null {
  for (const one of ours) {
    const mine = one.toLowerCase();
    const found = theirs.find(
      (other) => isWithin(mine, other.toLowerCase()) || isWithin(other.toLowerCase(), mine),
    );
    if (found !== undefined) return found.length > one.length ? found : one;
  }
  return null;
}
