import type { SourceTree } from "../load/source-document.js";
import type { ServiceModel } from "../model/service-model.js";

/** The YAML of a project and what it means. */
export interface Project {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
}
