import type { MigrationStep } from "#runtime/store/migrations/migration";
import { sqlName } from "../../naming/encoders.js";
import { schemaPath } from "../paths.js";
import { innerEditOf } from "./inner-edits.js";
import { staleIndexes } from "./index-remakes.js";
import type { PostgresTurn } from "./postgres-turn.js";
import type { Statement } from "./statement.js";

/** What a step inside a JSON column takes: an older release writes whole objects as it knows them, so that all of it waits. */
export function innerStatements(
  { model }: PostgresTurn,
  step: Extract<MigrationStep, { readonly path: string }>,
): Statement[] {
  const edit = innerEditOf(step, "postgres");
  const dropped = staleIndexes(model, step, "postgres").map(({ name }): Statement => {
    const sql = `DROP INDEX IF EXISTS ${sqlName(name)}`;
    return { kind: "contract", what: `drop the index ${name}`, sql };
  });
  if (edit === null) return dropped;
  const sql = `UPDATE ${sqlName(step.table)}\nSET ${edit.set}\nWHERE ${edit.pending}`;
  const what = `${verb(step)} ${step.table}.${schemaPath(step.path)}`;
  return [...dropped, { kind: "contract", what, sql }];
}

function verb({ step }: MigrationStep): string {
  switch (step) {
    case "addColumn":
    case "restoreColumn":
      return "give a value to every";
    case "renameColumn":
      return "rename";
    case "dropColumn":
      return "drop";
    default:
      return "convert";
  }
}
