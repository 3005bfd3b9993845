import type { Code } from "../diagnostics/messages.js";

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

/** The same in short, as the rules are written: names without folder and ending. */
export interface Kept {
  readonly codes?: readonly Code[];
  readonly checks?: readonly string[];
  readonly kinds?: readonly string[];
  readonly contract?: readonly string[];
  readonly commands?: readonly string[];
  readonly runtime?: readonly string[];
  readonly entity?: readonly string[];
  readonly resource?: readonly string[];
  readonly files?: readonly string[];
  readonly openapi?: readonly string[];
  readonly tests?: readonly string[];
  readonly otherTests?: readonly string[];
}

/** Adds the folder and ending to every name. */
export function withPaths(kept: Kept): EnforcedBy {
  return {
    codes: kept.codes ?? [],
    checks: [
      ...paths("src/validate/", kept.checks, ".ts"),
      ...paths("src/kinds/", kept.kinds, ".ts"),
      ...paths("src/contract/", kept.contract, ".ts"),
      ...paths("src/commands/", kept.commands, ".ts"),
    ],
    emitted: [
      ...paths("@rulebound/runtime/", kept.runtime, ".ts"),
      ...paths("src/generated/entities/<entities>/<entities>.", kept.entity, ".ts"),
      ...paths("src/generated/v1/<resources>/<resources>.", kept.resource, ".ts"),
      ...(kept.files ?? []),
    ],
    openapi: kept.openapi ?? [],
    tests: [...contractTests(kept.tests ?? []), ...paths("test/", kept.otherTests, ".test.ts")],
  };
}

/** The paths of tests of the contract. */
export function contractTests(names: readonly string[]): readonly string[] {
  return paths("test/contract/", names, ".test.ts");
}

function paths(folder: string, names: readonly string[] = [], ending: string): readonly string[] {
  return names.map((name) => `${folder}${name}${ending}`);
}
