import { readCacheDetails } from "../apply/cache.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import { checkPublished } from "../contract/check-published.js";
import { load } from "../load/load.js";
import { normalise } from "../model/normalise.js";
import { validate as validateTree } from "../validate/validate.js";
import type { Environment } from "./environment.js";
import { withMerges } from "./merged-contracts.js";
import type { Validity } from "./outcome.js";
import { storageNameProblems } from "./storage-names.js";

/** Reads the YAML and reports every mistake in it; ignores generated files. */
export async function validate(env: Environment): Promise<Result<Validity>> {
  const { parsed } = readCacheDetails(env);
  const loaded = load(env.files, env.root, (hash) =>
    Object.hasOwn(parsed, hash) ? parsed[hash] : undefined,
  );
  if (!loaded.ok) return loaded;
  const tree = await withMerges(env, loaded.value);
  const validated = await validateTree(tree);
  if (!validated.ok) return validated;
  const { resources, representations } = validated.value;
  const diagnostics = [...loaded.diagnostics, ...validated.diagnostics];
  const model = normalise(validated.value);
  const project = { tree, model };
  const broken = [...storageNameProblems(project), ...checkPublished(project)];
  if (broken.length > 0) return failure([...diagnostics, ...broken]);
  return success({ resources: resources.length + representations.length }, diagnostics);
}
