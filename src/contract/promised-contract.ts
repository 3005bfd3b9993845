import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceTree } from "../load/source-document.js";
import type { VersionModel } from "../model/service-model.js";
import { contractOfVersion } from "./contract-of.js";
import { frozenContract, wholeContract } from "./frozen-contract.js";
import type { Project } from "./project.js";
import { CONTRACT_FORMAT, type Contract, type ResourceContract } from "./resource-contract.js";

/** What was promised of a version, with what the build that froze it did not write down; null: nothing, or not all of it. */
export function promisedContract(
  { name }: Pick<VersionModel, "name">,
  { contracts }: Pick<SourceTree, "contracts">,
  now: Contract,
): Contract | null {
  const frozen = frozenContract(name, contracts);
  const whole = frozen === null ? null : wholeContract(frozen);
  if (whole === null || whole.version.format === CONTRACT_FORMAT) return whole;
  const resources = [...whole.resources].map(([plural, was]): [string, ResourceContract] => {
    const unique = assumedOf(was, now.resources.get(plural));
    return [plural, unique.length === 0 ? was : { ...was, unique }];
  });
  return { ...whole, resources: new Map(resources) };
}

/**
 * What no two entities share together was not written down at first, so that it is taken as promised where nothing says
 * otherwise: all of its properties were, and no list of the resource is.
 */
function assumedOf(
  was: ResourceContract,
  now: ResourceContract | undefined,
): readonly (readonly string[])[] {
  if (was.unique !== undefined) return [];
  return (now?.unique ?? []).filter((list) => list.every((path) => path in was.properties));
}

/** SCH-311, a warning: what is taken as promised, to be looked at once; the next run writes it down. */
export function assumedPromises({ tree, model }: Project): Diagnostic[] {
  return model.versions.flatMap((version) => {
    const frozen = frozenContract(version.name, tree.contracts);
    const isServed = version.status !== "draft" && version.status !== "retired";
    if (!isServed || frozen === null || frozen.version?.format === CONTRACT_FORMAT) return [];
    const now = contractOfVersion(model, version);
    return version.resources.flatMap(({ name: { plural }, source }) => {
      const was = frozen.resources.get(plural);
      const lists = was === undefined ? [] : assumedOf(was, now.resources.get(plural));
      const document = tree.resources.find(({ path }) => path === source);
      if (lists.length === 0 || document === undefined) return [];
      const names = lists.map((list) => list.join(" and ")).join("; ");
      const suggestion =
        "If it was added after that, take it away: clients would be answered 409 for what was accepted.";
      const given = { version: version.name, names };
      const how = { suggestion, severity: "warning" } as const;
      return [diagnostic("SCH-311", document.locate(["unique"], "key"), given, how)];
    });
  });
}
