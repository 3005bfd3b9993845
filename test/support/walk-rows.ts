import type { FilledColumn, MigrationStep } from "#runtime/store/migrations/migration";
import type {
  ForeignKey,
  HeldValue,
  StorageModel,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";

/** A value as a client sees it. */
export type Logical = string | number | boolean | null | Logical[] | { [name: string]: Logical };

/** A row as clients see it, with what is kept of columns that are retired under names that no column has. */
export type LogicalRow = { [column: string]: Logical };

/** The rows of each table by its name; those of retired tables as well. */
export type Rows = Map<string, LogicalRow[]>;

const HIDDEN = "retired ";

/** A row that fits a table, made of a number: no two numbers make the same unique value. */
export function madeRow(table: StoredTable, seed: number, rows: Rows): LogicalRow {
  const values = table.columns.map((column) => {
    const key = table.foreignKeys.find((one) => one.column === column.name);
    if (table.primaryKey.includes(column.name)) return [column.name, identifier(seed)];
    if (key !== undefined) {
      const isLeftOut = column.nullable && seed % 4 === 0;
      return [column.name, isLeftOut ? null : referred(rows, key, seed)];
    }
    return [column.name, madeValue(column, seed, rows)];
  });
  return Object.fromEntries(values) as LogicalRow;
}

function identifier(seed: number): string {
  return `00000000-0000-7000-8000-${String(seed).padStart(12, "0")}`;
}

/** Null where there is nothing to refer to. */
function referred(rows: Rows, { table, key }: ForeignKey, seed: number): Logical {
  const others = rows.get(table) ?? [];
  return others[seed % others.length]?.[key] ?? null;
}

function madeValue(column: StoredValue, seed: number, rows: Rows): Logical {
  return column.nullable && seed % 4 === 0 ? null : madeHeld(column, seed, rows);
}

function madeHeld({ encoding, bounds = {} }: HeldValue, seed: number, rows: Rows): Logical {
  switch (encoding.form) {
    case "integer":
      return seed;
    case "number":
      return seed + 0.5;
    case "boolean":
      return seed % 2 === 0;
    case "decimal":
      return decimalOf(
        BigInt(seed) * 10n ** BigInt(Math.max(0, Number(encoding["scale"]) - (seed % 2))),
        Number(encoding["scale"]),
      );
    case "timestamp":
      return `${day(seed)}T12:00:00.000Z`;
    case "enum":
      return encoding.values?.[seed % (encoding.values.length || 1)] ?? null;
    case "uuid":
      return identifier(seed);
    case "array":
      return Array.from({ length: seed % 3 }, (_, index) =>
        encoding.items?.encoding.form === "uuid"
          ? // Lists of references lead to customers.
            (rows.get("customers")?.[index]?.["customerId"] ??
            rows.get("customers")?.[index]?.["id"] ??
            null)
          : encoding.items === undefined
            ? null
            : madeHeld(encoding.items, seed + index, rows),
      ).filter((item) => item !== null);
    case "object":
      return Object.fromEntries(
        (encoding.members ?? []).map((member, index) => [
          member.name,
          madeValue(member, seed + index, rows),
        ]),
      );
    default:
      if (bounds["format"] === "date") return day(seed);
      return `text ${seed} ${"é".repeat(seed % 9)}`.slice(0, Number(bounds["maxLength"] ?? 40));
  }
}

function day(seed: number): string {
  return new Date(Date.UTC(2020, 0, seed)).toISOString().slice(0, 10);
}

/** Whether a row repeats values of another one that no two may have together. */
export function repeats(table: StoredTable, row: LogicalRow, rows: Rows): boolean {
  const others = rows.get(table.name) ?? [];
  return table.indexes.some(
    ({ unique, terms }) =>
      unique &&
      terms.every((term) => at(row, term) !== null) &&
      others.some((other) => terms.every((term) => at(other, term) === at(row, term))),
  );
}

function at(row: LogicalRow, path: string): Logical {
  return path.split(".").reduce<Logical>((value, name) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value[name] ?? null) : null;
  }, row);
}

/** The text of a decimal with so many units: `12.50`. */
function decimalOf(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The statement that writes a row. */
export function insertion(
  table: StoredTable,
  row: LogicalRow,
  dialect: "sqlite" | "postgres",
): string {
  const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
  const values = table.columns.map((column) =>
    literalOf(column, row[column.name] ?? null, dialect),
  );
  return `INSERT INTO "${table.name}" (${names}) VALUES (${values.join(", ")})`;
}

function literalOf(column: StoredValue, value: Logical, dialect: "sqlite" | "postgres"): string {
  if (value === null) return "NULL";
  if (column.encoding.form === "decimal") return String(BigInt(String(value).replace(".", "")));
  if (typeof value === "boolean" && dialect === "sqlite") return value ? "1" : "0";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** A row as a database gives it, as clients see it. */
export function logicalRow(table: StoredTable, row: Readonly<Record<string, unknown>>): LogicalRow {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, logicalOf(column, row[column.name])]),
  );
}

