import { visible } from "../diagnostics/visible.js";
import type { Conformance, Failure, Left, Verdict } from "../verify/verdict.js";
import type { Terminal } from "./terminal.js";

/** The number of failures of a rule that are shown; the rest are counted. */
const FEW = 3;

/** What to do where a rule that the schema does not know is in the way. */
const HINT =
  "The schema allows some of what was answered 400 ValidationFailedMessage. A rule in src/custom may refuse it:\n" +
  "--samples <file> gives values that the rule accepts (docs/verify.md).";

/** One rule in a line. */
export function verdictText(
  { rule, title, outcome, reason }: Verdict,
  colors: Terminal["colors"],
): string {
  const words = {
    pass: colors.green("PASS"),
    fail: colors.red("FAIL"),
    skipped: colors.yellow("SKIP"),
  };
  const why = reason === "" ? "" : colors.dim(`  (${plain(reason)})`);
  return `${words[outcome]}  ${colors.bold(rule.padEnd(6))}  ${title}${why}\n`;
}

/** Below the rules: each failure with its request, what is left behind, and the counts. */
export function conformanceText(
  { verdicts, requests, left, interrupted }: Conformance,
  colors: Terminal["colors"],
): string {
  const failed = verdicts.filter(({ outcome }) => outcome === "fail");
  const count = (wanted: Verdict["outcome"]): number =>
    verdicts.filter(({ outcome }) => outcome === wanted).length;
  const counts = `${count("pass")} passed, ${failed.length} failed, ${count("skipped")} skipped`;
  const lines = [
    ...failed.map((verdict) => failuresText(verdict, colors)),
    "",
    ...(verdicts.some(({ refused }) => refused > 0) ? [colors.dim(HINT), ""] : []),
    ...(interrupted ? ["Stopped before the end."] : []),
    ...(left.length === 0
      ? []
      : [`Left behind, because these could not be deleted:`, ...left.map(leftText), ""]),
    `${counts}; ${requests} requests.`,
  ];
  return `${lines.join("\n")}\n`;
}

function leftText({ path, reason }: Left): string {
  return plain(reason === "" ? path : `${path}  (${reason})`);
}

function failuresText({ rule, title, failures }: Verdict, colors: Terminal["colors"]): string {
  const shown = failures.slice(0, FEW).map((failure) => failureText(failure, colors));
  const more = failures.length - shown.length;
  return [
    `\n${colors.bold(`${rule}  ${title}`)}`,
    ...shown,
    ...(more > 0 ? [colors.dim(`  and ${more} more (--json shows all)`)] : []),
  ].join("\n");
}

/** What was sent, expected and answered, a line each. */
export function failureText(
  { request, expected, got }: Failure,
  colors: Terminal["colors"],
): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`${request.method} ${request.path}`.trim(), ...headers];
  return [
    ...lines.map((line) => `  ${plain(line)}`),
    ...(request.body === "" ? [] : [`  ${plain(request.body)}`]),
    `    ${colors.green("expected")}  ${plain(expected)}`,
    `    ${colors.red("got")}       ${plain(got)}`,
  ].join("\n");
}

/** Text of the service in one line, which cannot control the terminal. */
function plain(text: string): string {
  return visible(text.replaceAll(/\s*\r?\n\s*/g, " "));
}
