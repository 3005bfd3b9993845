import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { CheckedResource } from "./read-resource.js";
import { mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { Together } from "./scope.js";

/** CHD-1 to CHD-4: the parent is another resource, no circle leads back from it, and the reference to it agrees. */
export function checkParents({ own, scope }: Together): void {
  const byName = new Map(own.map((resource) => [resource.value["resource"], resource]));
  for (const resource of own) {
    const { parent } = resource.value;
    checkPaths(resource, byName);
    if (typeof parent !== "string" || scope.unread.has(parent)) continue;
    checkParent(resource, parent, byName);
    checkAliasNames(resource, byName.get(parent));
    checkActionNames(resource, byName.get(parent));
  }
}

/** CHD-1: under each resource, a collection stands once. */
function checkPaths(
  resource: CheckedResource,
  byName: ReadonlyMap<unknown, CheckedResource>,
): void {
  const { value, findings, properties } = resource;
  const { parent } = value;
  const taken = new Set([parent]);
  const own = typeof parent === "string" ? byName.get(parent)?.value["entity"] : undefined;
  for (const { name, yaml, path, holders } of properties) {
    const { reference = "", listedUnder = false } = yaml;
    // The parent's path is there in any case.
    if (!listedUnder || holders.length > 0 || name === own) continue;
    if (taken.has(reference)) {
      const at = { path: [...path, "listedUnder"] };
      const given = { path: `/${reference}/<id>/${String(value["resource"])}` };
      findings.add("SCH-251", at, given, { suggestion: ADVICE.removeOne });
    }
    taken.add(reference);
    checkAliasNames(resource, byName.get(reference));
  }
}

function checkParent(
  { findings, value, properties }: CheckedResource,
  parent: string,
  byName: ReadonlyMap<unknown, CheckedResource>,
): void {
  const at = { path: ["parent"] };
  const found = byName.get(parent);
  if (found === undefined) {
    const names = [...byName.keys()].map(String).filter((name) => name !== value["resource"]);
    const near = nearest(parent, names);
    const suggestion =
      near === null
        ? `The file of the parent would be ${parent}.yaml, next to this one.`
        : didYouMean(near);
    return findings.add("SCH-38", at, { parent }, { suggestion });
  }
  if (parent === value["resource"]) {
    return findings.add("SCH-62", at, {}, { suggestion: ADVICE.remove });
  }
  const { entity } = found.value;
  const circle = circleOf(String(value["resource"]), byName);
  if (circle !== null) {
    const suggestion = "Leave `parent` out of one of them.";
    findings.add("CHD-3", at, { circle: circle.join(", ") }, { suggestion });
  }
  const own = properties.find(({ name, holders }) => holders.length === 0 && name === entity);
  if (own !== undefined) checkReferenceToParent(own, parent, findings);
}

/** The parents from a resource back to it; null where there is no such circle. */
function circleOf(
  resource: string,
  byName: ReadonlyMap<unknown, CheckedResource>,
): readonly string[] | null {
  const circle = [resource];
  for (;;) {
    const parent = byName.get(circle.at(-1))?.value["parent"];
    if (parent === resource) return [...circle, resource];
    // Another circle is told where it is.
    if (typeof parent !== "string" || circle.includes(parent)) return null;
    circle.push(parent);
  }
}

/** Says whether a resource is among its own ancestors. */
export function isInCircle(
  { value }: CheckedResource,
  resources: readonly CheckedResource[],
): boolean {
  const byName = new Map(resources.map((one) => [one.value["resource"], one]));
  return circleOf(String(value["resource"]), byName) !== null;
}

/** The reference to the parent may be declared, to embed something of it. */
function checkReferenceToParent(
  { name, yaml, kind, path }: PropertyPlace,
  parent: string,
  findings: CheckedResource["findings"],
): void {
  if (kind === null) return;
  if (kind !== "reference" || yaml.reference !== parent) {
    const suggestion = `Write \`${name}: { reference: ${parent} }\`, or leave it out.`;
    return findings.add("SCH-63", { path, part: "key" }, { name }, { suggestion });
  }
  for (const key of ["readOnly", "onDelete", "external"] as const) {
    if (yaml[key] === undefined) continue;
    const at = { path: [...path, key], part: "key" } as const;
    findings.add("SCH-64", at, { keyword: key, name }, { suggestion: `Remove \`${key}\`.` });
  }
}

/** `/orders/shipments` would read as all shipments of an order. */
function checkAliasNames(child: CheckedResource, parent: CheckedResource | undefined): void {
  const name = String(child.value["resource"]);
  if (parent === undefined || !Object.hasOwn(mapping(parent.value["aliases"]), name)) return;
  const at = { path: ["aliases", name], part: "key" } as const;
  parent.findings.add("SCH-65", at, { name }, { suggestion: ADVICE.rename });
}

/** `/orders/<orderId>/shipments` lists the children. */
function checkActionNames(child: CheckedResource, parent: CheckedResource | undefined): void {
  const name = String(child.value["resource"]);
  if (parent === undefined || !Object.hasOwn(mapping(parent.value["actions"]), name)) return;
  const at = { path: ["actions", name], part: "key" } as const;
  const given = { name, taken: "the path of the children" };
  parent.findings.add("SCH-231", at, given, { suggestion: ADVICE.rename });
}
