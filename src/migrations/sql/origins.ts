import type { MigrationStep } from "#runtime/store/migrations/migration";
import { conversionOf, type Conversion } from "../conversions.js";
import { isWithin } from "../paths.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";

/** Where a value stands before a migration, and what becomes of it on the way. */
export interface Origin {
  readonly table: string;
  readonly path: string;
  /** In the order in which they are made. */
  readonly conversions: readonly Conversion[];
  /** It is not there before: no row holds what could stand in the way. */
  readonly isNew: boolean;
}

/** The first steps of a migration, so many of them. */
export interface Earlier {
  readonly steps: readonly MigrationStep[];
  readonly count: number;
}

/** Follows a value back through the steps that lead to it. */
export function originOf(
  earlier: Earlier,
  table: string,
  path: string,
  dialect: SqlDialect,
): Origin {
  let origin: Origin = { table, path, conversions: [], isNew: false };
  for (const step of latestFirst(earlier)) origin = stepBack(origin, step, dialect);
  return origin;
}

function* latestFirst({ steps, count }: Earlier): Generator<MigrationStep> {
  for (let index = count - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step !== undefined) yield step;
  }
}

/** The name that a table has before some steps. */
export function tableBefore(earlier: Earlier, table: string): string {
  let name = table;
  for (const step of latestFirst(earlier)) {
    if (step.step === "renameTable" && step.to === name) name = step.table;
  }
  return name;
}

function stepBack(origin: Origin, step: MigrationStep, dialect: SqlDialect): Origin {
  const { table, path, conversions } = origin;
  switch (step.step) {
    case "renameTable":
      return step.to === table ? { ...origin, table: step.table } : origin;
    case "createTable":
      return step.table.name === table ? { ...origin, isNew: true } : origin;
    case "addColumn":
      return step.table === table && isWithin(path, step.path)
        ? { ...origin, isNew: true }
        : origin;
    case "renameColumn": {
      const now = step.path.slice(0, step.path.lastIndexOf(".") + 1) + step.to;
      const isMeant = step.table === table && isWithin(path, now);
      return isMeant ? { ...origin, path: step.path + path.slice(now.length) } : origin;
    }
    case "convertColumn": {
      if (step.table !== table || step.path !== path) return origin;
      const place = /[.[]/.test(path) ? "json" : "column";
      const found = conversionOf({ from: step.from, to: step.to, place, dialect });
      return found === null ? origin : { ...origin, conversions: [found, ...conversions] };
    }
    default:
      return origin;
  }
}
