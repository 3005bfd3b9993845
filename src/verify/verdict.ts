import type { RequestText } from "./exchange.js";

/** One answer that a rule does not allow. */
export interface Failure {
  readonly request: RequestText;
  readonly expected: string;
  readonly got: string;
}

/** The result for one rule. */
export interface Verdict {
  readonly rule: string;
  readonly title: string;
  readonly outcome: "pass" | "fail" | "skipped";
  /** Why the rule was skipped in whole or in part; "" if all of it was tried. */
  readonly reason: string;
  /** The number of answers that were judged. */
  readonly tried: number;
  /** The number of requests that the schema allows, and that were answered 400 as not valid: a rule of own code may refuse them. */
  readonly refused: number;
  readonly failures: readonly Failure[];
}

/** A created entity that could not be deleted. */
export interface Left {
  readonly path: string;
  /** `its action cancel is not written yet`; "" where the service does not show it. */
  readonly reason: string;
}

/** The result for a service. */
export interface Conformance {
  readonly verdicts: readonly Verdict[];
  /** The number of requests, including those that cleaned up. */
  readonly requests: number;
  /** Created entities that could not be deleted. */
  readonly left: readonly Left[];
  /** True if the run was stopped early. */
  readonly interrupted: boolean;
}
