import { keepers, type Keepers, type Kept } from "./keepers.js";
import { VERIFIED } from "./verified.js";

/** What breaks a rule, and what keeps it, in a schema or on the wire. */
export interface Example {
  readonly language: "yaml" | "json" | "http";
  readonly wrong: string;
  readonly right: string;
}

/** How much of a rule this version keeps: what it lacks is told in `lacks`. */
export type Support = "full" | "partly" | "none";

/** A numbered rule of the contract, as people read it. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly asks: string;
  readonly why: string;
  readonly example: Example;
  readonly support: Support;
  /** What is not supported yet; empty when nothing is. */
  readonly lacks: string;
  readonly keptBy: Keepers;
  /** `generator verify` tries it on a running service, as far as it is supported. */
  readonly verified: boolean;
}

/** Rules about one thing, and the section of the contract that they number. */
export interface RuleFamily {
  readonly prefix: string;
  readonly title: string;
  readonly section: string;
  readonly rules: readonly Rule[];
}

/** The words of a rule. */
type Words = Pick<Rule, "id" | "title" | "asks" | "why" | "example">;

/** A rule that is kept; with `lacks`, all of it but that. */
export function rule({ kept, lacks = "", ...words }: Words & { kept: Kept; lacks?: string }): Rule {
  const support = lacks === "" ? "full" : "partly";
  return { ...words, support, lacks, keptBy: keepers(kept), verified: VERIFIED.has(words.id) };
}

/** A rule of which nothing is supported yet; a schema that asks for it is refused. */
export function planned(words: Words): Rule {
  const lacks = "all of it";
  const keptBy = keepers({ codes: ["SCH-11"] });
  return { ...words, support: "none", lacks, keptBy, verified: VERIFIED.has(words.id) };
}
