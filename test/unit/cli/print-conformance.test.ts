import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { conformanceText } from "../../../src/cli/print-conformance.js";
import type { Verdict } from "../../../src/verify/verdict.js";

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

test("where nothing was refused, nothing is said of it", () => {
  expect(printed(verdict("OPS-1", 0))).not.toContain(HINT);
});
