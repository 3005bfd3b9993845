import { join } from "node:path";
import { didYouMean } from "../diagnostics/advice.js";
import type { Result } from "../diagnostics/result.js";
import { promisedContract } from "../contract/frozen-contract.js";
import { withVersionStatus } from "../load/edit-versions.js";
import { nearest } from "../naming/nearest.js";
import type { Environment } from "./environment.js";
import { executePlan } from "./execute-plan.js";
import { onWhole } from "./finish-interrupted.js";
import type { Outcome } from "./outcome.js";
import { readModel, type ReadModel } from "./read-model.js";
import { UsageError } from "./usage-error.js";

/**
 * Promises a version to its clients: freezes what they can see of it in `contract/`, and says in service.yaml that it is
 * published (VER-4). Throws `UsageError` where it was promised already.
 */
export function publish(env: Environment, version: string): Promise<Result<Outcome>> {
  return onWhole(env, () => publishWhole(env, version));
}

async function publishWhole(env: Environment, version: string): Promise<Result<Outcome>> {
  const { files, root } = env;
  const read = await readModel(files, root);
  if (!read.ok) return read;
  const isDraft = checkPublishable(read.value, version);
  const text = files.readText(join(root, "service.yaml"));
  const service = isDraft ? withVersionStatus(text, version, "published") : text;
  return executePlan(env, { force: false, publication: { version, service } });
}

/** Whether service.yaml still calls it a draft. */
function checkPublishable({ tree, model }: ReadModel, name: string): boolean {
  const names = model.versions.map((version) => version.name);
  const status = model.versions.find((version) => version.name === name)?.status;
  if (status === undefined) {
    const near = nearest(name, names);
    const known = near === null ? `There is ${names.join(", ")}.` : didYouMean(near);
    throw new UsageError(`There is no version ${JSON.stringify(name)}. ${known}`);
  }
  if (status === "retired")
    throw new UsageError(`${name} is retired, so it no longer has a contract.`);
  if (status !== "draft" && promisedContract(name, tree.contracts) !== null) {
    throw new UsageError(
      `${name} is ${status} already. Compatible edits are added to its contract by "generator generate"; ` +
        `edits that break it belong in the next version: "generator version".`,
    );
  }
  return status === "draft";
}
