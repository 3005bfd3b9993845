import { PROMISES as COMPILED_PROMISES, RULES as COMPILED_RULES } from "#compiled/rules";
import type { Code } from "../diagnostics/messages.js";

/** A numbered rule of the contract. Its text is a section of docs/contract.md. */
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

/** An example that breaks a rule and one that follows it, in a schema or on the wire. */
interface Example {
  readonly language: "yaml" | "json" | "http";
  readonly wrong: string;
  readonly right: string;
}

/** How much of a rule is supported; `lacks` says what is missing. */
type Support = "full" | "partly";

/** What enforces a rule: a change of one of these can break it. */
export interface EnforcedBy {
  /** Diagnostics that refuse a schema which breaks the rule. */
  readonly codes: readonly Code[];
  /** Files of the generator that find them. */
  readonly checks: readonly string[];
  /** Files of a generated service; `<resources>` stands for each resource, `<entities>` for what it stores. */
  readonly emitted: readonly string[];
  /** Places in the OpenAPI document, steps parted by ` > `; `<...>` stands for any name. */
  readonly openapi: readonly string[];
  /** Tests of the rule; those in test/contract look at a running service. */
  readonly tests: readonly string[];
}

/** A promise that no rule makes, with its tests. */
interface FurtherPromise {
  readonly promise: string;
  readonly tests: readonly string[];
}

/** Every rule of the contract, in its order. */
export const RULES: readonly Rule[] = COMPILED_RULES;

/** What a service promises besides the numbered rules. */
export const PROMISES: readonly FurtherPromise[] = COMPILED_PROMISES;

/** The words for how much of a rule is supported. */
export const SUPPORT_WORDS: Readonly<Record<Support, string>> = {
  full: "supported",
  partly: "in part",
};

/** What enforces a rule, in words: `schema`, `code`, `OpenAPI`, `test`, `verify`. */
export function enforcementKinds({ enforcedBy, verified }: Rule): string {
  const { codes, emitted, openapi, tests } = enforcedBy;
  const kinds = { schema: codes, code: emitted, OpenAPI: openapi, test: tests };
  const there = Object.entries(kinds).filter(([, places]) => places.length > 0);
  return [...there.map(([kind]) => kind), ...(verified ? ["verify"] : [])].join(" ");
}

/** How many rules there are, how many are supported in part, and how many have a test. */
export function ruleCounts(): { total: number; partly: number; tested: number } {
  return {
    total: RULES.length,
    partly: RULES.filter(({ support }) => support === "partly").length,
    tested: RULES.filter(({ enforcedBy }) => enforcedBy.tests.length > 0).length,
  };
}

/** `65 of 65 rules supported, 65 with a test`; with how many are supported in part, where some are. */
export function ruleCountText(): string {
  const { total, partly, tested } = ruleCounts();
  const inPart = partly === 0 ? "" : ` (${partly} in part)`;
  return `${total} of ${total} rules supported${inPart}, ${tested} with a test`;
}
