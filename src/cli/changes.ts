import { changes } from "../commands/changes.js";
import { type ChangesReport, changesOf, type ReportedChange } from "../commands/changes-report.js";
import type { Environment } from "../commands/environment.js";
import { UsageError } from "../commands/usage-error.js";
import { toValues } from "../diagnostics/format.js";
import { changesHtml } from "./changes-html.js";
import { changesMarkdown } from "./changes-markdown.js";
import { changesText } from "./changes-text.js";
import { gitRevisions } from "./git-revisions.js";
import { printDiagnostics } from "./print-diagnostics.js";
import type { Terminal } from "./terminal.js";

/** The flags of `generator changes`, as far as they are given. */
export interface ChangesFlags {
  readonly since?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

const FORMATS = ["text", "json", "markdown", "html", "github"] as const;
type Format = (typeof FORMATS)[number];

/** Prints what the schemas mean for clients, and returns the exit code: 1 where a published version breaks. */
export async function answerChanges(
  version: string | undefined,
  flags: ChangesFlags,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const format = formatOf(flags);
  const asked = { version: version ?? null, since: flags.since ?? null };
  const result = await changes(env, asked, gitRevisions);
  if (format === "json") {
    const diagnostics = toValues(result.diagnostics);
    const value = result.ok ? result.value : {};
    const ok = result.ok && !isBroken(result.value);
    terminal.out(`${JSON.stringify({ ok, ...value, diagnostics }, null, 2)}\n`);
  } else {
    printDiagnostics(result.diagnostics, flags.all ?? false, terminal);
    if (result.ok) terminal.out(textOf(result.value, format, terminal));
  }
  return result.ok && !isBroken(result.value) ? 0 : 1;
}

function formatOf({ json = false, format = json ? "json" : "text" }: ChangesFlags): Format {
  const known = FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  throw new UsageError(`There is no format ${JSON.stringify(format)}: ${FORMATS.join(", ")}.`);
}

function textOf(
  report: ChangesReport,
  format: Exclude<Format, "json">,
  terminal: Terminal,
): string {
  switch (format) {
    case "text":
      return changesText(report, terminal.colors);
    case "markdown":
      return changesMarkdown(report);
    case "html":
      return changesHtml(report);
    case "github":
      return changesGithub(report);
  }
}

function isBroken({ versions }: ChangesReport): boolean {
  return versions.some((version) => version.isBroken);
}

/** The report as annotations of a GitHub workflow: an error where a published version breaks, otherwise a notice. */
function changesGithub({ versions }: ChangesReport): string {
  return versions
    .flatMap((version) => changesOf(version).map((change) => annotation(change, version.name)))
    .join("");
}

function annotation(change: ReportedChange, version: string): string {
  const { file, line, column, endLine, endColumn, kind, sentence, reasons, advice } = change;
  const level = change.class === "breaking" ? "error" : "notice";
  const place = `file=${property(file)},line=${line},endLine=${endLine},col=${column},endColumn=${endColumn}`;
  const told = [sentence, ...reasons, advice].join("\n");
  return `::${level} ${place},title=${property(`${version}: ${change.class} (${kind})`)}::${text(told)}\n`;
}

/** As the workflow commands of GitHub want it. */
function text(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
