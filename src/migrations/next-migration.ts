import { applySteps } from "./apply-steps.js";
import type { MigrationFile, MigrationStep } from "#runtime/store/migrations/migration";
import { storageFingerprint, type StorageModel } from "#runtime/store/storage-model";
import { InternalError } from "../diagnostics/internal-error.js";
import { printTables } from "../storage/print-tables.js";
import type { SqlDialect } from "../storage/sql-dialect.js";
import type { Chain } from "./chain.js";
import { diffStorage } from "./diff-storage.js";
import type { EditProblem } from "./edit-problem.js";
import { migrationName, nextNumber, tableOf } from "./migration-name.js";
import { postgresScript } from "./sql/postgres-script.js";
import { sqliteScript } from "./sql/sqlite-script.js";
import { HEADER } from "./sql/statement.js";
import type { Wanted } from "./wanted.js";

/** A migration that is to be written. */
export interface NextMigration {
  readonly name: string;
  readonly file: MigrationFile;
  readonly scripts: Readonly<Record<SqlDialect, string>>;
}

/** What follows from the migrations so far and the schemas: the next migration, none, or what stands in its way. */
export type Following =
  | { readonly kind: "none" }
  | { readonly kind: "problems"; readonly problems: readonly EditProblem[] }
  | { readonly kind: "next"; readonly next: NextMigration };

/** The migration that leads from those so far to what the schemas ask for. */
export function nextMigration(chain: Chain, wanted: Wanted): Following {
  const { steps, problems } = diffStorage(chain, wanted);
  if (problems.length > 0) return { kind: "problems", problems };
  if (steps.length === 0) return { kind: "none" };
  const after = applySteps(chain.storage, steps);
  const touched = new Set(steps.map(tableOf));
  if (shapeOf(withoutRetired(after), touched) !== shapeOf(wanted.model, touched)) {
    throw new InternalError("the steps do not lead to the storage that the schemas ask for");
  }
  return { kind: "next", next: migrationOf(chain, steps, after) };
}

/** What identifies the tables of some names. */
function shapeOf({ format, tables }: StorageModel, names: ReadonlySet<string>): string {
  return storageFingerprint({ format, tables: tables.filter(({ name }) => names.has(name)) });
}

/** The migration of some steps on top of a chain. */
export function migrationOf(
  chain: Chain,
  steps: readonly MigrationStep[],
  after: StorageModel = applySteps(chain.storage, steps),
): NextMigration {
  const number = nextNumber(chain.migrations.map(({ name }) => name));
  return {
    name: migrationName(number, steps),
    file: fileOf(chain, steps, after),
    scripts:
      chain.migrations.length === 0
        ? { sqlite: initialScript(after, "sqlite"), postgres: initialScript(after, "postgres") }
        : {
            sqlite: sqliteScript(chain.storage, steps),
            postgres: postgresScript(chain.storage, steps),
          },
  };
}

/** What `migration.json` says of steps on top of a chain. */
export function fileOf(
  { migrations, heads }: Chain,
  steps: readonly MigrationStep[],
  after: StorageModel,
): MigrationFile {
  const parents = migrations.filter(({ name }) => heads.includes(name));
  return {
    format: 1,
    parents: parents.map(({ name }) => name),
    parentDigests: Object.fromEntries(parents.map(({ name, digest }) => [name, digest])),
    steps,
    storage: storageFingerprint(after),
  };
}

/** A database that nothing stands in yet: all of it in one transaction, without markers. */
function initialScript(storage: StorageModel, dialect: SqlDialect): string {
  const blocks = printTables(storage, dialect).map((lines) => `${lines.join("\n")}\n`);
  return [`${HEADER}\n`, ...blocks].join("\n");
}

/** A storage model without what nothing reads any more, also inside of JSON. */
export function withoutRetired(model: StorageModel): StorageModel {
  const { retired: _retired, ...rest } = model;
  // What is left out is optional wherever it stands.
  return JSON.parse(
    JSON.stringify(rest, (key, value: unknown) => (key === "retired" ? undefined : value)),
  ) as StorageModel;
}
