import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "../../../src/rules/rules.js";
import { CHECKS } from "../../../src/verify/checks.js";

/** The rules that the contract marks with a V: something of them can be seen on a running service. */
const MARKED =
  "NAM-1 NAM-2 IDN-1 IDN-2 IDN-4 ENT-1 ENT-2 ENT-3 ENT-4 REP-1 REP-2 REP-3 REP-4 REP-5 REP-6 REP-7 REP-8 COL-1 COL-2 " +
  "STA-1 STA-2 STA-3 OPS-1 OPS-2 OPS-3 OPS-4 OPS-5 OPS-6 OPS-7 OPS-8 OPS-9 OPS-10 OPS-11 OPS-12 CHD-1 CHD-2 CHD-3 CHD-4 QRY-1 " +
  "QRY-2 QRY-3 QRY-4 QRY-5 QRY-6 QRY-7 QRY-8 QRY-9 QRY-10 ALI-1 AUT-1 AUT-2 AUT-3 AUT-4 EVT-1 ERR-1 ERR-2 ERR-3 ERR-4 LIM-1 LIM-2 VER-1 VER-2 VER-4 VER-5";

test("what the contract marks is what the rules say can be verified", () => {
  const verified = RULES.filter((rule) => rule.verified).map(({ id }) => id);
  expect(verified).toEqual(MARKED.split(" "));
});

test("every rule that can be verified has one check, and no other rule has any", () => {
  const wanted = RULES.filter(({ verified }) => verified);
  expect(CHECKS.map(({ rule }) => rule).sort()).toEqual(wanted.map(({ id }) => id).sort());
});

test("docs/contract.md tells how to try a rule on a running service", () => {
  const page = readFileSync("docs/contract.md", "utf8");
  expect(page).toContain("`generator verify <url> --rule REP-1`");
  expect(page).not.toContain("--rule IDN-3");
});
