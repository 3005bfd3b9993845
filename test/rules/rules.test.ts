import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { withPaths } from "../../src/rules/enforced-by.js";
import { contractPage } from "../../src/rules/rule-page.js";
import { rule } from "../../src/rules/rule.js";
import { FAMILIES, PROMISES, ruleCounts, RULES } from "../../src/rules/rules.js";
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
  QRY: 6,
  ALI: 1,
  AUT: 3,
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
  expect(RULES.map(({ id }) => id).sort()).toEqual([...wanted].sort());
  for (const { prefix, rules } of FAMILIES) {
    const own = wanted.filter((id) => id.startsWith(`${prefix}-`));
    expect(rules.map(({ id }) => id)).toEqual(own);
  }
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

test("docs/contract.md is what the rules say (npm run accept)", () => {
  expect(readFileSync("docs/contract.md", "utf8")).toBe(contractPage());
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

const KEPT = { codes: ["NAM-4"], tests: ["ops-4-replace"] } as const;
test.each([
  { name: "without a test", kept: { codes: KEPT.codes } },
  { name: "without enforcement", kept: { tests: KEPT.tests } },
  { name: "with a test that does not exist", kept: { ...KEPT, tests: ["ops-1-nothing"] } },
  {
    name: "with a check that does not exist",
    kept: { ...KEPT, checks: ["check-enum", "nothing"] },
  },
  { name: "with a check of something else", kept: { ...KEPT, checks: ["check-states"] } },
  { name: "with a file that is not emitted", kept: { ...KEPT, runtime: ["nothing"] } },
  { name: "with a file that no resource has", kept: { ...KEPT, resource: ["nothing"] } },
  { name: "with a place that no document has", kept: { ...KEPT, openapi: ["paths > /<no>/x"] } },
])("a supported rule $name is found", ({ kept }) => {
  const words = { id: "NAM-9", title: "", asks: "", why: "" };
  const example = { language: "yaml", wrong: "", right: "" } as const;
  expect(enforcementFindings(rule({ ...words, example, kept: KEPT }))).toEqual([]);
  expect(enforcementFindings(rule({ ...words, example, kept }))).toHaveLength(1);
  expect(withPaths(kept)).toEqual(rule({ ...words, example, kept }).enforcedBy);
});
