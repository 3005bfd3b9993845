import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { LATER_KEYWORDS } from "../kinds/common-keywords.js";
import type { PathStep } from "../load/source-document.js";
import type { At } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";

/** A keyword whose turn comes later. */
export interface Unsupported {
  readonly at: At;
  readonly mistake: Mistake;
}

const RESOURCE_KEYS = ["events", "removed", "sameAs"];
const PROPERTY_KEYS = Object.keys(LATER_KEYWORDS);

/** The keys whose turn comes later. */
export const UNSUPPORTED_KEYS: readonly string[] = [...RESOURCE_KEYS, ...PROPERTY_KEYS];

/** What of a resource file is not supported yet. */
export function unsupportedInResource(value: unknown): Unsupported[] {
  return [
    ...keys(value, [], RESOURCE_KEYS),
    ...inProperties(own(value, "properties"), ["properties"]),
  ];
}

/** What of service.yaml is not supported yet; more than one version is another matter. */
export function unsupportedInService(value: unknown): Unsupported[] {
  return [
    ...keys(value, [], ["events"]),
    ...Object.entries(mapping(own(value, "versions"))).flatMap(([name, version]) =>
      versionStatus(version, ["versions", name]),
    ),
  ];
}

function versionStatus(version: unknown, path: readonly PathStep[]): Unsupported[] {
  const nested = isMapping(version);
  const status = nested ? own(version, "status") : version;
  if (status === "draft") return keys(version, path, ["deprecated", "sunset"]);
  if (!["published", "deprecated", "retired"].includes(String(status))) return [];
  const at = nested ? [...path, "status"] : path;
  const found = mistake("SCH-127", { status: String(status) });
  return [{ at: { path: at, part: "value" }, mistake: found }];
}

function inProperties(properties: unknown, path: readonly PathStep[]): Unsupported[] {
  return Object.entries(mapping(properties)).flatMap(([name, property]) =>
    inProperty(property, [...path, name]),
  );
}

function inProperty(property: unknown, path: readonly PathStep[]): Unsupported[] {
  return [
    ...keys(property, path, PROPERTY_KEYS),
    ...inProperties(own(property, "properties"), [...path, "properties"]),
    ...(isMapping(own(property, "items"))
      ? inProperty(own(property, "items"), [...path, "items"])
      : []),
  ];
}

function keys(value: unknown, path: readonly PathStep[], names: readonly string[]): Unsupported[] {
  return names
    .filter((name) => own(value, name) !== undefined)
    .map((key) => ({
      at: { path: [...path, key], part: "key" },
      mistake: mistake("SCH-11", { key }),
    }));
}
