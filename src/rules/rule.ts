import { withPaths, type EnforcedBy, type Kept } from "./enforced-by.js";
import { VERIFIED } from "./verified.js";

/** An example that breaks a rule and one that follows it, in a schema or on the wire. */
export interface Example {
  readonly language: "yaml" | "json" | "http";
  readonly wrong: string;
  readonly right: string;
}

/** How much of a rule is supported; `lacks` says what is missing. */
export type Support = "full" | "partly";

/** A numbered rule of the contract, as people read it. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly asks: string;
  readonly why: string;
  readonly example: Example;
  readonly support: Support;
  /** What is not supported yet; empty when all of it is supported. */
  readonly lacks: string;
  readonly enforcedBy: EnforcedBy;
  /** `generator verify` tries it on a running service, as far as it is supported. */
  readonly verified: boolean;
}

/** Rules about one subject, with the section of the contract that they belong to. */
export interface RuleFamily {
  readonly prefix: string;
  readonly title: string;
  readonly section: string;
  readonly rules: readonly Rule[];
}

/** The test in which `generator verify` has to notice services that break a rule. */
const SEEDED_FAULTS = "test/mutants/mutants.test.ts";

/** The words of a rule. */
type Words = Pick<Rule, "id" | "title" | "asks" | "why" | "example">;

/** A supported rule; `lacks` says which part of it is not. */
export function rule({ kept, lacks = "", ...words }: Words & { kept: Kept; lacks?: string }): Rule {
  const support = lacks === "" ? "full" : "partly";
  const verified = VERIFIED.has(words.id);
  const { tests, ...enforcedBy } = withPaths(kept);
  const seeded = verified ? [SEEDED_FAULTS] : [];
  return {
    ...words,
    support,
    lacks,
    enforcedBy: { ...enforcedBy, tests: [...tests, ...seeded] },
    verified,
  };
}
