import { tieOf } from "../kinds/access-model.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import { isInCircle } from "./check-parent.js";
import type { CheckedResource } from "./read-resource.js";
import { shownIn } from "./check-representation.js";
import {
  isGrant,
  notImplied,
  resolvedAccess,
  seenFromAfar,
  seenFromParent,
  type Access,
} from "./grants.js";
import { embeddable } from "./neighbours.js";
import { mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { AccessYaml } from "./resource-document.js";
import type { Beside, Scope, Together } from "./scope.js";

/**
 * AUT-2: embedded properties are visible to everyone who can read the resource with the reference. They are refused if
 * some of these callers cannot read the other resource, or if they are sensitive, unless it says `disclose: true`.
 */
export function checkDisclosure(together: Together): void {
  for (const resource of together.stored) checkStored(resource, together);
  for (const representation of together.shown) checkShown(representation, together);
}

function checkStored(resource: CheckedResource, beside: Beside): void {
  const { findings, value } = resource;
  for (const property of resource.properties.filter(isUndisclosed)) {
    const hidden = hiddenFrom(accessOf(resource, beside), { property, holder: resource }, beside);
    if (hidden !== null) {
      const name = String(value["resource"]);
      const suggestion = `Restrict \`read\` of ${name} at least as much, or write \`disclose: true\` next to \`embed\`.`;
      const at = { path: [...property.path, "embed"] };
      findings.add("SCH-39", at, { ...hidden, resource: name }, { suggestion });
    }
    tellSensitive(resource, property, beside.scope);
  }
}

/** REP-7: a representation has its own access, and shows what its original embeds. */
function checkShown(resource: CheckedResource, beside: Beside): void {
  const { findings, value } = resource;
  const holder = originalOf(resource, beside);
  if (holder === undefined) return;
  const name = String(value["resource"]);
  const file = holder.findings.document.path;
  const suggestion = `Restrict \`read\` of ${name} at least as much, or write \`disclose: true\` next to \`embed\` in ${file}.`;
  for (const { original, path } of shownIn(value["properties"])) {
    const within = holder.properties.filter((one) => (one.holders[0] ?? one).name === original);
    for (const property of within.filter(isUndisclosed)) {
      const hidden = hiddenFrom(accessOf(resource, beside), { property, holder }, beside);
      if (hidden !== null) {
        findings.add("SCH-39", { path }, { ...hidden, resource: name }, { suggestion });
      }
    }
  }
}

/** What is marked as sensitive is embedded only where that is said. */
export function tellSensitive(
  { findings }: CheckedResource,
  property: PropertyPlace,
  scope: Scope,
): void {
  const { yaml, path, name } = property;
  for (const [index, embedded] of (yaml.embed ?? []).entries()) {
    if (embeddable(yaml, embedded, scope.neighbours)?.yaml.sensitive !== true) continue;
    const given = { reference: name, embedded, other: yaml.reference ?? "" };
    const suggestion = "Leave it out, or write `disclose: true` next to `embed`.";
    findings.add("SCH-40", { path: [...path, "embed", index] }, given, { suggestion });
  }
}

/** What would be shown to whom, in words; null if all readers can read the other resource. */
function hiddenFrom(
  { read }: Access,
  { property, holder }: { readonly property: PropertyPlace; readonly holder: CheckedResource },
  beside: Beside,
): Omit<MessageArguments<"SCH-39">, "resource"> | null {
  const { yaml, name } = property;
  const other = beside.stored.find(({ value }) => value["resource"] === yaml.reference);
  if (other === undefined) return null;
  const isParent = isReferenceToParent(property, holder, other);
  const allowed = accessOf(other, beside).read;
  const readers = notImplied(read, allowed, isParent ? seenFromParent : seenFromAfar);
  if (readers.length === 0) return null;
  return {
    reference: name,
    embedded: (yaml.embed ?? []).join(", "),
    other: yaml.reference ?? "",
    readers: words(readers),
    allowed: words(allowed),
  };
}

/** A reference that shows properties of another resource, and does not say that they are meant for everybody. */
export function isUndisclosed({ kind, yaml }: PropertyPlace): boolean {
  const { embed = [], external = false, disclose = false } = yaml;
  return kind === "reference" && embed.length > 0 && !external && !disclose;
}

function isReferenceToParent(
  { name, holders }: PropertyPlace,
  holder: CheckedResource,
  { value }: CheckedResource,
): boolean {
  const isParent = holder.value["parent"] === value["resource"];
  return isParent && holders.length === 0 && name === value["entity"];
}

/** Who may do what with a resource, with all defaults filled in. */
export function accessOf(resource: CheckedResource, beside: Beside): Access {
  const { value } = resource;
  const original = originalOf(resource, beside);
  const above = parentOf(original?.value ?? value, beside);
  // A circle of parents has already been refused.
  const isAbove = above !== undefined && !isInCircle(above, beside.stored);
  return resolvedAccess(grantsIn(value["access"]), {
    authentication: beside.scope.authentication,
    owner: ownerIn(original?.value ?? value),
    parent: isAbove ? accessOf(above, beside) : null,
    original: original === undefined ? null : accessOf(original, beside),
  });
}

/** The resource that `parent` names. One without a name is not the parent of those that name none. */
export function parentOf(
  { parent }: CheckedResource["value"],
  { stored }: Pick<Beside, "stored">,
): CheckedResource | undefined {
  if (parent === undefined) return undefined;
  return stored.find((one) => one.value["resource"] === parent);
}

function originalOf({ value }: CheckedResource, { stored }: Beside): CheckedResource | undefined {
  const { represents } = value;
  return represents === undefined
    ? undefined
    : stored.find((one) => one.value["resource"] === represents);
}

/** The valid parts of `access`. */
function grantsIn(access: unknown): AccessYaml {
  const given = Object.entries(mapping(access)).flatMap(([operation, grants]) => {
    const known = Array.isArray(grants) ? grants.filter(isGrant) : [];
    return known.length === 0 ? [] : [[operation, known] as const];
  });
  return Object.fromEntries(given);
}

/** The property with the identifier of the owner, as the file says it. */
export function ownerIn({ owner }: CheckedResource["value"]): string | undefined {
  return typeof owner === "string" ? owner : undefined;
}

/** Grants for a message. */
export function words(grants: readonly string[]): string {
  return grants.map(grantWords).join(", ");
}

/** `the owner of their parent`, `the owner of their parent's parent` */
function grantWords(grant: string): string {
  const tie = tieOf(grant);
  if (tie === null) return grant;
  const { depth, by } = tie;
  const above = `their parent${"'s parent".repeat(Math.max(depth - 1, 0))}`;
  if (by === "custom")
    return depth === 0 ? "whom `scope` in src/custom says" : `whom \`scope\` of ${above} says`;
  const of = depth === 0 ? "" : ` of ${above}`;
  if (by === "owner") return depth === 0 ? "their owner" : `the owner${of}`;
  if (by.claim === null) return `the owner that \`${by.property}\`${of} names`;
  return `callers whose claim \`${by.claim}\` equals \`${by.property}\`${of}`;
}
