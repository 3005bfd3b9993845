import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import type { SourceTree } from "../load/source-document.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import { render } from "../render/render.js";
import { readModel } from "./read-model.js";
import { NO_REUSE, type Reuse } from "./reuse.js";

/** A project from its YAML to the text of every file; nothing is written yet. */
export interface RenderedProject {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  readonly outputs: readonly OutputFile[];
  /** The kernel files that the files of each entity and resource import. */
  readonly kernelFiles: ReadonlyMap<EntityModel | ResourceModel, readonly string[]>;
}

/** Loads, validates, normalises and renders; reports every mistake in the user's files at once. */
export async function renderProject(
  files: FileSystem,
  root: string,
  reuse: Reuse = NO_REUSE,
): Promise<Result<RenderedProject>> {
  const read = await readModel(files, root, reuse);
  if (!read.ok) return read;
  const { tree, model } = read.value;
  const rendered = await render(model, reuse.kept(model));
  return success({ tree, model, ...rendered }, read.diagnostics);
}
