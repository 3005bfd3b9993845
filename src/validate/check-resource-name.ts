import { isCamelCase, isLowerCaseName, toCamelCase, toLowerCaseName } from "../naming/casing.js";
import { reservedResourceReason, reservedTypeReason } from "../naming/reserved.js";
import { upperFirst } from "../naming/resource-name.js";
import type { Findings } from "./findings.js";
import { own, type Mapping } from "./plain.js";
import { isRepresentation } from "./represented.js";
import type { Scope } from "./scope.js";

/** A name longer than this would not fit into what is made of it: PostgreSQL's names have 63 bytes. */
export const NAME_LENGTH = 60;

/** NAM-1, NAM-5, IDN-2: the names that a resource file gives to the resource, its entity and its aliases. */
export function checkResourceName(value: Mapping, findings: Findings, scope: Scope): void {
  const { resource, entity } = value;
  if (typeof resource === "string") checkResource(resource, findings);
  if (typeof resource === "string" && isRepresentation(findings.document)) {
    checkRepresentationPlural(resource, findings, scope);
  }
  if (typeof entity === "string") checkEntity(entity, findings);
  if (typeof resource === "string" && typeof entity === "string") {
    checkPair({ resource, entity }, findings, scope);
  }
  checkAliases(findings);
}

function checkResource(resource: string, findings: Findings): void {
  const at = { path: ["resource"] };
  const stem = findings.document.path.replace(/^.*\/|\.yaml$/g, "");
  if (isLowerCaseName(resource)) {
    const reason = reservedResourceReason(resource);
    if (reason !== null) findings.add("SCH-12", at, { name: resource, reason });
    if (resource.length > NAME_LENGTH) tooLong("resource", resource, findings);
    return;
  }
  const conforming = toLowerCaseName(resource);
  const rename = stem === resource ? " Rename the file, too." : "";
  const suggestion = conforming === null ? null : `Did you mean "${conforming}"?${rename}`;
  if (isRepresentation(findings.document)) {
    return findings.add("NAM-5", at, { name: resource }, { suggestion });
  }
  findings.add("NAM-1", at, { resource, problem: "is none" }, { suggestion });
}

/** Other resources are compared with their entity. */
function checkRepresentationPlural(
  resource: string,
  findings: Findings,
  { plurals, severity }: Scope,
): void {
  const level = severity("NAM-1");
  if (level === null || !isLowerCaseName(resource) || plurals.isPlural(resource)) return;
  const suggestion = `Did you mean "${plurals.plural(resource)}"?`;
  const given = { resource, problem: "is no plural" };
  findings.add("NAM-1", { path: ["resource"] }, given, { suggestion, severity: level });
}

function checkEntity(entity: string, findings: Findings): void {
  const at = { path: ["entity"] };
  if (!isCamelCase(entity)) {
    const conforming = toCamelCase(entity);
    const suggestion = conforming === null ? null : `Did you mean "${conforming}"?`;
    const problem = `An entity's name is a camelCase singular, and "${entity}" is none`;
    findings.add("IDN-2", at, { problem }, { suggestion });
    return;
  }
  if (entity.length > NAME_LENGTH) tooLong("entity", entity, findings);
  const reason = reservedTypeReason(upperFirst(entity)) ?? reservedResourceReason(entity);
  if (reason !== null) {
    const suggestion = "Choose a longer name, such as one that says whose or which it is.";
    findings.add("SCH-12", at, { name: entity, reason }, { suggestion });
  }
}

function checkPair(
  { resource, entity }: { readonly resource: string; readonly entity: string },
  findings: Findings,
  { plurals, severity }: Scope,
): void {
  if (!isLowerCaseName(resource) || !isCamelCase(entity)) return;
  const expected = plurals.plural(entity).toLowerCase();
  const isSame = resource === entity.toLowerCase();
  if (expected === resource && (!isSame || plurals.singular(entity) === entity)) return;
  const level = severity("NAM-1");
  const escape = `add \`${entity}: ${resource}\` to the \`inflections\` of service.yaml`;
  if (
    expected !== resource &&
    !plurals.isPlural(resource) &&
    !startsDifferently(resource, entity)
  ) {
    const suggestion = `Did you mean "${expected}"? If the word is a plural, ${escape}.`;
    const problem = "is no plural";
    if (level === null) return;
    findings.add(
      "NAM-1",
      { path: ["resource"] },
      { resource, problem },
      { suggestion, severity: level },
    );
    return;
  }
  const singular = isSame ? plurals.singular(entity) : plurals.singular(resource);
  if (singular === entity.toLowerCase() && plurals.isPlural(resource)) return;
  const problem = `The entity "${entity}" is not the singular of "${resource}"`;
  const suggestion = `Did you mean "${singular}"? If the plural is irregular, ${escape}.`;
  findings.add("IDN-2", { path: ["entity"] }, { problem }, { suggestion });
}

/** Two words for different things: then it is not a plural that is missing. */
function startsDifferently(resource: string, entity: string): boolean {
  return resource.slice(0, 2) !== entity.slice(0, 2).toLowerCase();
}

function checkAliases(findings: Findings): void {
  const aliases = own(findings.document.value, "aliases");
  if (typeof aliases !== "object" || aliases === null) return;
  for (const name of Object.keys(aliases).filter((alias) => !isLowerCaseName(alias))) {
    const conforming = toLowerCaseName(name);
    const suggestion = conforming === null ? null : `Did you mean "${conforming}"?`;
    findings.add("NAM-5", { path: ["aliases", name], part: "key" }, { name }, { suggestion });
  }
}

function tooLong(key: string, name: string, findings: Findings): void {
  const what = `The name has ${name.length} characters`;
  findings.add("SCH-6", { path: [key] }, { what, limit: `${NAME_LENGTH} characters` });
}
