import type { MigrationStep } from "#runtime/store/migrations/migration";
import { foldedJson } from "../artifacts/json-text.js";
import { placed, type Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import type { SourceTree } from "../load/source-document.js";
import type { ChainMigration } from "../migrations/chain.js";
import {
  convertedProblem,
  perhapsRenamedProblem,
  type EditProblem,
} from "../migrations/edit-problem.js";
import { schemaPath } from "../migrations/paths.js";
import { perhapsRenamedTables } from "../migrations/perhaps-renamed-tables.js";
import { MIGRATIONS, readChain } from "../migrations/read-chain.js";
import { stepWords } from "../migrations/step-words.js";
import { backfillWords, wantedStorage } from "../migrations/wanted.js";
import type { ServiceModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import { mapping, own } from "../validate/plain.js";
import { doTask, type MadeMigration, type MigrationTask } from "./migration-task.js";
import type { NewMigration } from "./outcome.js";
import { yamlPath } from "./yaml-path.js";

/** The migrations of a project as files: those that there are, and the one that follows from the schemas. */
export interface ProjectMigrations {
  readonly outputs: readonly OutputFile[];
  /** The one that is new; null: none is. */
  readonly next: NewMigration | null;
}

/** Reads the migrations of a project, and makes the next one where the task asks for it. Throws `UsageError`. */
export function projectMigrations(
  files: FileSystem,
  root: string,
  { tree, model }: { readonly tree: SourceTree; readonly model: ServiceModel },
  task: MigrationTask,
): Result<ProjectMigrations> {
  const chain = readChain(files, root);
  if (!chain.ok) return chain;
  const { kept, made, problems } = doTask(chain.value, wantedStorage(model), task);
  if (problems.length > 0) {
    return failure(problems.map((problem) => problemDiagnostic(problem, tree, model)));
  }
  const sealed = kept.migrations.flatMap(sealedFiles);
  if (made === null) return success({ outputs: sealed, next: null });
  const gone = new Set(
    made.file.steps.flatMap((one) => (one.step === "dropTable" ? [one.table] : [])),
  );
  // Of a table that is dropped, only that is told.
  const steps = made.file.steps
    .filter(
      (one) =>
        one.step === "dropTable" ||
        !("table" in one) ||
        typeof one.table !== "string" ||
        !gone.has(one.table),
    )
    .map(stepWords);
  const newest = model.versions.at(-1)?.resources ?? [];
  const current = new Set(newest.map(({ entity }) => entity.name.table));
  const removed = toldRemoved(tree);
  const renamed = perhapsRenamedTables(kept.storage, made.file.steps, current).filter(
    ({ former }) => !removed.includes(former),
  );
  const warnings = [
    ...emptyConversions(made.file.steps, model),
    ...renamed.map(perhapsRenamedProblem),
  ].map((problem) => problemDiagnostic(problem, tree, model, "warning"));
  return success(
    { outputs: [...sealed, ...filesOf(made)], next: { name: made.name, steps } },
    warnings,
  );
}

/** Resources that service.yaml lists as removed, so that none of them was renamed. */
function toldRemoved({ service }: SourceTree): readonly string[] {
  const versions = Object.values(mapping(own(service.value, "versions")));
  return versions.flatMap((version) => Object.keys(mapping(own(version, "removed"))));
}

/** Properties that the service's own code makes of others, which no row has converted yet. */
function emptyConversions(
  steps: readonly MigrationStep[],
  { entities }: ServiceModel,
): readonly EditProblem[] {
  const made = new Set(steps.flatMap((step) => (step.step === "convertRows" ? step.to : [])));
  return steps.flatMap((step) => {
    if (step.step !== "addColumn" || made.has(step.path)) return [];
    const entity = entities.find(({ name }) => name.table === step.table);
    const path = schemaPath(step.path);
    const found = entity?.history.converted.find(({ to }) => to.includes(path));
    if (found === undefined) return [];
    const former = found.from;
    const value = step.backfill === null ? "null" : backfillWords(entity, step.path);
    return [convertedProblem(step.table, step.path, { former, value })];
  });
}

/** The files of a new migration. */
export function filesOf({
  name,
  file,
  scripts,
  isHandWritten,
}: Omit<MadeMigration, "isHandWritten"> & { readonly isHandWritten?: boolean }): OutputFile[] {
  const at = (text: string, file: string): OutputFile => ({
    path: `${MIGRATIONS}/${name}/${file}`,
    owner: isHandWritten === true ? "user" : "generator",
    text,
    ...(isHandWritten === true && { isSealed: true }),
  });
  return [
    at(foldedJson(file), "migration.json"),
    at(scripts.postgres, "postgres.sql"),
    at(scripts.sqlite, "sqlite.sql"),
  ];
}

/** The files of a migration that there is: never written again. */
export function sealedFiles({ name, texts, isHandWritten }: ChainMigration): OutputFile[] {
  return Object.entries(texts).map(([file, text]) => ({
    path: `${MIGRATIONS}/${name}/${file}`,
    owner: isHandWritten ? "user" : "generator",
    text,
    isSealed: true,
  }));
}

function problemDiagnostic(
  { table, path, at, mistake, suggestion }: EditProblem,
  tree: SourceTree,
  model: ServiceModel,
  severity: "error" | "warning" = "error",
): Diagnostic {
  const entity = model.entities.find(({ name }) => name.table === table);
  const document = tree.resources.find((one) => one.path === entity?.source) ?? tree.service;
  const property = yamlPath(path);
  const place = {
    property: () => document.locate(property, "key"),
    resource: () => document.locate(["resource"]),
    renamedFrom: () => document.locate([...property, "renamedFrom"]),
    // The key `properties` under which it no longer stands.
    holder: () => document.locate(property.slice(0, -1), "key"),
  }[at]();
  return placed(mistake, place, { suggestion, severity });
}
