import type { MigrationStep } from "#kernel/store/migration-step";
import type { ChainMigration } from "./chain.js";
import { isWithin } from "./paths.js";

/** What a step changes, and what has to stay as it is for it: `orders`, `orders.fax`. */
interface Touched {
  readonly changes: readonly string[];
  readonly needs: readonly string[];
}

type Written = Pick<ChainMigration, "steps" | "isHandWritten">;

/**
 * Where two migrations that do not know of each other get in each other's way: what both change, or one changes and the
 * other needs. Null: they can be applied in either order.
 */
export function conflictOf(one: Written, other: Written): string | null {
  // Nothing says what statements by hand do.
  if (isUntold(one) || isUntold(other)) return "what was written by hand";
  for (const mine of one.steps.map(touchedBy)) {
    for (const theirs of other.steps.map(touchedBy)) {
      const found =
        overlap(mine.changes, theirs.changes) ??
        overlap(mine.changes, theirs.needs) ??
        overlap(mine.needs, theirs.changes);
      if (found !== null) return found;
    }
  }
  return null;
}

function isUntold({ steps, isHandWritten }: Written): boolean {
  return isHandWritten && steps.length === 0;
}

function touchedBy(step: MigrationStep): Touched {
  switch (step.step) {
    case "createTable": {
      const { name, foreignKeys, indexes } = step.table;
      const others = foreignKeys.map(({ table }) => table).filter((table) => table !== name);
      return { changes: [name, ...indexes.map((index) => `index ${index.name}`)], needs: others };
    }
    case "renameTable":
      return { changes: [step.table, step.to], needs: [] };
    case "retireTable":
    case "restoreTable":
    case "dropTable":
      return { changes: [step.table], needs: [] };
    case "addIndex": {
      const { name, terms } = step.index;
      return { changes: [`index ${name}`], needs: terms.map((term) => `${step.table}.${term}`) };
    }
    case "renameIndex":
      return { changes: [`index ${step.index}`, `index ${step.to}`], needs: [step.table] };
    case "dropIndex":
      return { changes: [`index ${step.index}`], needs: [] };
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

/** The inner one of two places that are the same, or of which one is in the other. */
function overlap(ours: readonly string[], theirs: readonly string[]): string | null {
  for (const one of ours) {
    const found = theirs.find((other) => isWithin(one, other) || isWithin(other, one));
    if (found !== undefined) return found.length > one.length ? found : one;
  }
  return null;
}
