import { visible } from "../diagnostics/visible.js";
import { clipped } from "../verify/exchange.js";
import { sampleSkeleton } from "../verify/refused-values.js";
import type { Conformance, Failure, Left, Verdict } from "../verify/verdict.js";
import type { Terminal } from "./terminal.js";

/** The number of failures of a rule that are shown; the rest are counted. */
const FEW = 3;

/** The most characters of an expectation or a response in the summary. */
const MOST_SHOWN = 120;

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

/** Below the rules: each failure with its request, what is left behind, what to look at first, and the counts. */
export function conformanceText(
  { verdicts, requests, left, untried }: Conformance,
  colors: Terminal["colors"],
): string {
  const failed = verdicts.filter(({ outcome }) => outcome === "fail");
  const count = (wanted: Verdict["outcome"]): number =>
    verdicts.filter(({ outcome }) => outcome === wanted).length;
  const counts = `${count("pass")} passed, ${failed.length} failed, ${count("skipped")} skipped`;
  const summary = summaryText(verdicts);
  const lines = [
    ...failed.map((verdict) => failuresText(verdict, colors)),
    "",
    ...(left.length === 0
      ? []
      : [`Left behind, because these could not be deleted:`, ...left.map(leftText), ""]),
    ...(summary === "" ? [] : [summary, ""]),
    ...(untried.length === 0
      ? []
      : [
          `Stopped before the end. Not tried: ${untried.join(", ")} (--rule tries these alone).`,
          "",
        ]),
    `${counts}; ${requests} requests.`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What to read first: each rule that failed in a line, and below them where to look; "" where all is well. */
export function summaryText(verdicts: readonly Verdict[]): string {
  const failed = verdicts.filter(({ outcome }) => outcome === "fail");
  const failures = failed.flatMap((verdict) => verdict.failures);
  // Where an entity that others refer to could not be made, rules are skipped.
  const samples = sampleSkeleton(verdicts.flatMap(({ refused }) => refused));
  const [first] = failed;
  if (first === undefined && samples === "") return "";
  return [
    ...(first === undefined ? [] : ["What failed:", ...failed.map(firstFailure)]),
    "Where to look:",
    ...(failures.some(({ got }) => got.startsWith("5"))
      ? [
          "- The service has logged the reason for each response of 500 and above, with its request id.",
        ]
      : []),
    ...(samples === ""
      ? []
      : [
          "- The schema allows what was refused here. If a rule in src/custom refuses it, give values that it accepts",
          '  in test/samples.ts, for --samples and for the tests of the service ("npx generator explain samples"):',
          ...samples.split("\n").map((line) => `    ${plain(line)}`),
        ]),
    ...(samples === "" && failures.some(isOtherRefusal)
      ? [
          "- If a rule in src/custom refused what the schema allows, give values that it accepts in test/samples.ts",
          '  ("npx generator explain samples").',
        ]
      : []),
    ...(failures.some(isOtherChange)
      ? [
          "- If a hook in src/custom made a value of others that were sent, give samples of both in test/samples.ts of which",
          '  it makes the same ("npx generator explain samples").',
        ]
      : []),
    ...(first === undefined
      ? []
      : [`- "generator explain ${first.rule}" says what a rule asks for.`]),
  ].join("\n");
}

/** Custom code refuses by errors of its own, which name no properties. */
function isOtherRefusal({ expected, got }: Failure): boolean {
  return expected.startsWith("20") && /^4\d\d /.test(got);
}

/** Something changed that was not sent. */
function isOtherChange({ expected }: Failure): boolean {
  return /which v\d+ cannot see|^what (?:was not named|v\d+ (?:cannot see|has not sent))/.test(
    expected,
  );
}

function firstFailure({ rule, failures, tried }: Verdict): string {
  const [first] = failures;
  const counts = `${failures.length} of ${tried} answers`;
  if (first === undefined) return `  ${rule.padEnd(6)}  ${counts}`;
  const { request, expected, got } = first;
  const asked = `${request.method} ${request.path}`.trim();
  const short = (text: string): string => plain(clipped(text, MOST_SHOWN));
  return `  ${rule.padEnd(6)}  ${counts}: ${short(asked)} expected ${short(expected)}, got ${short(got)}`;
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
