import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { conformanceText, verdictText } from "../../src/cli/print-conformance.js";
import type { Verdict } from "../../src/verify/verdict.js";

const PLAIN = createColors(false);
const HINT = "--samples <file>";

function verdict(rule: string, refused: number): Verdict {
  const outcome = refused > 0 ? "fail" : "pass";
  return { rule, title: "A rule", outcome, reason: "", tried: 1, refused, failures: [] };
}

function printed(...verdicts: readonly Verdict[]): string {
  return conformanceText({ verdicts, requests: 9, left: [], interrupted: false }, PLAIN);
}

test("that a rule of own code may refuse what was sent is said once, below all failures", () => {
  const text = printed(verdict("OPS-1", 2), verdict("OPS-2", 1), verdict("OPS-3", 0));
  expect(text.split(HINT).length).toBe(2);
  expect(text).toMatch(/docs\/verify\.md\)\.\n\n1 passed, 2 failed, 0 skipped; 9 requests\.\n$/);
});

test("nothing that a service says controls the terminal, or begins a line", () => {
  const escape = "/x\u001b]0;title\u0007\nPASS";
  const request = { method: "GET", path: escape, headers: { a: escape }, body: escape };
  const failed: Verdict = {
    ...{ rule: "OPS-1", title: "A rule", outcome: "fail", reason: escape, tried: 1, refused: 0 },
    failures: [{ request, expected: escape, got: escape }],
  };
  const left = [{ path: escape, reason: escape }];
  const found = { verdicts: [failed], requests: 9, left, interrupted: false };
  const text = conformanceText(found, PLAIN) + verdictText(failed, PLAIN);
  expect(text.split("\\u001b]0;title\\u0007 PASS").length).toBe(9);
  expect(text).not.toMatch(/^PASS|[^\P{Cc}\n]/mu);
});

test("where nothing was refused, nothing is said of it", () => {
  expect(printed(verdict("OPS-1", 0))).not.toContain(HINT);
});
