import {
  changesOf,
  type ChangesReport,
  type ReportedChange,
  type VersionChanges,
} from "../commands/changes-report.js";
import { markdownText } from "../naming/markdown.js";
import {
  againstWords,
  countText,
  followsText,
  isForSomebody,
  statusWords,
} from "./changes-text.js";

/** The report for a pull request: a heading for each version, a table for each class. */
export function changesMarkdown({ title, since, versions }: ChangesReport): string {
  const parts = versions.map((version) => versionMarkdown(version, since));
  return `## Changes of ${markdownText(title)}\n\n${parts.join("\n")}`;
}

function versionMarkdown(version: VersionChanges, since: string | null): string {
  const found = changesOf(version);
  const told = found.filter(isForSomebody);
  const others = found.filter((change) => !isForSomebody(change));
  const against = againstWords(version, since);
  const lines = [
    `### ${version.name}: ${statusWords(version)}`,
    "",
    [countText(version), ...(against === "" ? [] : [`Compared ${against}.`])].join(" "),
    ...(told.length === 0 ? [] : ["", ...table(told)]),
    ...(others.length === 0 ? [] : ["", ...folded(others)]),
    ...(version.next === "" ? [] : ["", `**Next:** ${escaped(version.next)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function table(found: readonly ReportedChange[]): readonly string[] {
  return [
    "| where | what | for whom | what to do |",
    "|---|---|---|---|",
    ...found.map(
      (change) =>
        `| ${place(change)} | ${cell(change.sentence + followsText(change))} | ${cell(change.reasons.join("\n"))} | ${cell(change.advice)} |`,
    ),
  ];
}

function folded(found: readonly ReportedChange[]): readonly string[] {
  return [
    "<details><summary>Changes that need no action</summary>",
    "",
    "| where | what | class |",
    "|---|---|---|",
    ...found.map((change) => `| ${place(change)} | ${cell(change.sentence)} | ${change.class} |`),
    "",
    "</details>",
  ];
}

function place({ file, line }: ReportedChange): string {
  return `\`${file.replaceAll("`", "")}:${line}\``;
}

function cell(text: string): string {
  return escaped(text).replaceAll("|", "\\|").replaceAll("\n", "<br>");
}

/** Text of a schema is text here, and no tag; what stands between back-quotes is shown as it is. */
function escaped(text: string): string {
  const parts = text.split(/(`[^`]*`)/);
  return parts.map((part) => (part.startsWith("`") ? part : withoutTags(part))).join("");
}

function withoutTags(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
