import type { Code } from "../diagnostics/messages.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { load } from "../load/load.js";
import type { SourceTree } from "../load/source-document.js";
import { normalise } from "../model/normalise.js";
import type { ServiceModel } from "../model/service-model.js";
import type { ValidatedTree } from "../validate/resource-document.js";
import { validate } from "../validate/validate.js";
import { NO_REUSE, type Reuse } from "./reuse.js";
import { storageNameProblems } from "./storage-names.js";

/** A project from its YAML to its model. */
export interface ReadModel {
  readonly tree: SourceTree;
  readonly model: ServiceModel;
  /** What the model was made of. */
  readonly documents: ValidatedTree;
}

/**
 * Loads, validates and normalises; reports every mistake in the user's files at once. Texts that are `given` replace those
 * on disk. Mistakes that are `accepted` are reported, and refuse nothing.
 */
export async function readModel(
  files: FileSystem,
  root: string,
  { parsed, isUnchanged }: Pick<Reuse, "parsed" | "isUnchanged"> = NO_REUSE,
  given: ReadonlyMap<string, string> = new Map(),
  accepted: readonly Code[] = [],
): Promise<Result<ReadModel>> {
  const tree = load(files, root, parsed, given);
  if (!tree.ok) return tree;
  const validated = await validate(tree.value, isUnchanged, accepted);
  if (!validated.ok) return validated;
  const model = normalise(validated.value);
  const value = { tree: tree.value, model, documents: validated.value };
  const diagnostics = [...tree.diagnostics, ...validated.diagnostics];
  const clashes = storageNameProblems(value);
  return clashes.length > 0 ? failure([...diagnostics, ...clashes]) : success(value, diagnostics);
}
