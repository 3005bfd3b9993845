import { join } from "node:path";
import { foldedJson } from "../artifacts/json-text.js";
import type { Manifest } from "../apply/manifest.js";
import { textHash } from "../apply/text-hash.js";
import { contractOfVersion } from "../contract/contract-of.js";
import { resourceContractPath, versionContractPath } from "../contract/frozen-contract.js";
import type { Project } from "../contract/project.js";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { MANIFEST_PATH, type ContractSource } from "../load/contract-source.js";
import type { VersionModel } from "../model/service-model.js";
import type { OutputFile } from "../render/output-file.js";
import type { Environment } from "./environment.js";

/** The text of generator.lock; null where there is none. */
export function readLock({ files, root }: Environment): string | null {
  const path = join(root, MANIFEST_PATH);
  return files.lstat(path)?.kind === "file" ? files.readText(path) : null;
}

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
/**
 * SCH-155: frozen contracts that the generator did not write; `--force` does not replace them, because the
 * earlier promise would be lost. After a merge of two branches, what both of them make together is as good as either.
 */
export function editedContracts(
  contracts: readonly ContractSource[],
  outputs: readonly OutputFile[],
  { madeBy, generated }: Manifest,
  isMerged: (path: string) => boolean = () => false,
): Diagnostic[] {
  // Without generator.lock every file counts as written by hand, and the plan says so.
  if (madeBy === null) return [];
  const texts = new Map(outputs.map(({ path, text }) => [path, text]));
  return contracts.flatMap(({ path, text }) => {
    if (!texts.has(path)) return [];
    const recorded = generated.get(path) ?? [];
    const isUnited = recorded.length > 1 && texts.get(path) === text;
    if (isUnited || recorded.includes(textHash(text)) || isMerged(path)) return [];
    const suggestion = "Restore it from version control: git restore contract.";
    const span = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
    return [diagnostic("SCH-155", { span, source: "" }, { path }, { suggestion })];
  });
}
