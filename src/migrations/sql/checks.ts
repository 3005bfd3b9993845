import { withModels } from "../apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { ForeignKey, StorageModel, StoredTable } from "#runtime/store/storage-model";
import { sqlName, sqlText } from "../../naming/encoders.js";
import { nameOf, termExpression } from "../../storage/sql-names.js";
import { comparedText, type SqlDialect } from "../../storage/sql-dialect.js";
import { conversionOf, type TextRule } from "../conversions.js";
import { schemaPath } from "../paths.js";
import { rowsWith, violations, type ValueCondition } from "./conditions.js";
import { isInner } from "./inner-edits.js";
import { filledPath } from "./links.js";
import { newRules, readCheck } from "./reads.js";
import { originOf, tableBefore, type Earlier, type Origin } from "./origins.js";
import { rowCheck } from "./row-conversions.js";
import type { Statement } from "./statement.js";
import { heldAt, withRetired } from "./stored-values.js";

/** What a check is made of: the storage before the migration, and the steps up to the one that asks. */
interface Asking {
  readonly before: StorageModel;
  /** Likewise, with what is retired as if it were used. */
  readonly stored: StorageModel;
  readonly steps: Earlier;
  /** The storage that the step is applied to. */
  readonly model: StorageModel;
  readonly dialect: SqlDialect;
}

/** The rows that stand in the way of a migration, each kind as one query. Run on the storage before it. */
export function checksOf(
  before: StorageModel,
  steps: readonly MigrationStep[],
  dialect: SqlDialect,
): readonly Statement[] {
  const stored = withRetired(before);
  return withModels(before, steps).flatMap(({ step, index, model }) => {
    const asking = { before, stored, steps: { steps, count: index }, model, dialect };
    switch (step.step) {
      case "setNullable":
        if (step.nullable || isFilled(steps.slice(0, index), step)) return [];
        return check(asking, step, "is null", isNull);
      case "convertColumn":
        return conversionCheck(asking, step);
      case "changeValues":
        return valueChecks(asking, step);
      case "addIndex":
        return step.index.unique ? uniqueCheck(asking, step.table, step.index.terms) : [];
      case "addForeignKey":
        return keyCheck(
          asking,
          { table: step.table, path: step.foreignKey.column },
          step.foreignKey,
        );
      case "createTable":
        return linkCheck(asking, step.table);
      case "convertRows":
        return [rowCheck(step, asking)];
      default:
        return [];
    }
  });
}

type Step<Name> = Extract<MigrationStep, { readonly step: Name }>;

interface At {
  readonly table: string;
  readonly path: string;
}

/** Nothing where the value is not there before the migration. */
function check(asking: Asking, at: At, what: string, condition: ValueCondition): Statement[] {
  const { stored, dialect } = asking;
  const { origin, table } = placeBefore(asking, at);
  if (origin.isNew || table === undefined) return [];
  const rows = rowsWith(
    stored,
    origin,
    (value, holder) => condition(converted(asking, at, origin, value), holder),
    dialect,
  );
  return [checkOf(at.table, table, `${schemaPath(at.path)} ${what}`, rows)];
}

/** As `check`, by the service's own reader. */
function read(asking: Asking, at: At, rules: readonly TextRule[]): Statement[] {
  const { origin, table } = placeBefore(asking, at);
  if (origin.isNew || table === undefined) return [];
  return rules.map((rule) => readCheck(at, table, origin, rule));
}

function placeBefore({ stored, steps, dialect }: Asking, { table, path }: At) {
  const origin = originOf(steps, table, path, dialect);
  return { origin, table: stored.tables.find(({ name }) => name === origin.table) };
}

function checkOf(name: string, was: StoredTable, what: string, rows: string): Statement {
  return {
    kind: "check",
    what: `rows of ${name} whose ${what}`,
    sql: `SELECT ${identifierOf(was)} FROM ${nameOf(was, was.name)} WHERE ${rows}`,
  };
}

/** A value as it will be; what will be a text inside JSON, as something that compares like a column. */
function converted({ model }: Asking, at: At, origin: Origin, value: string): string {
  const { conversions, path } = origin;
  const made = conversions.reduce((before, one) => `(${one.convert(before)})`, value);
  const held = isInner(path) ? heldAt(model, at) : null;
  return held === null || conversions.every(({ isSame }) => isSame)
    ? made
    : comparedText(made, held);
}

