import { mistake } from "../diagnostics/diagnostic.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import type { KeywordMistake } from "./kind-keywords.js";

/** What is wrong with the bounds of a size: none is left between them. */
export function sizeMistakes(
  given: MessageArguments<"SCH-13"> & Record<"from" | "to", number>,
): KeywordMistake[] {
  if (given.from <= given.to) return [];
  return [{ keyword: given.low, part: "key", mistake: mistake("SCH-13", given), suggestion: null }];
}
