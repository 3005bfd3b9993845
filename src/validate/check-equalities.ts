import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { PathStep } from "../load/source-document.js";
import { mapping, own } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import type { Beside, Together } from "./scope.js";

/** A word that names the property which says whose an entity is. */
interface Naming {
  readonly named: string;
  readonly path: readonly PathStep[];
}

/** AUT-2: `owner` and `equals` name a property whose value can be an identifier or a claim. */
export function checkEqualities(together: Together): void {
  for (const resource of [...together.stored, ...together.shown]) {
    const original = resource.value["represents"] ?? resource.value["resource"];
    const holder = together.stored.find(({ value }) => value["resource"] === original);
    // Another check refuses a representation without an original.
    if (holder !== undefined) check(resource, holder, together);
  }
}

function check(resource: CheckedResource, holder: CheckedResource, beside: Beside): void {
  for (const { named, path } of namingsIn(resource)) {
    const [first = "", second] = named.split(".");
    const reference = propertyOf(holder, first);
    const target =
      second === undefined || reference?.yaml.external === true
        ? undefined
        : beside.stored.find(({ value }) => value["resource"] === reference?.yaml.reference);
    const [within, name] = second === undefined ? [holder, first] : [target, second];
    if (within !== undefined && isNamed(propertyOf(within, name))) continue;
    const known = (within ?? holder).properties.filter(
      (one) => one.holders.length === 0 && isNamed(one),
    );
    const near = nearest(
      name,
      known.map((one) => one.name),
    );
    const whole = near !== null && second !== undefined ? `${first}.${near}` : near;
    const suggestion = whole === null ? ADVICE.remove : didYouMean(whole);
    resource.findings.add("SCH-446", { path }, { path: named }, { suggestion });
  }
}

function namingsIn({ value }: CheckedResource): readonly Naming[] {
  const inAccess = Object.entries(mapping(value["access"])).flatMap(([operation, grants]) =>
    comparedIn(grants, ["access", operation]),
  );
  const inActions = Object.entries(mapping(value["actions"])).flatMap(([name, action]) =>
    comparedIn(own(action, "access"), ["actions", name, "access"]),
  );
  const { owner } = value;
  const owned = typeof owner === "string" ? [{ named: owner, path: ["owner"] }] : [];
  return [...owned, ...inAccess, ...inActions];
}

function comparedIn(grants: unknown, path: readonly string[]): readonly Naming[] {
  if (!Array.isArray(grants)) return [];
  return grants.flatMap((grant: unknown, index) => {
    const named = own(grant, "equals");
    return typeof named === "string" ? [{ named, path: [...path, index, "equals"] }] : [];
  });
}

function propertyOf({ properties }: CheckedResource, name: string): PropertyPlace | undefined {
  return properties.find((one) => one.holders.length === 0 && one.name === name);
}

function isNamed(property: PropertyPlace | undefined): boolean {
  const { kind, yaml } = property ?? {};
  return kind === "string" || kind === "uuid" || (kind === "reference" && yaml?.external === true);
}
