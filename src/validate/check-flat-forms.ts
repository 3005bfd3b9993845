import type { CheckedResource } from "./check-resource.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** Kinds of which identifiers are: a flag or a time that is called `validId` refers to nothing. */
const IDENTIFYING = ["string", "uuid", "integer"];

/** REP-4: no property of a resource is a reference in a flat form. */
export function checkFlatForms(
  { properties, actionProperties, findings, value }: CheckedResource,
  scope: Scope,
): void {
  const around = { properties, entity: value["entity"], scope };
  for (const property of properties) checkFlatForm(property, findings, around);
  // Clients of an action may send it already: it is told, and not refused.
  const sent = { properties: actionProperties, entity: null, scope, severity: "warning" } as const;
  for (const property of actionProperties) checkIdentifier(property, findings, sent);
}

/** What stands beside a property, and the entity that all of it is of. */
interface Around {
  readonly properties: readonly PropertyPlace[];
  readonly entity: unknown;
  readonly scope: Scope;
  /** Left out: it is a mistake. */
  readonly severity?: "warning";
}

/** REP-4: neither `merchantId` nor `merchantIds` of an entity, nor any that is a UUID, nor `merchantName` beside `merchant`. */
export function checkFlatForm(property: PropertyPlace, findings: Findings, around: Around): void {
  if (property.isItem) return;
  checkIdentifier(property, findings, around);
  checkName(property, findings, around);
}

function checkIdentifier(
  property: PropertyPlace,
  findings: Findings,
  { entity, scope, severity }: Around,
): void {
  const { name, path, holders, isItem } = property;
  if (isItem) return;
  const [, other, ending] = /^([a-z][a-zA-Z0-9]*?)(Ids?|IDs?|Uuids?|UUIDs?)$/.exec(name) ?? [];
  if (other === undefined || ending === undefined) return;
  // `merchant: { merchantId }` is the right form of a reference.
  if (holders.at(-1)?.name === other) return;
  // The entity's own identifier is another mistake (ENT-3).
  if (holders.length === 0 && other === entity) return;
  const kind = identifiedKind(property);
  const resource = resourceOf(other, scope);
  if (kind !== "uuid" && (resource === null || !IDENTIFYING.includes(kind ?? ""))) return;
  const reference = `{ reference: ${resource ?? "<the resource>"} }`;
  const form = ending.endsWith("s")
    ? `${scope.plurals.plural(other)}: { type: array, items: ${reference} }`
    : `${other}: ${reference}`;
  const suggestion = `Write \`${form}\`, or choose a name without "${ending}".`;
  findings.add(
    "REP-4",
    { path, part: "key" },
    { name },
    { suggestion, ...(severity && { severity }) },
  );
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

function checkName(
  { name, path, kind, holders }: PropertyPlace,
  findings: Findings,
  { properties }: Around,
): void {
  if (kind !== "string" || !name.endsWith("Name")) return;
  const reference = properties.find(
    (one) =>
      one.kind === "reference" &&
      !one.isItem &&
      one.holders.at(-1)?.path === holders.at(-1)?.path &&
      `${one.name}Name` === name,
  );
  if (reference === undefined) return;
  const given = { name, reference: reference.name };
  const suggestion = "Remove it, and add `embed: [name]` to the reference.";
  findings.add("SCH-246", { path, part: "key" }, given, { suggestion });
}
