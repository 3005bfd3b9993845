import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import type { SourceTree } from "../load/source-document.js";
import type { ServiceModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import { render } from "../render/render.js";
import { projectMigrations } from "./project-migrations.js";
import { FOLLOW, type MigrationTask } from "./migration-task.js";
import type { NewMigration } from "./outcome.js";
import { readModel } from "./read-model.js";
import { NO_REUSE, type Reuse } from "./reuse.js";

/** A project from its YAML to the text of every file; nothing is written yet. */
export interface RenderedProject {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  readonly outputs: readonly OutputFile[];
  /** The migration that is new; null: what is stored stays as it is. */
  readonly migration: NewMigration | null;
}

/** Loads, validates, normalises and renders; reports every mistake in the user's files at once. */
export async function renderProject(
  files: FileSystem,
  root: string,
  reuse: Reuse = NO_REUSE,
  task: MigrationTask = FOLLOW,
): Promise<Result<RenderedProject>> {
  const read = await readModel(files, root, reuse);
  if (!read.ok) return read;
  const { tree, model } = read.value;
  const migrations = projectMigrations(files, root, read.value, task);
  if (!migrations.ok) return failure([...read.diagnostics, ...migrations.diagnostics]);
  const { outputs: migrationFiles, next } = migrations.value;
  const rendered = await render(model, reuse.kept);
  const outputs = [...rendered, ...migrationFiles].sort((a, b) => (a.path < b.path ? -1 : 1));
  return success({ tree, model, outputs, migration: next }, read.diagnostics);
}
