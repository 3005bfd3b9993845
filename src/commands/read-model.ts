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

/** How to read. */
export interface ReadOptions {
  /** Texts that replace those on disk, by path. */
  readonly given?: ReadonlyMap<string, string>;
  /** Mistakes that are reported, and refuse nothing. */
  readonly accepted?: readonly Code[];
  /** Adds what was promised in branches that are being merged; left out: none are. */
  readonly withMerges?: ((tree: SourceTree) => Promise<SourceTree>) | undefined;
}

/** Loads, validates and normalises; reports every mistake in the user's files at once. */
export async function readModel(
  files: FileSystem,
  root: string,
  { parsed, isUnchanged }: Pick<Reuse, "parsed" | "isUnchanged"> = NO_REUSE,
  { given, accepted = [], withMerges }: ReadOptions = {},
): Promise<Result<ReadModel>> {
  const loaded = load(files, root, parsed, given);
  if (!loaded.ok) return loaded;
  const tree = (await withMerges?.(loaded.value)) ?? loaded.value;
  const validated = await validate(tree, isUnchanged, accepted);
  if (!validated.ok) return validated;
  const model = normalise(validated.value);
  const value = { tree, model, documents: validated.value };
  const diagnostics = [...loaded.diagnostics, ...validated.diagnostics];
  const clashes = storageNameProblems(value);
  return clashes.length > 0 ? failure([...diagnostics, ...clashes]) : success(value, diagnostics);
}
