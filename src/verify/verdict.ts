import type { RequestText } from "./exchange.js";
import type { RefusedValue } from "./refused-values.js";

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
  /** What the schema allows and was answered 400 as not valid: a rule of custom code may refuse it. */
  readonly refused: readonly RefusedValue[];
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
  /** The rules that a run which was stopped early did not come to, or not to the end of. */
  readonly untried: readonly string[];
}
