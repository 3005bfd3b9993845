import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import type { SourceTree } from "../load/source-document.js";
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
  const outputs = await render(model, reuse.kept);
  return success({ tree, model, outputs }, read.diagnostics);
}