function logicalOf(column: StoredValue, value: unknown): Logical {
  if (value === null || value === undefined) return null;
  const { encoding, type } = column;
  if (encoding.form === "decimal")
    return decimalOf(BigInt(String(value)), Number(encoding["scale"]));
  if (type === "json") return withoutRetired(column, JSON.parse(String(value)) as Logical);
  if (type === "boolean") return value === true || value === 1;
  return type === "integer" || type === "real" ? Number(value) : String(value);
}

/** A JSON value without members that nothing reads any more. */
function withoutRetired({ encoding }: HeldValue, value: Logical): Logical {
  if (Array.isArray(value)) {
    const { items } = encoding;
    return items === undefined ? value : value.map((item) => withoutRetired(items, item));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    (encoding.members ?? []).map((member) => [
      member.name,
      withoutRetired(member, value[member.name] ?? null),
    ]),
  );
}

/** What rows become by the steps of a migration, as the language declares it. */
export function afterSteps(before: Rows, steps: readonly MigrationStep[]): Rows {
  const rows: Rows = structuredClone(before);
  for (const step of steps) applyTo(rows, step);
  return rows;
}

function applyTo(rows: Rows, step: MigrationStep): void {
  if (step.step === "createTable") rows.set(step.table.name, []);
  if (step.step === "dropTable") rows.delete(step.table);
  if (step.step === "renameTable") {
    rows.set(step.to, rows.get(step.table) ?? []);
    rows.delete(step.table);
  }
  if (!("path" in step)) return;
  const path = step.path.split(".").flatMap((part) => part.split(/(?=\[\])/));
  const table = rows.get(step.table) ?? [];
  const ofItems = path.at(-1) === "[]";
  const name = ofItems ? "[]" : (path.at(-1) ?? "");
  for (const row of table) visit(row, path.slice(0, -1), (holder) => edit(holder, name, step));
}

function visit(value: Logical, path: readonly string[], act: (holder: LogicalRow) => void): void {
  const [first, ...rest] = path;
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    if (first === "[]") value.forEach((item) => visit(item, rest, act));
    return;
  }
  if (first === undefined) act(value);
  else visit(value[first] ?? null, rest, act);
}

function edit(holder: LogicalRow, name: string, step: MigrationStep): void {
  const value = holder[name] ?? null;
  switch (step.step) {
    case "addColumn":
      holder[name] = addedAs(step);
      return;
    case "renameColumn":
      delete holder[name];
      holder[step.to] = value;
      return;
    case "retireColumn":
      delete holder[name];
      holder[HIDDEN + name] = value;
      return;
    case "restoreColumn":
      holder[name] = holder[HIDDEN + name] ?? addedAs(step.filled);
      delete holder[HIDDEN + name];
      return;
    case "dropColumn":
      delete holder[HIDDEN + name];
      return;
    case "convertColumn":
      if (value !== null) holder[name] = converted(value, step.to);
      return;
    default:
    // The others change no value.
  }
}

function addedAs(filled: FilledColumn | undefined): Logical {
  return filled?.backfill ? backfilled(filled.column, filled.backfill) : null;
}

function backfilled({ encoding, type }: StoredValue, backfill: object): Logical {
  const { value } = backfill as { value: string | number | boolean };
  if (type === "json") return [];
  return encoding.form === "decimal" && type === "integer"
    ? decimalOf(BigInt(value), Number(encoding["scale"]))
    : value;
}

function converted(value: Logical, to: HeldValue): Logical {
  if (to.encoding.form === "string") return String(value);
  if (to.encoding.form === "timestamp") return `${String(value)}T00:00:00.000Z`;
  if (to.encoding.form !== "decimal") return value;
  const [whole = "", fraction = ""] = String(value).split(".");
  const scale = Number(to.encoding["scale"]);
  const digits = fraction.padEnd(scale, "0").slice(0, scale);
  return scale === 0 ? whole : `${whole}.${digits}`;
}

/** What clients see of rows: without what is kept of columns that are retired. */
export function visible(rows: readonly LogicalRow[]): LogicalRow[] {
  return rows.map((row) => shown(row) as LogicalRow);
}

function shown(value: Logical): Logical {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith(HIDDEN))
      .map(([name, inner]) => [name, shown(inner)]),
  );
}

/** The tables of entities, those first that others refer to. */
export function entityTables({ tables }: StorageModel): readonly StoredTable[] {
  const entities = tables.filter(({ holds }) => holds === "entities");
  const rank = ({ foreignKeys }: StoredTable): number =>
    foreignKeys.some(({ table }) => table === "orders") ? 2 : foreignKeys.length > 0 ? 1 : 0;
  return entities.toSorted((a, b) => rank(a) - rank(b));
}
