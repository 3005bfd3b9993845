import { renamed } from "../diagnostics/advice.js";
import { tellNeedlessExemption } from "./exemptions.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";
import { readingTwice } from "./reference-name.js";
import type { Scope } from "./scope.js";

/** Kinds of which identifiers are: a flag or a time that is called `validId` refers to nothing. */
const IDENTIFYING = ["string", "uuid", "integer"];

/** What stands beside a property, and the entity that all of it is of. */
export interface Around {
  readonly properties: readonly PropertyPlace[];
  readonly entity: string | null;
  readonly scope: Scope;
  /** Clients of an action may send it already: it is told, and not refused. */
  readonly isOfAction: boolean;
}

/** REP-4: neither `merchantId` of an entity, nor one that is a UUID or next to a `merchantName`, nor `merchantName` next to `merchant`. */
export function checkFlatForm(property: PropertyPlace, findings: Findings, around: Around): void {
  if (property.isItem) return;
  checkIdentifier(property, findings, around);
  if (!around.isOfAction) checkName(property, findings, around);
}

/** What identifies another: in a flat form, under a name that reads twice, or a UUID that may. */
function checkIdentifier(property: PropertyPlace, findings: Findings, around: Around): void {
  const { name, path, yaml } = property;
  const flat = flatForm(property, around);
  const telling = around.isOfAction && ({ severity: "warning" } as const);
  const at = { path, part: "key" } as const;
  if (flat !== null) return findings.add("REP-4", at, { name }, { suggestion: flat, ...telling });
  const shorter = readingTwice(property, name, around.scope);
  const isUuid = isPlainUuid(property);
  const isExempt = yaml.exempt?.["REP-4"] !== undefined;
  if (shorter === null && !isUuid) {
    if (isExempt) tellNeedlessExemption("REP-4", path, findings);
  } else if (shorter !== null && !isExempt) {
    const { suggestion, replacement } = renamed(shorter);
    const ways = `${suggestion ?? ""} If clients know the name already, add ${EXEMPTION}.`;
    findings.add("SCH-405", at, { name }, { suggestion: ways, replacement, ...telling });
  } else if (!isExempt) {
    const suggestion = `Write \`${referring(property, name)}\`, or, if it does not refer to anything, add ${EXEMPTION}.`;
    findings.add("SCH-404", at, { name }, { suggestion, severity: "warning" });
  }
}

const EXEMPTION = "`exempt: { REP-4: <reason> }`";
const IDENTIFIER = /^([a-z][a-zA-Z0-9]*?)(Ids?|IDs?|Uuids?|UUIDs?)$/;

/** What to write instead of a flat form; null where it is none. */
function flatForm(property: PropertyPlace, { properties, entity, scope }: Around): string | null {
  const { name, holders } = property;
  const [, other, ending] = IDENTIFIER.exec(name) ?? [];
  if (other === undefined || ending === undefined) return null;
  // `merchant: { merchantId }` is the right form of a reference.
  if (holders.at(-1)?.name === other) return null;
  // The entity's own identifier is another mistake (ENT-3).
  if (holders.length === 0 && other === entity) return null;
  const kind = identifiedKind(property);
  const resource = resourceOf(other, scope);
  const isNamed = properties.some(
    (one) => one.kind === "string" && one.name === `${other}Name` && isSibling(one, property),
  );
  const leads = IDENTIFYING.includes(kind ?? "") && (resource !== null || isNamed);
  if (kind !== "uuid" && !leads) return null;
  const embed = isNamed ? ", embed: [name]" : "";
  const reference = `{ reference: ${resource ?? "<the resource>"}${embed} }`;
  const form = ending.endsWith("s")
    ? `${scope.plurals.plural(other)}: { type: array, items: ${reference} }`
    : `${other}: ${reference}`;
  const both = isNamed ? ` instead of "${name}" and "${other}Name"` : "";
  return `Write \`${form}\`${both}, or choose a name without "${ending}".`;
}

/** A UUID under a name of its own: `boss`. */
function isPlainUuid(property: PropertyPlace): boolean {
  const { name } = property;
  // These are reported already (SCH-117), or are part of a reference.
  if (name === "id" || name === "uuid" || IDENTIFIER.test(name)) return false;
  return identifiedKind(property) === "uuid";
}

function referring({ kind }: PropertyPlace, name: string): string {
  const reference = "{ reference: <the resource> }";
  return kind === "array"
    ? `${name}: { type: array, items: ${reference} }`
    : `${name}: ${reference}`;
}

/** Whether two stand in one object. */
function isSibling(one: PropertyPlace, other: PropertyPlace): boolean {
  const holder = ({ path }: PropertyPlace): string => JSON.stringify(path.slice(0, -1));
  return !one.isItem && holder(one) === holder(other);
}

/** Of an array, the kind of its items. */
function identifiedKind({ kind, yaml: { items } }: PropertyPlace): string | null {
  if (kind !== "array") return kind;
  return typeof items === "string" ? items : (items?.type ?? null);
}

/** The resource whose entity has a name. */
function resourceOf(name: string, { neighbours }: Scope): string | null {
  const found = [...neighbours].find(([, { entity }]) => entity === name);
  return found === undefined ? null : found[0];
}

function checkName(property: PropertyPlace, findings: Findings, { properties }: Around): void {
  const { name, path, kind } = property;
  if (kind !== "string" || !name.endsWith("Name")) return;
  const reference = properties.find(
    (one) => one.kind === "reference" && isSibling(one, property) && `${one.name}Name` === name,
  );
  if (reference === undefined) return;
  const given = { name, reference: reference.name };
  const suggestion = "Remove it, and add `embed: [name]` to the reference.";
  findings.add("SCH-246", { path, part: "key" }, given, { suggestion });
}
