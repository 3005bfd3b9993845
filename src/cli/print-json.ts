import type { Change } from "../apply/change.js";
import type { Repair } from "../commands/repairs.js";
import type { Outcome, Validity } from "../commands/outcome.js";
import type { Result } from "../diagnostics/result.js";
import { toValues } from "../diagnostics/format.js";

/** The same values that people read, for programs: one JSON object on standard output. */
export function jsonText(
  result: Result<Outcome | Validity>,
  repairs: readonly Repair[] | null = null,
): string {
  const diagnostics = toValues(result.diagnostics);
  const answer = result.ok ? answerValue(result.value) : {};
  const fixed = repairs?.map(({ span, before, after }) => ({ ...span, before, after }));
  return `${JSON.stringify({ ok: result.ok, fixed, ...answer, diagnostics }, null, 2)}\n`;
}

function answerValue(value: Outcome | Validity): object {
  return "resources" in value ? value : outcomeValue(value);
}

/** What was done to the files, or would be, for programs. */
export function outcomeValue({
  applied,
  changes,
  leftAlone,
  migration,
  upgradedContracts,
  gonePaths,
}: Outcome): object {
  return {
    ...{ applied, changes: changes.map(changeValue), leftAlone, migration },
    ...{ upgradedContracts, gonePaths },
  };
}

/** A change without the text, which is on disk or would be. */
function changeValue(change: Change): object {
  const { kind, path } = change;
  if (change.kind === "kept") return { kind, path, hint: change.hint };
  if (change.kind === "updated" && change.savedAs !== null) {
    return { kind, path, savedAs: change.savedAs };
  }
  return { kind, path };
}
