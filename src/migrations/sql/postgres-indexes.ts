import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StoredIndex, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { indexTarget } from "../../storage/print-tables.js";
import { originOf } from "./origins.js";
import { isInner } from "./inner-edits.js";
import type { PostgresTurn } from "./postgres-turn.js";
import type { Statement } from "./statement.js";

type IndexChange = Extract<MigrationStep, { step: "addIndex" | "renameIndex" | "dropIndex" }>;

/** What a step on an index takes; nothing where PostgreSQL has no such index. */
export function indexStatements(turn: PostgresTurn, step: IndexChange): Statement[] {
  const table = turn.model.tables.find(({ name }) => name === step.table);
  if (table === undefined) return [];
  if (step.step === "addIndex") return addIndex(turn, table, step.index);
  const index = table.indexes.find(({ name }) => name === step.index);
  if (index?.databases.includes("postgres") !== true) return [];
  const name = sqlName(index.name);
  if (step.step === "dropIndex") {
    const sql = `DROP INDEX CONCURRENTLY IF EXISTS ${name}`;
    return [{ kind: "outside", what: `drop the index ${index.name}`, sql }];
  }
  if (turn.remade.has(step.to)) return [];
  const sql = `ALTER INDEX IF EXISTS ${name} RENAME TO ${sqlName(step.to)}`;
  return [{ kind: "contract", what: `rename the index ${index.name} to ${step.to}`, sql }];
}

/** An index that is made when no release serves. */
export function plainIndex(table: StoredTable, index: StoredIndex): Statement[] {
  if (!index.databases.includes("postgres")) return [];
  const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const sql = `${create} IF NOT EXISTS ${sqlName(index.name)} ${indexTarget(table, index, "postgres")}`;
  return [{ kind: "contract", what: `make the index ${index.name}`, sql }];
}

/** Where its columns stand already, it is made beside all that is read and written. */
function addIndex(turn: PostgresTurn, table: StoredTable, index: StoredIndex): Statement[] {
  if (!index.databases.includes("postgres")) return [];
  if (index.terms.some((term) => isLate(turn, table.name, term))) return plainIndex(table, index);
  const origins = index.terms.map((term) => originOf(turn.earlier, table.name, term, "postgres"));
  const there = { ...table, name: origins[0]?.table ?? table.name };
  const now = { ...index, terms: origins.map(({ path }) => path) };
  // Names inside JSON are as they were: those that are not come late.
  return concurrently(there, now);
}

/** An index that is made while others read and write. */
export function concurrently(table: StoredTable, index: StoredIndex): Statement[] {
  const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const target = indexTarget(table, index, "postgres");
  const sql = `${create} CONCURRENTLY IF NOT EXISTS ${sqlName(index.name)} ${target}`;
  return [{ kind: "outside", what: `make the index ${index.name}`, sql }];
}

/** Whether what an index compares is there only when no older release serves any more. */
function isLate({ earlier }: PostgresTurn, table: string, term: string): boolean {
  return earlier.steps.slice(0, earlier.count).some((step) => {
    if (!("path" in step) || step.table !== table) return false;
    const [column] = step.path.split(/\.|\[\]/);
    const isOn = term === column || term.startsWith(`${column}.`);
    return isOn && (step.step === "convertColumn" || isInner(step.path));
  });
}
