import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { conformanceText, verdictText } from "../../src/cli/print-conformance.js";
import type { RefusedValue } from "../../src/verify/refused-values.js";
import type { Verdict } from "../../src/verify/verdict.js";

const PLAIN = createColors(false);
const HINT = "for --samples";
const REQUEST = { method: "POST", path: "/api/v1/loans", headers: {}, body: "{}" };
const FAILURE = { request: REQUEST, expected: "201", got: "500 InternalErrorMessage" };

function verdict(rule: string, refused: readonly RefusedValue[], isKept = false): Verdict {
  const found = isKept
    ? ({ outcome: "pass", failures: [] } as const)
    : ({ outcome: "fail", failures: [FAILURE] } as const);
  return { rule, title: "A rule", reason: "", tried: 3, refused, ...found };
}

function value(property: string, more: Partial<RefusedValue> = {}): RefusedValue {
  return { resource: "loans", property, sent: 7, message: "is too much", target: null, ...more };
}

function printed(...verdicts: readonly Verdict[]): string {
  return conformanceText({ verdicts, requests: 9, left: [], untried: [] }, PLAIN);
}

test("samples that are missing are shown once, below all failures", () => {
  const tool = value("tool", { target: "tools", message: "is\nbroken" });
  const tools = value("size", { resource: "tools", sent: "a" });
  const text = printed(
    verdict("OPS-1", [value("days"), tools]),
    verdict("OPS-2", [value("days"), tool]),
    verdict("OPS-3", [], true),
  );
  expect(text.split(HINT).length).toBe(2);
  expect(text).toContain(`What failed:
  OPS-1   1 of 3 answers: POST /api/v1/loans expected 201, got 500 InternalErrorMessage
  OPS-2   1 of 3 answers: POST /api/v1/loans expected 201, got 500 InternalErrorMessage
Where to look:
- The service has logged the reason for each response of 500 and above, with its request id.
`);
  expect(text).toContain(`
    export const samples: Samples = {
      loans: async (make) => ({
        days: 7, // write an accepted value; this was refused: is too much
        tool: await make("tools", {}), // refused: is broken
      }),
      tools: {
        size: "a", // write an accepted value; this was refused: is too much
      },
    };
- "generator explain OPS-1" says what a rule asks for.

1 passed, 2 failed, 0 skipped; 9 requests.
`);
});

test("what a run did not come to is told", () => {
  const found = {
    verdicts: [verdict("OPS-1", [], true)],
    requests: 9,
    left: [],
    untried: ["OPS-2"],
  };
  expect(conformanceText(found, PLAIN)).toBe(
    "\nStopped before the end. Not tried: OPS-2 (--rule tries these alone).\n\n1 passed, 0 failed, 0 skipped; 9 requests.\n",
  );
});

test("nothing that a service says controls the terminal, or begins a line", () => {
  const escape = "/x\u001b]0;title\u0007\nPASS";
  const request = { method: "GET", path: escape, headers: { a: escape }, body: escape };
  const failed: Verdict = {
    ...{ rule: "OPS-1", title: "A rule", outcome: "fail", reason: escape, tried: 1, refused: [] },
    failures: [{ request, expected: escape, got: escape }],
  };
  const left = [{ path: escape, reason: escape }];
  const found = { verdicts: [failed], requests: 9, left, untried: [] };
  const text = conformanceText(found, PLAIN) + verdictText(failed, PLAIN);
  expect(text.split("\\u001b]0;title\\u0007 PASS").length).toBe(12);
  expect(text).not.toMatch(/^PASS|[^\P{Cc}\n]/mu);
});

test("a refusal by an error of custom code leads to the samples, below what failed", () => {
  const refused = { ...FAILURE, got: "409 TooUrgentMessage" };
  expect(printed({ ...verdict("OPS-1", []), failures: [refused] })).toContain(
    "Where to look:\n- If a rule in src/custom refused",
  );
});

test.each([
  'first, which v1 cannot see: "Ada"',
  'what v1 has not sent, at "first": "Ada"',
  'what was not named beside name, at "first": "Ada"',
])("a change of what was not sent (%s) leads to samples of both", (expected) => {
  const changed = { ...FAILURE, expected, got: "another" };
  expect(printed({ ...verdict("VER-2", []), failures: [changed] })).toContain(
    "Where to look:\n- If a hook in src/custom made a value of others",
  );
});

test("a sample that is missing is shown where rules were skipped for it, too", () => {
  const skipped = { ...verdict("OPS-1", [value("days")], true), outcome: "skipped" } as const;
  expect(printed(skipped)).toContain("\nWhere to look:\n- The schema allows");
});

test("where nothing was refused, nothing is said of it", () => {
  expect(printed(verdict("OPS-1", []))).not.toContain(HINT);
});
