import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { Project } from "../contract/project.js";
import { nameClashes } from "../storage/name-clashes.js";
import { yamlPath } from "./yaml-path.js";

/** Finds properties and resources whose tables or indexes would have a name that is in use: no database could make them. */
export function storageNameProblems({ tree, model }: Project): Diagnostic[] {
  return nameClashes(model.entities).map(({ name, entity, path, other }) => {
    const document = tree.resources.find((one) => one.path === entity.source) ?? tree.service;
    const place =
      path === null ? document.locate(["resource"]) : document.locate(yamlPath(path), "key");
    const suggestion = `Give the ${path === null ? "resource" : "property"} another name.`;
    return diagnostic("SCH-431", place, { name, other }, { suggestion });
  });
}