/** Whether a migration gives a value to every row before. */
function isFilled(steps: readonly MigrationStep[], { table, path }: At): boolean {
  return steps.some((step) => {
    if (step.step === "convertRows") return step.table === table && step.to.includes(path);
    const isIt = step.step === "restoreColumn" && step.table === table && step.path === path;
    return isIt && step.filled !== undefined;
  });
}

/** A member of an object that is null itself is not missing. */
function isNull(value: string, holder: string): string {
  return holder === "" ? `${value} IS NULL` : `${holder} IS NOT NULL AND ${value} IS NULL`;
}

function identifierOf({ primaryKey }: StoredTable): string {
  return sqlName(primaryKey[0] ?? "");
}

function conversionCheck(asking: Asking, step: Step<"convertColumn">): Statement[] {
  const { from, to, path } = step;
  const place = /[.[]/.test(path) ? "json" : "column";
  const made = conversionOf({ from, to, place, dialect: asking.dialect });
  const { refused = null, rules = [] } = made ?? {};
  const found =
    refused === null ? [] : check(asking, step, refused.what, (value) => refused.condition(value));
  return [...found, ...read(asking, step, rules)];
}

function valueChecks(asking: Asking, step: Step<"changeValues">): Statement[] {
  const { model, dialect } = asking;
  const held = heldAt(model, step);
  if (held === null) return [];
  const gone = (held.encoding.values ?? []).filter(
    (value) => step.values?.includes(value) === false,
  );
  const after = { ...held, bounds: step.bounds };
  const listed = gone.map((value) => sqlText(value)).join(", ");
  const values =
    gone.length === 0
      ? []
      : [
          {
            what: `is ${gone.join(" or ")}`,
            condition: (value: string) => `${value} IN (${listed})`,
          },
        ];
  const found = held.bounds === undefined ? [] : violations(held.bounds, after, dialect);
  const unread = held.bounds === undefined ? [] : newRules(held.bounds, step.bounds);
  return [
    ...[...values, ...found].flatMap(({ what, condition }) =>
      check(asking, step, what, (value) => condition(value)),
    ),
    ...read(asking, step, unread),
  ];
}

/** The rows of each value that several have, or of values that several have together. */
function uniqueCheck(asking: Asking, table: string, terms: readonly string[]): Statement[] {
  const [path = "", ...others] = terms;
  const { before, steps, dialect } = asking;
  const origins = terms.map((term) => ({ term, origin: originOf(steps, table, term, dialect) }));
  const was = before.tables.find(({ name }) => name === origins[0]?.origin.table);
  if (was === undefined) return [];
  const repeated = (compared: string, value: string, present: string): string => {
    const same = `SELECT ${value} FROM ${nameOf(was, was.name)} WHERE ${present}`;
    return `${compared} IN (${same} GROUP BY ${value} HAVING count(*) > 1)`;
  };
  if (others.length === 0) {
    return check(asking, { table, path }, "another has, too", (value) =>
      repeated(value, value, `${value} IS NOT NULL`),
    );
  }
  // What a value that is new will be together with others is left to the index.
  if (origins.some(({ origin }) => origin.isNew)) return [];
  const values = origins.map(({ term, origin }) =>
    converted(asking, { table, path: term }, origin, sqlName(origin.path)),
  );
  const present = values.map((value) => `${value} IS NOT NULL`).join(" AND ");
  const all = values.join(", ");
  const what = `${terms.join(" and ")} another has, too`;
  return [checkOf(table, was, what, repeated(`(${all})`, all, present))];
}

/** A table of links is filled with what stands inside JSON. */
function linkCheck(asking: Asking, table: StoredTable): Statement[] {
  const { model, steps } = asking;
  const [owner, other] = table.foreignKeys;
  const path = filledPath(table, { model, steps: steps.steps });
  if (path === null || owner === undefined || other === undefined) return [];
  return keyCheck(asking, { table: owner.table, path }, other);
}

function keyCheck(asking: Asking, at: At, foreignKey: ForeignKey): Statement[] {
  const { stored, steps, dialect } = asking;
  const other = tableBefore(steps, foreignKey.table);
  const target = stored.tables.find(({ name }) => name === other);
  return check(asking, at, `leads to none of ${foreignKey.table}`, (value) => {
    if (target === undefined) return `${value} IS NOT NULL`;
    const { path: key } = originOf(steps, foreignKey.table, foreignKey.key, dialect);
    const there = `SELECT ${termExpression(target, key, dialect)} FROM ${nameOf(target, other)}`;
    return `${value} IS NOT NULL AND ${value} NOT IN (${there})`;
  });
}
