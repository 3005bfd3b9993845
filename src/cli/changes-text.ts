import {
  changesOf,
  type ChangesReport,
  type ReportedChange,
  type ReportedClass,
  type VersionChanges,
} from "../commands/changes-report.js";
import type { Terminal } from "./terminal.js";

type Colors = Terminal["colors"];

/** The report for people at a terminal. */
export function changesText({ since, versions }: ChangesReport, colors: Colors): string {
  return versions.map((version) => versionText(version, since, colors)).join("\n");
}

function versionText(version: VersionChanges, since: string | null, colors: Colors): string {
  const found = changesOf(version);
  const head = `${colors.bold(version.name)}  ${statusWords(version)}  ${againstWords(version, since)}`;
  const groups = CLASSES.flatMap((one) => {
    const own = found.filter((change) => change.class === one);
    return own.map((change) => changeText(change, colors));
  });
  const lines = [head, ...groups, "", `  ${countText(version)}`];
  const next = version.next === "" ? [] : [`  ${version.next}`];
  return `${[...lines, ...next].join("\n")}\n`;
}

/** The order in which changes are told. */
export const CLASSES: readonly ReportedClass[] = [
  "breaking",
  "adapt",
  "compatible",
  "operational",
  "internal",
];

/** Whether somebody has to do something about it. */
export function isForSomebody(change: ReportedChange): boolean {
  return change.class !== "compatible" && change.class !== "internal";
}

function changeText(change: ReportedChange, colors: Colors): string {
  const paint = {
    ...{ breaking: colors.red, adapt: colors.yellow },
    ...{ compatible: colors.green, operational: colors.yellow, internal: colors.dim },
  };
  const { file, line, column, kind, sentence, reasons, advice } = change;
  const lines = [
    "",
    `  ${paint[change.class](change.class.padEnd(10))}  ${colors.bold(`${file}:${line}:${column}`)}  ${kind}`,
    `      ${sentence}${followsText(change)}`,
    ...reasons.map((reason) => `      ${reason}`),
    ...(isForSomebody(change) ? [`      ${advice}`] : []),
  ];
  return lines.join("\n");
}

/** Where the edit was really made. */
export function followsText({ follows }: ReportedChange): string {
  return follows === null ? "" : ` It follows from ${follows}.`;
}

/** `deprecated since 2026-09-01, gone from 2027-03-01`; the dates are those of service.yaml. */
export function statusWords({ status, deprecated, sunset }: VersionChanges): string {
  const dates = [
    ...(deprecated === null ? [] : [`from ${deprecated}`]),
    ...(sunset === null ? [] : [`gone from ${sunset}`]),
  ];
  return [status, ...dates].join(", ");
}

/** What a version was compared with, and so what its changes are. */
export function againstWords({ baseline }: VersionChanges, since: string | null): string {
  switch (baseline.kind) {
    case "contract":
      return baseline.commit === null
        ? "against what was promised"
        : `against what was promised (${baseline.commit}, ${baseline.date ?? ""})`;
    case "revision":
      return `against ${since ?? "another revision"}`;
    case "version":
      return `against ${baseline.name}: the changes that its clients have to make when they move`;
    case "nothing":
      return since === null ? "" : `does not exist at ${since}`;
  }
}

/** `2 breaking, 1 compatible`, or that nothing has changed. */
export function countText(version: VersionChanges): string {
  const found = changesOf(version);
  if (version.baseline.kind === "nothing") return "Nothing to compare it with.";
  if (found.length === 0) return "Nothing has changed.";
  const counts = CLASSES.map(
    (one) => [found.filter((change) => change.class === one).length, one] as const,
  );
  return `${counts
    .filter(([count]) => count > 0)
    .map(([count, one]) => `${count} ${COUNTED[one]}`)
    .join(", ")}.`;
}

/** A class behind a number. */
export const COUNTED: Readonly<Record<ReportedClass, string>> = {
  breaking: "breaking",
  adapt: "to adapt to",
  compatible: "compatible",
  operational: "operational",
  internal: "internal",
};
