import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import { checkPublished } from "../contract/check-published.js";
import type { FileSystem } from "../files/file-system.js";
import type { SourceTree } from "../load/source-document.js";
import type { ServiceModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import { render } from "../render/render.js";
import { projectMigrations } from "./project-migrations.js";
import { FOLLOW, type MigrationTask } from "./migration-task.js";
import type { NewMigration } from "./outcome.js";
import { frozenOutputs } from "./frozen-files.js";
import { readModel } from "./read-model.js";
import { NO_REUSE, type Reuse } from "./reuse.js";
import { formerContracts } from "../contract/frozen-contract.js";

/** A project from its YAML to the text of every file; nothing is written yet. */
export interface RenderedProject {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  readonly outputs: readonly OutputFile[];
  /** Warnings about the files as they are: the next run finds them again, unlike those about this run's edits. */
  readonly warnings: readonly Diagnostic[];
  /** The migration that is new; null: what is stored stays as it is. */
  readonly migration: NewMigration | null;
  /** Published contracts of the former format, which the outputs have in the present one. */
  readonly upgradedContracts: readonly string[];
}

/** A version that is about to be promised to clients for the first time. */
export interface Publication {
  /** `v1` */
  readonly version: string;
  /** The text of service.yaml that says so. */
  readonly service: string;
}

/** What a project is rendered for. */
export interface RenderOptions {
  /** Left out: the migration that follows from the schemas is made. */
  readonly task?: MigrationTask;
  /** Left out: no version is promised to clients that was not before. */
  readonly publication?: Publication | null;
  /** Adds what was promised in branches that are being merged; left out: none are. */
  readonly withMerges?: (tree: SourceTree) => Promise<SourceTree>;
}

/**
 * Loads, validates, normalises and renders; reports every mistake in the user's files at once, and every edit that breaks
 * what was promised (VER-3). What a publication names is promised now.
 */
export async function renderProject(
  files: FileSystem,
  root: string,
  reuse: Reuse = NO_REUSE,
  { task = FOLLOW, publication = null, withMerges }: RenderOptions = {},
): Promise<Result<RenderedProject>> {
  const given = new Map(publication === null ? [] : [["service.yaml", publication.service]]);
  const read = await readModel(files, root, reuse, { given, withMerges });
  if (!read.ok) return read;
  const { tree, model } = read.value;
  const broken = checkPublished(read.value, publication?.version);
  if (broken.length > 0) return failure([...read.diagnostics, ...broken]);
  const migrations = projectMigrations(files, root, read.value, task);
  if (!migrations.ok) return failure([...read.diagnostics, ...migrations.diagnostics]);
  const { outputs: migrationFiles, next } = migrations.value;
  const rendered = await render(model, reuse.kept);
  const outputs = [...rendered, ...migrationFiles, ...frozenOutputs(read.value)];
  outputs.sort((a, b) => (a.path < b.path ? -1 : 1));
  const found = [...read.diagnostics, ...migrations.diagnostics];
  const upgradedContracts = formerContracts(read.value);
  const made = { tree, model, outputs, migration: next, upgradedContracts };
  return success({ ...made, warnings: read.diagnostics }, found);
}
