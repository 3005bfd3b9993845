import type { MigrationStep } from "#runtime/store/migrations/migration";
import { schemaPath } from "./paths.js";
import { VERB_OF } from "./step-names.js";

/** Names get no longer than this: a path has to fit everywhere. */
const LONGEST = 60;

/** The name of a migration: its number and what it changes, `0002-rename-orders-fax`. */
export function migrationName(number: number, steps: readonly MigrationStep[]): string {
  return numbered(number, number === 1 ? "initial" : changed(steps));
}

/** `0002-` and words in lower case, of a name as somebody has written it. */
export function numbered(number: number, words: string): string {
  const slug = words
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return `${String(number).padStart(4, "0")}-${slug}`;
}

/** The number after the highest of some names. */
export function nextNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(name.slice(0, 4)))) + 1;
}

function changed(steps: readonly MigrationStep[]): string {
  // Keys and indexes follow columns: they name a migration only where there is nothing else.
  const main = steps.filter(({ step }) => !/Index|ForeignKey|renameTable/.test(step));
  const tables = steps.filter((step) => step.step === "renameTable");
  // A table that is renamed takes those of its lists along, and a property that of its list.
  const renamed = tables.find(({ table }) => /^[a-z0-9]+$/.test(table));
  if (renamed === undefined) {
    return named([main, tables.slice(0, 1), steps].find((some) => some.length > 0) ?? []);
  }
  const others = main.filter((step) => tableOf(step) !== renamed.to);
  const first = named([renamed]);
  return others.length === 0 ? first : `${first} and ${named(others)}`;
}

function named(told: readonly MigrationStep[]): string {
  const [first] = told;
  if (first !== undefined && told.length === 1) return `${VERB_OF[first.step]} ${placeOf(first)}`;
  const tables = [...new Set(told.map(tableOf))];
  const verbs = new Set(told.map(({ step }) => VERB_OF[step]));
  const verb = verbs.size === 1 && first !== undefined ? VERB_OF[first.step] : "change";
  return tables.length <= 2 ? `${verb} ${tables.join(" and ")}` : `${verb} ${tables.length} tables`;
}

/** The table that a step is about. */
export function tableOf(step: MigrationStep): string {
  return step.step === "createTable" ? step.table.name : step.table;
}

function placeOf(step: MigrationStep): string {
  if ("path" in step) return `${step.table} ${schemaPath(step.path)}`;
  return step.step === "addIndex" ? `${step.table} ${step.index.terms[0] ?? ""}` : tableOf(step);
}
