import type { Findings } from "./findings.js";
import { isMapping, mapping, own, type Mapping } from "./plain.js";

/** The keys that are dates, in the order of time. */
const DATES = ["deprecated", "sunset"] as const;

/** VER-4: the status of each version, and the dates that belong to it. */
export function checkStatuses(value: Mapping, findings: Findings): void {
  const versions = Object.entries(mapping(value["versions"]));
  for (const [name, version] of versions) checkStatus(name, version, findings);
  const isOver = versions.length > 0 && versions.every(([, version]) => isRetired(version));
  if (!isOver) return;
  const suggestion = "Make the next version first: generator version, then publish it.";
  findings.add("SCH-156", { path: ["versions"], part: "key" }, {}, { suggestion });
}

/** Whether service.yaml says of a version that nothing of it is served any more. */
export function isRetired(version: unknown): boolean {
  return version === "retired" || own(version, "status") === "retired";
}

function checkStatus(name: string, version: unknown, findings: Findings): void {
  const path = ["versions", name];
  if (version === "deprecated") {
    const suggestion = `Write \`${name}: { status: deprecated, deprecated: 2026-09-01 }\`, for example.`;
    findings.add("SCH-150", { path }, {}, { suggestion });
  }
  if (!isMapping(version)) return;
  const status = String(own(version, "status"));
  const dates = DATES.filter((key) => typeof own(version, key) === "string");
  if (status === "draft" || status === "published") {
    const suggestion = "Leave it out, or write `status: deprecated`.";
    for (const key of dates) {
      const at = { path: [...path, key], part: "key" } as const;
      findings.add("SCH-153", at, { key, status }, { suggestion });
    }
    return;
  }
  if (status === "deprecated" && own(version, "deprecated") === undefined) {
    const suggestion = "Add `deprecated: 2026-09-01`, for example.";
    findings.add("SCH-150", { path: [...path, "status"] }, {}, { suggestion });
  }
  checkDates(version, path, findings);
}

function checkDates(version: Mapping, path: readonly string[], findings: Findings): void {
  const unreal = DATES.filter((key) => {
    const date = own(version, key);
    return typeof date === "string" && DATE.test(date) && !isOfCalendar(date);
  });
  for (const key of unreal) {
    findings.add("SCH-151", { path: [...path, key] }, { key, date: String(own(version, key)) });
  }
  const { deprecated, sunset } = version;
  const isBefore =
    typeof deprecated === "string" && typeof sunset === "string" && sunset < deprecated;
  // RFC 9745: what is gone was deprecated before.
  if (isBefore && unreal.length === 0) {
    findings.add("SCH-152", { path: [...path, "sunset"] }, { deprecated, sunset });
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function isOfCalendar(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
