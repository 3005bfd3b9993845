import { changesOf, type ChangesReport, type ReportedChange } from "../commands/changes-report.js";

/** The report as annotations of a GitHub workflow: an error where a published version breaks, otherwise a notice. */
export function changesGithub({ versions }: ChangesReport): string {
  return versions
    .flatMap((version) => changesOf(version).map((change) => annotation(change, version.name)))
    .join("");
}

function annotation(change: ReportedChange, version: string): string {
  const { file, line, column, endLine, endColumn, kind, sentence, reasons, advice } = change;
  const level = change.class === "breaking" ? "error" : "notice";
  const place = `file=${property(file)},line=${line},endLine=${endLine},col=${column},endColumn=${endColumn}`;
  const told = [sentence, ...reasons.map((reason) => `For ${reason}`), advice].join("\n");
  return `::${level} ${place},title=${property(`${version}: ${change.class} (${kind})`)}::${text(told)}\n`;
}

/** As the workflow commands of GitHub want it. */
function text(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
