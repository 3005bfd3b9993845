import { ADVICE, renamed } from "../diagnostics/advice.js";
import { isCamelCase, toCamelCase } from "../naming/casing.js";
import {
  COMMON_FIELDS,
  isObjectMember,
  isQueryParameter,
  isSystemColumn,
} from "../naming/reserved.js";
import { NAME_LENGTH, tooLongName } from "./check-resource-name.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** NAM-2, NAM-3, IDN-2, ENT-3, REP-4: the name of one property. */
export function checkPropertyName(
  property: PropertyPlace,
  entity: string | null,
  findings: Findings,
  scope: Scope,
): void {
  if (property.isItem) return;
  const { name, path } = property;
  const at = { path, part: "key" } as const;
  const atRoot = property.holders.length === 0;
  const reserved = reservedBy(name, atRoot);
  if (reserved !== null) {
    return findings.add(reserved, at, { name }, { suggestion: ADVICE.rename });
  }
  if (!isCamelCase(name)) {
    return findings.add("NAM-2", at, { name }, renamed(toCamelCase(name)));
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
  checkReference(property, findings);
  checkIdentifier(property, entity, findings);
  checkPlural(property, findings, scope);
}

/** The code for a reserved name; null if the name is not reserved. */
function reservedBy(name: string, atRoot: boolean): "SCH-12" | "SCH-118" | "SCH-119" | null {
  if (isObjectMember(name)) return "SCH-12";
  if (atRoot && isSystemColumn(name)) return "SCH-118";
  return atRoot && isQueryParameter(name) ? "SCH-119" : null;
}

/** REP-4: `merchantId` is refused, except in an object `merchant`, which is the right form of a reference. */
function checkReference({ name, path, kind, holders }: PropertyPlace, findings: Findings): void {
  const other = /^([a-z][a-zA-Z0-9]*)Id$/.exec(name)?.[1];
  if (other === undefined || (kind !== "string" && kind !== "uuid")) return;
  if (holders.at(-1)?.name === other) return;
  const suggestion = `Write \`${other}: { reference: <the resource> }\`, or choose a name without "Id".`;
  findings.add("REP-4", { path, part: "key" }, { name }, { suggestion });
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

function checkPlural(
  { name, path, kind }: PropertyPlace,
  findings: Findings,
  { plurals, severity }: Scope,
): void {
  const level = severity("NAM-3");
  if (kind !== "array" || level === null || plurals.isPlural(name)) return;
  const telling = { ...renamed(plurals.plural(name)), severity: level };
  findings.add("NAM-3", { path, part: "key" }, { name }, telling);
}
