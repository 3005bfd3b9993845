import { foldedJson } from "../artifacts/json-text.js";
import { contractOfVersion } from "../contract/contract-of.js";
import { resourceContractPath, versionContractPath } from "../contract/frozen-contract.js";
import type { Project } from "../contract/project.js";
import type { VersionModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";

/**
 * What clients are promised of every version that is not a draft, as files: with what compatible edits have added, and of
 * a retired version as it was.
 */
export function frozenOutputs({ tree, model }: Project): OutputFile[] {
  return model.versions.flatMap((version) => {
    if (version.status === "draft") return [];
    if (version.status !== "retired") return contractOutputs({ tree, model }, version);
    const own = tree.contracts.filter((contract) => contract.version === version.name);
    return own.map(({ path, text }): OutputFile => ({ path, owner: "generator", text }));
  });
}

function contractOutputs({ model }: Project, version: VersionModel): OutputFile[] {
  const { name } = version;
  const { version: whole, resources } = contractOfVersion(model, version);
  const output = (path: string, value: object): OutputFile => ({
    path,
    owner: "generator",
    text: foldedJson(value),
  });
  return [
    output(versionContractPath(name), whole),
    ...[...resources].map(([plural, contract]) =>
      output(resourceContractPath(name, plural), contract),
    ),
  ];
}
