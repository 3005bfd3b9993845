import type { Manifest } from "../apply/manifest.js";
import { textHash } from "../apply/text-hash.js";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { RenderedProject } from "./render-project.js";

/**
 * SCH-155: frozen contracts that somebody else than the generator wrote; `--force` does not replace them, since nobody
 * could tell what was promised before. After a merge of two branches, what both of them make together is as good as either.
 */
export function editedContracts(
  { tree, outputs }: RenderedProject,
  { madeBy, generated }: Manifest,
): Diagnostic[] {
  // Without generator.lock every file counts as written by hand, and the plan says so.
  if (madeBy === null) return [];
  const texts = new Map(outputs.map(({ path, text }) => [path, text]));
  return tree.contracts.flatMap(({ path, text }) => {
    if (!texts.has(path)) return [];
    const recorded = generated.get(path) ?? [];
    const isMerged = recorded.length > 1 && texts.get(path) === text;
    if (isMerged || recorded.includes(textHash(text))) return [];
    const suggestion = "Restore it from version control: git restore contract.";
    const span = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
    return [diagnostic("SCH-155", { span, source: "" }, { path }, { suggestion })];
  });
}
