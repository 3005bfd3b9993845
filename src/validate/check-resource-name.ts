import { didYouMean, renamed } from "../diagnostics/advice.js";
import { isCamelCase, isLowerCaseName, toCamelCase, toLowerCaseName } from "../naming/casing.js";
import { isObjectMember, isReservedType, isWindowsDevice } from "../naming/reserved.js";
import { upperFirst } from "../naming/resource-name.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import { checkPluralNoun } from "./check-plural-noun.js";
import { stemOf } from "./check-versions.js";
import type { Findings } from "./findings.js";
import { own, type Mapping } from "./plain.js";
import { isRepresentation } from "./represented.js";
import type { Scope } from "./scope.js";

/** Longer names would not fit into identifiers of PostgreSQL, which have at most 63 bytes. */
export const NAME_LENGTH = 60;

/** NAM-1, NAM-5, IDN-2: the names that a resource file gives to the resource, its entity and its aliases. */
export function checkResourceName(value: Mapping, findings: Findings, scope: Scope): void {
  const { resource, entity } = value;
  if (typeof resource === "string") checkResource(resource, findings);
  if (typeof entity === "string") checkEntity(entity, findings);
  checkPluralNoun(value, findings, scope);
  checkAliases(findings);
}

function checkResource(resource: string, findings: Findings): void {
  const at = { path: ["resource"] };
  const stem = stemOf(findings.document.path);
  if (isLowerCaseName(resource)) {
    checkReserved(resource, "resource", findings);
    if (resource.length > NAME_LENGTH) tooLong("resource", resource, findings);
    return;
  }
  const conforming = toLowerCaseName(resource);
  const rename = stem === resource ? " Rename the file, too." : "";
  const suggestion = conforming === null ? null : `${didYouMean(conforming)}${rename}`;
  if (isRepresentation(findings.document)) {
    return findings.add("NAM-5", at, { name: resource }, { suggestion });
  }
  findings.add("NAM-1", at, { resource }, { suggestion });
}

function checkEntity(entity: string, findings: Findings): void {
  const at = { path: ["entity"] };
  if (!isCamelCase(entity)) {
    const conforming = toCamelCase(entity);
    const suggestion = didYouMean(conforming);
    findings.add("IDN-2", at, { entity }, { suggestion });
    return;
  }
  if (entity.length > NAME_LENGTH) tooLong("entity", entity, findings);
  if (isReservedType(upperFirst(entity))) {
    findings.add("SCH-122", at, { name: upperFirst(entity) }, { suggestion: LONGER });
  } else checkReserved(entity, "entity", findings);
}

const LONGER = "Choose a longer name, such as one that says whose or which it is.";

/** The names of files and of members that are taken. */
function checkReserved(name: string, key: "resource" | "entity", findings: Findings): void {
  const at = { path: [key] };
  if (isWindowsDevice(name)) findings.add("SCH-120", at, { name }, { suggestion: LONGER });
  else if (isObjectMember(name)) findings.add("SCH-12", at, { name }, { suggestion: LONGER });
}

function checkAliases(findings: Findings): void {
  const aliases = own(findings.document.value, "aliases");
  if (typeof aliases !== "object" || aliases === null) return;
  for (const name of Object.keys(aliases).filter((alias) => !isLowerCaseName(alias))) {
    const at = { path: ["aliases", name], part: "key" } as const;
    findings.add("NAM-5", at, { name }, renamed(toLowerCaseName(name)));
  }
}

function tooLong(key: string, name: string, findings: Findings): void {
  findings.add("SCH-6", { path: [key] }, tooLongName(name));
}

/** What the refusal of a name that is too long says. */
export function tooLongName({ length }: string): MessageArguments<"SCH-6"> {
  return { what: "The name", size: length, limit: NAME_LENGTH, unit: "characters" };
}
