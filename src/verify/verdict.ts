import type { RequestText } from "./exchange.js";

/** One answer that a rule does not allow. */
export interface Failure {
  readonly request: RequestText;
  readonly expected: string;
  readonly got: string;
}

/** What became of one rule. */
export interface Verdict {
  readonly rule: string;
  readonly title: string;
  readonly outcome: "pass" | "fail" | "skipped";
  /** Why it was skipped, or in part; "" where all of it was tried. */
  readonly reason: string;
  /** How many answers were looked at. */
  readonly tried: number;
  readonly failures: readonly Failure[];
}

/** What became of a service. */
export interface Conformance {
  readonly verdicts: readonly Verdict[];
  /** How many requests were sent, those that cleaned up included. */
  readonly requests: number;
  /** Paths of entities that were made, and that the service did not let go of. */
  readonly left: readonly string[];
  /** Whether it was told to stop before it was done. */
  readonly interrupted: boolean;
}
