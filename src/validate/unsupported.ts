import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import type { At } from "./findings.js";
import { own } from "./plain.js";

/** A keyword that is not supported yet, with its place. */
export interface Unsupported {
  readonly at: At;
  readonly mistake: Mistake;
}

/** The keys of service.yaml and of resource files that are not supported yet. */
export const UNSUPPORTED_KEYS: readonly string[] = ["events"];

/** The parts of a file that are not supported yet. */
export function unsupportedIn(value: unknown): Unsupported[] {
  return UNSUPPORTED_KEYS.filter((name) => own(value, name) !== undefined).map((key) => ({
    at: { path: [key], part: "key" },
    mistake: mistake("SCH-11", { key }),
  }));
}
