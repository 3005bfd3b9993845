import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import type { PathStep } from "../load/source-document.js";
import type { At } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";

/** A keyword that is not supported yet, with its place. */
export interface Unsupported {
  readonly at: At;
  readonly mistake: Mistake;
}

/** The keys that are not supported yet. */
export const UNSUPPORTED_KEYS: readonly string[] = ["events"];

/** The parts of a resource file that are not supported yet. */
export function unsupportedInResource(value: unknown): Unsupported[] {
  return keys(value, [], UNSUPPORTED_KEYS);
}

/** The parts of service.yaml that are not supported yet. */
export function unsupportedInService(value: unknown): Unsupported[] {
  return [
    ...keys(value, [], UNSUPPORTED_KEYS),
    ...Object.entries(mapping(own(value, "versions"))).flatMap(([name, version]) =>
      versionStatus(version, ["versions", name]),
    ),
  ];
}

function versionStatus(version: unknown, path: readonly PathStep[]): Unsupported[] {
  const nested = isMapping(version);
  const status = nested ? own(version, "status") : version;
  if (status === "draft" || status === "published") {
    return keys(version, path, ["deprecated", "sunset"]);
  }
  if (!["deprecated", "retired"].includes(String(status))) return [];
  const at = nested ? [...path, "status"] : path;
  const found = mistake("SCH-127", { status: String(status) });
  return [{ at: { path: at, part: "value" }, mistake: found }];
}

function keys(value: unknown, path: readonly PathStep[], names: readonly string[]): Unsupported[] {
  return names
    .filter((name) => own(value, name) !== undefined)
    .map((key) => ({
      at: { path: [...path, key], part: "key" },
      mistake: mistake("SCH-11", { key }),
    }));
}
