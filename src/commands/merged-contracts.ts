import { CONTRACT_FOLDER, contractSource } from "../load/contract-source.js";
import type { SourceTree } from "../load/source-document.js";
import type { Environment } from "./environment.js";

/**
 * Adds to a tree what each branch of the present or the last merge has promised, whichever side's files the project has.
 * A contract in which git has left a conflict is that of one side.
 */
export async function withMerges(
  { merges, root }: Pick<Environment, "merges" | "root">,
  tree: SourceTree,
): Promise<SourceTree> {
  if (merges === undefined || tree.contracts.length === 0) return tree;
  const folders = (await merges()).changedFolders(root, CONTRACT_FOLDER);
  const mergedContracts = folders.map((texts) =>
    [...texts].flatMap(([path, text]) => contractSource(path, text) ?? []),
  );
  const known = mergedContracts.flat().filter(({ value }) => value !== undefined);
  const contracts = tree.contracts.map((own) =>
    own.value === undefined ? (known.find(({ path }) => path === own.path) ?? own) : own,
  );
  return { ...tree, contracts, mergedContracts };
}
