import type { CheckedResource } from "./read-resource.js";
import {
  accessOf,
  isUndisclosed,
  ownerIn,
  parentOf,
  tellSensitive,
  words,
} from "./check-disclosure.js";
import { isGrant, notImplied, resolvedGrants, seenFromAfar } from "./grants.js";
import { mapping, type Mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { Beside, Together } from "./scope.js";

/** AUT-2: what an action answers is shown to everyone who may do it. */
export function checkAnswers(together: Together): void {
  for (const resource of together.stored) checkResource(resource, together);
}

function checkResource(resource: CheckedResource, beside: Beside): void {
  const { findings, actionProperties, value } = resource;
  for (const property of actionProperties.filter(isUndisclosed)) {
    const [, name = "", part] = property.path.map(String);
    if (part !== "answers") continue;
    const action = mapping(mapping(value["actions"])[name]);
    const hidden = hiddenFrom(resource, { action, property }, beside);
    if (hidden !== null) {
      const at = { path: [...property.path, "embed"] };
      const suggestion = `Restrict \`access\` of ${name} at least as much, or write \`disclose: true\` next to \`embed\`.`;
      findings.add("SCH-321", at, { ...hidden, action: name }, { suggestion });
    }
    tellSensitive(resource, property, beside.scope);
  }
}

interface Answered {
  readonly action: Mapping;
  readonly property: PropertyPlace;
}

/** What would be shown to whom, in words; null if all who may do it can read the other resource. */
function hiddenFrom(resource: CheckedResource, { action, property }: Answered, beside: Beside) {
  const { reference = "", embed = [] } = property.yaml;
  const other = beside.stored.find(({ value }) => value["resource"] === reference);
  if (other === undefined) return null;
  const allowed = accessOf(other, beside).read;
  const own = accessOf(resource, beside);
  const isOnEntity = action["on"] !== "collection";
  const doers = notImplied(grantsOf(action, resource, beside), allowed, seenFromAfar);
  // Whoever acts on an entity may read that one.
  const readers = isOnEntity ? notImplied(own.read, allowed, seenFromAfar) : doers;
  if (doers.length === 0 || readers.length === 0) return null;
  return {
    reference: property.name,
    embedded: embed.join(", "),
    other: reference,
    readers: words(doers),
    allowed: words(allowed),
  };
}

function grantsOf(
  { on, access }: Mapping,
  resource: CheckedResource,
  beside: Beside,
): readonly string[] {
  if (Array.isArray(access)) {
    const around = { owner: ownerIn(resource.value), parent: parentAccess(resource, beside) };
    return resolvedGrants(access.filter(isGrant), "update", around);
  }
  if (on !== "collection") return accessOf(resource, beside).update;
  return beside.scope.authentication === "none" ? ["anyone"] : ["authenticated"];
}

function parentAccess({ value }: CheckedResource, beside: Beside) {
  const above = parentOf(value, beside);
  return above === undefined ? null : accessOf(above, beside);
}
