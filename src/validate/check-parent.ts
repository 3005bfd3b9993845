import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { CheckedResource } from "./check-resource.js";
import { mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";

/** CHD-1 to CHD-4: the parent is another resource that has no parent itself, and the reference to it agrees. */
export function checkParents(resources: readonly CheckedResource[]): void {
  const byName = new Map(resources.map((resource) => [resource.value["resource"], resource]));
  for (const resource of resources) {
    const { parent } = resource.value;
    if (typeof parent !== "string") continue;
    checkParent(resource, parent, byName);
    checkAliasNames(resource, byName.get(parent));
    checkActionNames(resource, byName.get(parent));
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
        ? `The file of the parent would be ${parent}.yaml, beside this one.`
        : didYouMean(near);
    return findings.add("SCH-38", at, { parent }, { suggestion });
  }
  if (parent === value["resource"]) {
    return findings.add("SCH-62", at, {}, { suggestion: ADVICE.remove });
  }
  const { parent: grandparent, entity } = found.value;
  if (typeof grandparent === "string") {
    const suggestion = `Make it a child of "${grandparent}", and refer to "${parent}".`;
    findings.add("CHD-3", at, { parent, grandparent }, { suggestion });
  }
  const own = properties.find(({ name, holders }) => holders.length === 0 && name === entity);
  if (own !== undefined) checkReferenceToParent(own, parent, findings);
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
