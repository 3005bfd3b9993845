import { ADVICE, renamed } from "../diagnostics/advice.js";
import { isCamelCase, toCamelCase } from "../naming/casing.js";
import { headOf } from "../naming/head-noun.js";
import type { Plurals } from "../naming/plurals.js";
import {
  COMMON_FIELDS,
  commonFieldMeant,
  isObjectMember,
  isQueryParameter,
  isSystemColumn,
} from "../naming/reserved.js";
import { NAME_LENGTH, tooLongName } from "./check-resource-name.js";
import { tellNeedlessExemption } from "./exemptions.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";
import { readingTwice } from "./reference-name.js";
import type { Scope } from "./scope.js";

/** What the name of a property depends on. */
export interface NameScope extends Scope {
  /** The singular of its resource; null where the file does not say it properly. */
  readonly entity: string | null;
}

/** NAM-2, NAM-3, IDN-2, ENT-3: the name of one property. */
export function checkPropertyName(
  property: PropertyPlace,
  findings: Findings,
  scope: NameScope,
): void {
  if (property.isItem) return;
  const { entity } = scope;
  const { name, path } = property;
  const at = { path, part: "key" } as const;
  const atRoot = property.holders.length === 0;
  const reserved = reservedBy(name, atRoot);
  if (reserved !== null) {
    return findings.add(reserved, at, { name }, { suggestion: ADVICE.rename });
  }
  if (!isCamelCase(name)) {
    const camelCase = toCamelCase(name) ?? name;
    const meant = readingTwice(property, camelCase, scope) ?? toCamelCase(name);
    return findings.add("NAM-2", at, { name }, renamed(meant));
  }
  if (name.length > NAME_LENGTH) {
    findings.add("SCH-6", at, tooLongName(name));
  }
  if (atRoot && (COMMON_FIELDS.includes(name) || name === `${entity}Id`)) {
    return findings.add("ENT-3", at, { name }, { suggestion: ADVICE.remove });
  }
  if (atRoot && name.toLowerCase() === `${entity}Id`.toLowerCase()) {
    const given = { name, other: `${entity}Id` };
    return findings.add("SCH-129", at, given, { suggestion: ADVICE.rename });
  }
  checkIdentifier(property, entity, findings);
  checkCommonField(property, findings);
  checkPlural(property, findings, scope);
}

/** The code for a reserved name; null if the name is not reserved. */
function reservedBy(name: string, atRoot: boolean): "SCH-12" | "SCH-118" | "SCH-119" | null {
  if (isObjectMember(name)) return "SCH-12";
  if (atRoot && isSystemColumn(name)) return "SCH-118";
  return atRoot && isQueryParameter(name) ? "SCH-119" : null;
}

function checkIdentifier(
  { name, path, holders }: PropertyPlace,
  entity: string | null,
  findings: Findings,
): void {
  if (holders.length > 0 || entity === null || (name !== "id" && name !== "uuid")) return;
  const given = { name, identifier: `${entity}Id` };
  findings.add("SCH-117", { path, part: "key" }, given, { severity: "warning" });
}

/** SCH-193: a second `createdDate` under a name that other services have. */
function checkCommonField({ name, path, holders }: PropertyPlace, findings: Findings): void {
  const field = holders.length === 0 ? commonFieldMeant(name) : null;
  if (field === null) return;
  const telling = {
    suggestion: `Remove it, unless it is something other than \`${field}\`.`,
    severity: "warning",
  } as const;
  findings.add("SCH-193", { path, part: "key" }, { name, field }, telling);
}

/** NAM-3: the name of a list is a plural. */
export function checkPlural(
  { name, path, kind, yaml }: PropertyPlace,
  findings: Findings,
  { plurals, severity }: Scope,
): void {
  if (kind === null) return;
  const isRight = kind !== "array" || plurals.isPlural(name);
  if (yaml.exempt?.["NAM-3"] !== undefined) {
    return isRight ? tellNeedlessExemption("NAM-3", path, findings) : undefined;
  }
  const level = severity("NAM-3");
  if (isRight || level === null) return;
  const { noun } = headOf(name);
  const word = noun.toLowerCase();
  const meant = renamed(pluralSuggestion(name, plurals));
  const suggestion =
    `${meant.suggestion} If "${word}" is a plural, add \`${word}: ${word}\` to the ` +
    "`inflections` of service.yaml; if the name must stay, add `exempt: { NAM-3: <reason> }` to the property.";
  const telling = { ...meant, suggestion, severity: level };
  findings.add("NAM-3", { path, part: "key" }, { name }, telling);
}

/** `items` for `itemList` and `listOfItems`, since every array is a list; otherwise the plural. */
function pluralSuggestion(name: string, plurals: Plurals): string {
  const listed =
    /^(.+)(?:Array|Collection|List|Set)$/.exec(name)?.[1] ??
    /^(?:array|collection|list|set)Of([A-Z].*)$/.exec(name)?.[1];
  const named = listed === undefined ? null : toCamelCase(plurals.plural(listed));
  return named ?? plurals.plural(name);
}
