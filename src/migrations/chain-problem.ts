import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { MessageArguments } from "../diagnostics/messages.js";

type ChainCode = "SCH-141" | "SCH-147" | "SCH-148" | "SCH-149" | "SCH-430";

const WAYS_OUT: Readonly<Record<ChainCode, string>> = {
  "SCH-141":
    "Restore the other one from version control, under the name that it had; where no database has this one, delete its folder and run generate.",
  "SCH-147":
    "Restore the folder from version control; where no database has it, delete it and run generate.",
  "SCH-148":
    'Restore it (git restore). Put further statements into another one: "generator migration new <name>".',
  "SCH-149":
    "Delete the folder of the one that no database has, and run generate: it is made again, on top of the other. " +
    "One that was written by hand names the other among its `parents` instead.",
  "SCH-430":
    "Restore it from version control (git restore migrations, or git checkout <commit> -- migrations). Where no database " +
    'is to be kept, run "generator migration squash --unreleased": it makes one migration in place of what is gone.',
};

/** A diagnostic about a migration as a whole. */
export function chainProblem<C extends ChainCode>(
  code: C,
  name: string,
  given: MessageArguments<C>,
): Diagnostic {
  return fileProblem(code, `migrations/${name}/migration.json`, given);
}

/** A diagnostic about one of its files. */
export function fileProblem<C extends ChainCode>(
  code: C,
  file: string,
  given: MessageArguments<C>,
): Diagnostic {
  // A migration is a folder of files: no line of one is to blame.
  const span = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return diagnostic(code, { span, source: "" }, given, { suggestion: WAYS_OUT[code] });
}
