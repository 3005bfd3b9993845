import type { MigrationStep, RowStep, RowRule } from "#runtime/store/migrations/migration";
import type { HeldValue, StorageModel } from "#runtime/store/storage-model";
import { InternalError } from "../../diagnostics/internal-error.js";
import { sqlName } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";
import { before, lastStep } from "../paths.js";
import { rowPaths } from "../step-words.js";
import { jsonSteps } from "./json-sql.js";
import { originOf, type Earlier } from "./origins.js";
import type { Statement } from "./statement.js";
import { columnAt, heldAt, withRetired } from "./stored-values.js";

/** The rows that cannot be converted; run on the storage before the migration (VER-2). */
export function rowCheck(step: RowStep, { stored, model, steps, dialect }: Asking): Statement {
  const origins = step.from.map((path) => originOf(steps, step.table, path, dialect));
  const [table = step.table] = origins.map((origin) => origin.table);
  const paths = origins.map(({ path }) => path);
  const made = madeBy(step, model, steps.steps);
  const { rule, select } = reading({ ...step, table, from: paths }, stored, made);
  return {
    kind: "read",
    what: `rows of ${step.table} that ${step.pair} cannot convert`,
    sql: `-- ${JSON.stringify(rule)}\n${select}`,
  };
}

/** What `rowCheck` is made of. */
interface Asking {
  /** The storage before the migration, with what is retired. */
  readonly stored: StorageModel;
  readonly steps: Earlier;
  /** The storage when the step comes. */
  readonly model: StorageModel;
  readonly dialect: SqlDialect;
}

/** What makes columns of others, row by row. */
export function rowConversion(
  step: RowStep,
  { model, steps }: { readonly model: StorageModel; readonly steps: readonly MigrationStep[] },
  dialect: SqlDialect,
): Statement {
  const made = madeBy(step, model, steps);
  const { rule, select, key, column } = reading(step, withRetired(model), made);
  const names = column === null ? step.to : [column];
  const mark = (index: number): string => (dialect === "sqlite" ? "?" : `$${index + 1}`);
  const set = names.map((name, index) => `${sqlName(name)} = ${mark(index)}`).join(", ");
  const update = `UPDATE ${sqlName(step.table)} SET ${set} WHERE ${key} = ${mark(names.length)}`;
  return {
    kind: "convert",
    what: `make ${rowPaths(step.table, step.to)} of ${rowPaths(step.table, step.from)}, by ${step.pair}`,
    sql: `-- ${JSON.stringify(rule)}\n${select};\n${update}`,
  };
}

/** What is read of each row: columns, or the one that the objects are in. */
function reading({ table: name, pair, from, isBack }: RowStep, model: StorageModel, made: Made) {
  const table = model.tables.find((one) => one.name === name);
  const holder = before(from[0] ?? "").replace(/\.$/, "");
  const [column, ...path] = holder === "" ? [] : jsonSteps(holder);
  const key = sqlName(table?.primaryKey[0] ?? "");
  const read =
    column === undefined ? from.map((one) => selected(model, name, one)) : [sqlName(column)];
  const rule: RowRule = {
    pair,
    ...(column !== undefined && { column, path }),
    from: heldWords(name, from, model),
    ...made,
    ...(isBack === true && { isBack }),
  };
  const select = `SELECT ${[`${key} AS "row_id"`, ...read].join(", ")} FROM ${sqlName(name)}`;
  return { rule, select, key, column: column ?? null };
}

type Made = Pick<RowRule, "to" | "rules">;

/** What is made, and what the schema asks of it. */
function madeBy(
  { table, to }: RowStep,
  model: StorageModel,
  steps: readonly MigrationStep[],
): Made {
  const stored = withRetired(model);
  const rules = to.flatMap((path) => {
    const { encoding, bounds, type } = heldIn(stored, table, path);
    const { form, values, scale } = encoding as { scale?: number } & typeof encoding;
    const isRequired =
      columnAt(stored, { table, path })?.nullable === false ||
      steps.some((one) => one.step === "setNullable" && one.table === table && one.path === path);
    const rule = {
      ...{ form, isRequired, bounds: bounds ?? {} },
      ...(values && { values }),
      ...(scale !== undefined && { scale }),
    };
    return type === "json" ? [] : [[lastStep(path), rule] as const];
  });
  return { to: heldWords(table, to, stored), rules: Object.fromEntries(rules) };
}

function heldWords(table: string, paths: readonly string[], model: StorageModel): RowRule["to"] {
  return Object.fromEntries(
    paths.map((path) => [lastStep(path), wordOf(heldIn(model, table, path))]),
  );
}

function heldIn(model: StorageModel, table: string, path: string): HeldValue {
  const held = heldAt(model, { table, path });
  if (held === null) throw new InternalError(`there is no ${table}.${path} to convert`);
  return held;
}

/** A decimal has more digits than a number holds. */
function selected(model: StorageModel, table: string, path: string): string {
  const name = sqlName(path);
  const { form } = heldIn(model, table, path).encoding;
  return form === "decimal" ? `CAST(${name} AS TEXT) AS ${name}` : name;
}

/** How a value is read and written: see `RowRule`. */
function wordOf({ type, encoding }: HeldValue): string {
  return encoding.form === "decimal" ? `decimal ${String(encoding["scale"])}` : type;
}
