import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { PROMISES, ruleCounts, RULES, type EnforcedBy, type Rule } from "../../src/rules/rules.js";
import { withOverview } from "./contract-page.js";
import { enforcementFindings } from "./enforcement-findings.js";

/** How many rules of each kind the contract has. */
const COUNTS = {
  NAM: 5,
  IDN: 4,
  ENT: 4,
  REP: 9,
  COL: 2,
  STA: 3,
  OPS: 12,
  CHD: 4,
  QRY: 10,
  ALI: 1,
  AUT: 4,
  EVT: 1,
  ERR: 4,
  LIM: 2,
  VER: 5,
};

/** Numbered in the contract, and of a release to come. */
const LATER: readonly string[] = [];

const TESTS = readdirSync("test/contract")
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/contract/${name}`);

test("every rule of the contract is there, numbered without a gap", () => {
  const wanted = Object.entries(COUNTS)
    .flatMap(([prefix, count]) =>
      Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`),
    )
    .filter((id) => !LATER.includes(id));
  expect(RULES.map(({ id }) => id)).toEqual(wanted);
});

test("a supported rule is enforced, has a test, and names only what exists", () => {
  expect(RULES.flatMap(enforcementFindings)).toEqual([]);
});

test("every test of the contract belongs to a rule or a promise", () => {
  const named = new Set(
    [...RULES.map(({ enforcedBy }) => enforcedBy), ...PROMISES].flatMap((it) => it.tests),
  );
  expect(TESTS.filter((path) => !named.has(path))).toEqual([]);
  expect(PROMISES.flatMap(({ tests }) => tests).filter((path) => !TESTS.includes(path))).toEqual(
    [],
  );
});

test("a test that is named after a rule is one of that rule", () => {
  const strays = TESTS.filter((path) => {
    const [, id] = /\/([a-z]{3}-\d+)-/.exec(path) ?? [];
    const found = RULES.find((candidate) => candidate.id === id?.toUpperCase());
    return id !== undefined && !found?.enforcedBy.tests.includes(path);
  });
  expect(strays).toEqual([]);
});

test("a rule that verify tries is one whose faults it has to notice", () => {
  const seeded = RULES.filter(({ enforcedBy }) =>
    enforcedBy.tests.includes("test/mutants/mutants.test.ts"),
  );
  expect(seeded).toEqual(RULES.filter(({ verified }) => verified));
});

test("the table of docs/contract.md is what the rules say (npm run accept)", () => {
  const page = readFileSync("docs/contract.md", "utf8");
  expect(withOverview(page)).toBe(page);
});

test("every example can be read, and its two sides differ", () => {
  for (const { id, example } of RULES) {
    expect(example.wrong, id).not.toBe(example.right);
    if (example.language !== "yaml") continue;
    expect(() => [parse(example.wrong), parse(example.right)], id).not.toThrow();
  }
});

test("a supported rule is counted once, and has a test", () => {
  const { total, tested } = ruleCounts();
  const counted = Object.values(COUNTS).reduce((sum, count) => sum + count);
  expect(total).toBe(counted - LATER.length);
  expect(tested).toBe(total);
});

const ENFORCED: EnforcedBy = {
  codes: ["NAM-4"],
  checks: [],
  emitted: [],
  openapi: [],
  tests: ["test/contract/ops-4-replace.test.ts"],
};

test.each<{ name: string; wrong: Partial<EnforcedBy> }>([
  { name: "without a test", wrong: { tests: [] } },
  { name: "without enforcement", wrong: { codes: [] } },
  {
    name: "with a test that does not exist",
    wrong: { tests: ["test/contract/ops-1-nothing.test.ts"] },
  },
  {
    name: "with a check that does not exist",
    wrong: { checks: ["src/validate/check-enum.ts", "src/validate/nothing.ts"] },
  },
  { name: "with a check of something else", wrong: { checks: ["src/validate/check-states.ts"] } },
  {
    name: "with a file that is not emitted",
    wrong: { emitted: ["@rulebound/runtime/nothing.ts"] },
  },
  {
    name: "with a file that no resource has",
    wrong: { emitted: ["src/generated/v1/<resources>/<resources>.nothing.ts"] },
  },
  { name: "with a place that no document has", wrong: { openapi: ["paths > /<no>/x"] } },
])("a supported rule $name is found", ({ wrong }) => {
  const [rule] = RULES;
  const right = { ...rule, enforcedBy: ENFORCED } as Rule;
  expect(enforcementFindings(right)).toEqual([]);
  expect(enforcementFindings({ ...right, enforcedBy: { ...ENFORCED, ...wrong } })).toHaveLength(1);
});
