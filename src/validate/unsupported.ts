import type { PathStep } from "../load/source-document.js";
import type { At } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";

/** A keyword whose turn comes later, and what it is called. */
export interface Unsupported {
  readonly at: At;
  readonly feature: string;
}

const RESOURCE_KEYS = ["parent", "ifMatch", "represents", "where", "events", "removed", "sameAs"];
const REFERENCE_KEYS = ["reference", "external", "entity", "embed", "onDelete"];
const PROPERTY_KEYS = ["renamedFrom", "converted", "inOlderVersions"];
const TOKEN_KEYS = ["issuer", "audience", "keys", "roles"];

/** What of a resource file is not supported yet. */
export function unsupportedInResource(value: unknown): Unsupported[] {
  return [
    ...keys(value, [], RESOURCE_KEYS),
    ...Object.keys(mapping(own(value, "access"))).flatMap((operation) => access(value, operation)),
    ...inProperties(own(value, "properties"), ["properties"]),
  ];
}

/** What of service.yaml is not supported yet; more than one version is another matter. */
export function unsupportedInService(value: unknown): Unsupported[] {
  const authentication = own(value, "authentication");
  const bearer = own(authentication, "scheme") === "bearer";
  const path = ["authentication"];
  return [
    ...keys(value, [], ["events"]),
    ...keys(own(value, "limits"), ["limits"], ["requestsPerMinute"]),
    ...(bearer ? [later([...path, "scheme"], "Authentication by bearer tokens", "value")] : []),
    ...(bearer ? [] : keys(authentication, path, TOKEN_KEYS)),
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
  return [later(at, `A version that is ${String(status)}`, "value")];
}

function access(value: unknown, operation: string): Unsupported[] {
  const callers = own(own(value, "access"), operation);
  if (!Array.isArray(callers)) return [];
  return callers.flatMap((caller: unknown, index) =>
    typeof caller !== "string" || caller === "anyone"
      ? []
      : [later(["access", operation, index], `Access for other callers than "anyone"`, "value")],
  );
}

function inProperties(properties: unknown, path: readonly PathStep[]): Unsupported[] {
  return Object.entries(mapping(properties)).flatMap(([name, property]) =>
    inProperty(property, [...path, name]),
  );
}

function inProperty(property: unknown, path: readonly PathStep[]): Unsupported[] {
  const reference = own(property, "reference") === undefined ? REFERENCE_KEYS : ["reference"];
  return [
    ...keys(property, path, [...reference, ...PROPERTY_KEYS]),
    ...inProperties(own(property, "properties"), [...path, "properties"]),
    ...(isMapping(own(property, "items"))
      ? inProperty(own(property, "items"), [...path, "items"])
      : []),
  ];
}

function keys(value: unknown, path: readonly PathStep[], names: readonly string[]): Unsupported[] {
  return names
    .filter((name) => own(value, name) !== undefined)
    .map((name) => later([...path, name], `The key "${name}"`, "key"));
}

function later(path: readonly PathStep[], feature: string, part: "key" | "value"): Unsupported {
  return { at: { path, part }, feature };
}
