import type { ColumnStep, ValueStep } from "#runtime/store/migrations/migration";
import { itemNamed, withEdited, withItem, withoutItem, withRenamed } from "./named-items.js";
import type {
  Encoding,
  HeldValue,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";

/** The columns of a table, or the members of an object inside JSON. */
interface ColumnGroup {
  readonly columns: readonly StoredValue[];
  readonly retired: readonly StoredValue[];
}

/** The table that a step on one of its columns leads to. Throws `StepMismatch`. */
export function applyColumnStep(table: StoredTable, step: ColumnStep | ValueStep): StoredTable {
  const path = step.path.split(".");
  const name = path.pop() ?? "";
  const edited = editTable(table, path, (group) => editGroup(group, name, step));
  if (step.step !== "renameColumn") return edited;
  const to = [...path, step.to].join(".");
  return withTerms(path.length === 0 ? withKeys(edited, name, step.to) : edited, step.path, to);
}

function editGroup(group: ColumnGroup, name: string, step: ColumnStep | ValueStep): ColumnGroup {
  const { columns, retired } = group;
  switch (step.step) {
    case "addColumn":
      // A retired one stands in the database under its name.
      withItem(retired, step.column, "retired column");
      return { columns: withItem(columns, step.column, "column"), retired };
    case "renameColumn":
      withItem(retired, { ...itemNamed(columns, name, "column"), name: step.to }, "retired column");
      return { columns: withRenamed(columns, name, step.to, "column"), retired };
    case "retireColumn": {
      const column = { ...itemNamed(columns, name, "column"), nullable: true };
      return {
        columns: withoutItem(columns, name, "column"),
        retired: withItem(retired, column, "retired column"),
      };
    }
    case "restoreColumn":
      return {
        columns: withItem(columns, itemNamed(retired, name, "retired column"), "column"),
        retired: withoutItem(retired, name, "retired column"),
      };
    case "dropColumn":
      return { columns, retired: withoutItem(retired, name, "retired column") };
    default:
      return { columns: withValues(columns, name, step), retired };
  }
}

/** `tags[]` is what the list `tags` holds. */
function withValues(
  columns: readonly StoredValue[],
  name: string,
  step: ValueStep,
): readonly StoredValue[] {
  if (!name.endsWith("[]")) {
    return withEdited(columns, name, "column", (column) => editColumn(column, step));
  }
  return withEdited(columns, name.slice(0, -2), "column", (column) => {
    const items = column.encoding.items ?? { type: "text", encoding: { form: "string" } };
    const {
      name: _name,
      nullable: _nullable,
      ...edited
    } = editColumn({ name, nullable: false, ...items }, step);
    return { ...column, encoding: { ...column.encoding, items: edited } };
  });
}

function editColumn(column: StoredValue, step: ValueStep): StoredValue {
  switch (step.step) {
    case "setNullable":
      return { ...column, nullable: step.nullable };
    case "convertColumn":
      return { name: column.name, nullable: column.nullable, ...step.to };
    case "changeValues": {
      const { encoding } = column;
      const kept = step.values === null ? encoding : { ...encoding, values: step.values };
      return { ...column, encoding: kept, bounds: step.bounds };
    }
  }
}

type GroupEdit = (group: ColumnGroup) => ColumnGroup;

function editTable(table: StoredTable, path: readonly string[], edit: GroupEdit): StoredTable {
  const { retired: before = [], ...rest } = table;
  const [first, ...inner] = path;
  if (first !== undefined) return { ...table, columns: within(table.columns, first, inner, edit) };
  const { columns, retired } = edit({ columns: table.columns, retired: before });
  return { ...rest, columns, ...(retired.length > 0 && { retired }) };
}

function editObject(encoding: Encoding, path: readonly string[], edit: GroupEdit): Encoding {
  const { retired: before = [], ...rest } = encoding;
  const members = encoding.members ?? [];
  const [first, ...inner] = path;
  if (first !== undefined) return { ...encoding, members: within(members, first, inner, edit) };
  const { columns, retired } = edit({ columns: members, retired: before });
  const sorted = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { ...rest, members: sorted, ...(retired.length > 0 && { retired }) };
}

/** Edits what stands inside of one column: an object, or the objects of a list, `lines[]`. */
function within(
  columns: readonly StoredValue[],
  step: string,
  path: readonly string[],
  edit: GroupEdit,
): readonly StoredValue[] {
  const isList = step.endsWith("[]");
  const name = isList ? step.slice(0, -2) : step;
  return withEdited(columns, name, "column", (column) => {
    const { encoding } = column;
    if (!isList) return { ...column, encoding: editObject(encoding, path, edit) };
    const items: HeldValue = encoding.items ?? { type: "json", encoding: { form: "object" } };
    const edited = { ...items, encoding: editObject(items.encoding, path, edit) };
    return { ...column, encoding: { ...encoding, items: edited } };
  });
}

/** Keys and references follow the name of their column; their own names stay. */
function withKeys(table: StoredTable, name: string, to: string): StoredTable {
  return {
    ...table,
    primaryKey: table.primaryKey.map((column) => (column === name ? to : column)),
    foreignKeys: table.foreignKeys.map((key) =>
      key.column === name ? { ...key, column: to } : key,
    ),
  };
}

function withTerms(table: StoredTable, path: string, to: string): StoredTable {
  const renamed = (term: string): string => {
    if (term === path) return to;
    return term.startsWith(`${path}.`) ? to + term.slice(path.length) : term;
  };
  const indexes = table.indexes.map((index): StoredIndex => ({
    ...index,
    terms: index.terms.map(renamed),
  }));
  return { ...table, indexes };
}
