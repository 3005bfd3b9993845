import { changes } from "../commands/changes.js";
import type { ChangesReport } from "../commands/changes-report.js";
import type { Environment } from "../commands/environment.js";
import { UsageError } from "../commands/usage-error.js";
import { toValues } from "../diagnostics/format.js";
import { changesGithub } from "./changes-github.js";
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
