import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import type { Remembered } from "../load/load-source.js";
import type { SourceTree } from "../load/source-document.js";
import type { ResourceModel, ServiceModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import { render } from "../render/render.js";
import { readModel } from "./read-model.js";

/** A project from its YAML to the text of every file; nothing is written yet. */
export interface RenderedProject {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  readonly outputs: readonly OutputFile[];
}

/** What an earlier run has done already. */
export interface Reuse {
  readonly parsed: Remembered;
  readonly isRendered: (service: ServiceModel, resource: ResourceModel) => boolean;
}

/** Loads, validates, normalises and renders; every mistake of the user's files at once. */
export async function renderProject(
  files: FileSystem,
  root: string,
  reuse: Reuse = { parsed: () => undefined, isRendered: () => false },
): Promise<Result<RenderedProject>> {
  const read = await readModel(files, root, reuse.parsed);
  if (!read.ok) return read;
  const { tree, model } = read.value;
  const outputs = await render(model, (resource) => reuse.isRendered(model, resource));
  return success({ tree, model, outputs }, read.diagnostics);
}
