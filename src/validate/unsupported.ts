import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { LATER_KEYWORDS } from "../kinds/common-keywords.js";
import type { PathStep } from "../load/source-document.js";
import type { At } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";

/** A keyword that is not supported yet, with its place. */
export interface Unsupported {
  readonly at: At;
  readonly mistake: Mistake;
}

const RESOURCE_KEYS = ["events", "sameAs"];
const PROPERTY_KEYS = Object.keys(LATER_KEYWORDS);

/** The keys that are not supported yet. */
export const UNSUPPORTED_KEYS: readonly string[] = [...RESOURCE_KEYS, ...PROPERTY_KEYS];

/** The parts of a resource file that are not supported yet. */
export function unsupportedInResource(value: unknown): Unsupported[] {
  return [
    ...keys(value, [], RESOURCE_KEYS),
    ...inProperties(own(value, "properties"), ["properties"]),
  ];
}

/** The parts of service.yaml that are not supported yet, except a second version (SCH-128). */
export function unsupportedInService(value: unknown): Unsupported[] {
  return keys(value, [], ["events"]);
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
