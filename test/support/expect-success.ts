import type { Result } from "../../src/diagnostics/result.js";
import { failureText } from "./failure-text.js";

/** The value of a result; throws, with every diagnostic, when there is none. */
export function expectSuccess<T>(result: Result<T>, what = "the project"): T {
  if (!result.ok) throw new Error(failureText(what, result.diagnostics));
  return result.value;
}
