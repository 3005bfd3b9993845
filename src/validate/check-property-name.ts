import { isCamelCase, toCamelCase } from "../naming/casing.js";
import { COMMON_FIELDS, reservedPropertyReason } from "../naming/reserved.js";
import { NAME_LENGTH } from "./check-resource-name.js";
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
  const reason = reservedPropertyReason(name, atRoot);
  if (reason !== null) {
    const suggestion = "Choose another name.";
    return findings.add("SCH-12", at, { name, reason }, { suggestion });
  }
  if (!isCamelCase(name)) {
    const conforming = toCamelCase(name);
    const suggestion = conforming === null ? null : `Did you mean "${conforming}"?`;
    return findings.add("NAM-2", at, { name }, { suggestion });
  }
  if (name.length > NAME_LENGTH) {
    const what = `The name has ${name.length} characters`;
    findings.add("SCH-6", at, { what, limit: `${NAME_LENGTH} characters` });
  }
  if (atRoot && (COMMON_FIELDS.includes(name) || name === `${entity}Id`)) {
    return findings.add("ENT-3", at, { name }, { suggestion: "Leave it out." });
  }
  if (atRoot && name.toLowerCase() === `${entity}Id`.toLowerCase()) {
    const other = `the identifier "${entity}Id": databases do not tell capitals apart`;
    return findings.add("SCH-19", at, { name, other }, { suggestion: "Choose another name." });
  }
  checkReference(property, findings);
  checkIdentifier(property, entity, findings);
  checkPlural(property, findings, scope);
}

/** REP-4: `merchantId` is refused, but for the one in an object `merchant`, which is the form that is asked for. */
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
  const problem = `"${name}" is a property like any other here: the identifier is "${entity}Id"`;
  findings.add("IDN-2", { path, part: "key" }, { problem }, { severity: "warning" });
}

function checkPlural(
  { name, path, kind }: PropertyPlace,
  findings: Findings,
  { plurals, severity }: Scope,
): void {
  const level = severity("NAM-3");
  if (kind !== "array" || level === null || plurals.isPlural(name)) return;
  const plural = plurals.plural(name);
  const suggestion = `Did you mean "${plural}"?`;
  findings.add("NAM-3", { path, part: "key" }, { name }, { suggestion, severity: level });
}
