import { isLowerCaseName } from "../naming/casing.js";
import { upperFirst } from "../naming/resource-name.js";
import { reservedTypeReason } from "../naming/reserved.js";
import type { CheckedResource } from "./check-resource.js";
import type { At, Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";

/** Types that are made for each entity beside its own: `TicketProperties`, `TicketHooks`, `TicketController`. */
const DERIVED_TYPES = ["Properties", "Hooks", "Controller"];

/** Schemas of the OpenAPI document that are made for each entity beside its own. */
const DERIVED_SCHEMAS = ["Create", "Replace", "Update", "Page"];

/** The names that are taken, in lower case, each with who took it: asked only for a clash, since a place costs a parse. */
type Taken = Map<string, () => string>;

/** The rules across the resources of one version: each declared once, and no generated name taken twice (G13). */
export function checkTree(resources: readonly CheckedResource[]): void {
  const named = checkTwice(resources);
  const taken: Taken = new Map();
  const claimed = named.filter((resource) => claimEntity(resource, taken));
  for (const resource of claimed) checkSchemas(resource, taken);
  for (const resource of claimed) claimDerived(resource, taken);
  // Nested types come after all others, so that the shorter name keeps its place.
  for (const resource of named) claimNested(resource, taken);
}

/** SCH-20, SCH-21: a file is named after its resource. Returns the resources that are declared here alone, or first. */
function checkTwice(resources: readonly CheckedResource[]): CheckedResource[] {
  return resources.filter(({ findings, value }) => {
    const { resource } = value;
    const file = findings.document.path.replace(/^.*\//, "");
    if (typeof resource !== "string" || file === `${resource}.yaml`) return true;
    const at = { path: ["resource"] };
    const other = resources.find(
      (one) => one.findings !== findings && one.value["resource"] === resource,
    );
    // A name that is no resource's is told as such, and no file is renamed after it.
    if (other === undefined && !isLowerCaseName(resource)) return true;
    if (other === undefined) {
      const suggestion = `Rename the file to ${resource}.yaml, or the resource.`;
      findings.add("SCH-21", at, { resource, file }, { suggestion });
      return true;
    }
    const first = where(other.findings, at);
    findings.add("SCH-20", at, { resource, first }, { suggestion: "Keep one of them." });
    return false;
  });
}

/** Says whether the entity has a type of its own now; what is derived from any other is not told as well. */
function claimEntity({ findings, value }: CheckedResource, taken: Taken): boolean {
  const { entity } = value;
  if (typeof entity !== "string") return false;
  const at = { path: ["entity"] };
  const claimant = { findings, at };
  return claim(upperFirst(entity), () => `the entity at ${where(findings, at)}`, claimant, taken);
}

/** The schemas `TicketPage` and `TicketCreate` would be those of an entity `ticketPage` or `ticketCreate`. */
function checkSchemas({ findings, value }: CheckedResource, taken: Taken): void {
  const entities = new Map(taken);
  for (const suffix of DERIVED_SCHEMAS) {
    const name = upperFirst(String(value["entity"])) + suffix;
    claim(name, () => "", { findings, at: { path: ["entity"] } }, entities);
  }
}

function claimDerived({ findings, value }: CheckedResource, taken: Taken): void {
  const { entity } = value;
  const at = { path: ["entity"] };
  for (const suffix of DERIVED_TYPES) {
    const name = upperFirst(String(entity)) + suffix;
    const reason = reservedTypeReason(name);
    if (reason !== null) findings.add("SCH-12", at, { name, reason });
    claim(name, () => `what is made of "${String(entity)}"`, { findings, at }, taken);
  }
}

/** `TicketDeliveryAddress`, `TicketStatus`, `TicketRequester`: the types of nested objects, enums and references. */
function claimNested({ findings, value, properties }: CheckedResource, taken: Taken): void {
  const { entity } = value;
  if (typeof entity !== "string") return;
  const nested = properties.filter(
    ({ kind }) => kind === "object" || kind === "enum" || kind === "reference",
  );
  for (const property of nested) {
    const at = { path: property.path, part: property.isItem ? "value" : "key" } as const;
    const name = upperFirst(entity) + typeSuffix(property);
    const reason = reservedTypeReason(name);
    if (reason !== null) findings.add("SCH-12", at, { name, reason });
    claim(name, () => `the property at ${where(findings, at)}`, { findings, at }, taken);
    // What is embedded may be an enum, which has a type of its own here.
    for (const embedded of new Set(property.yaml.embed)) {
      const other = (): string => `what is embedded at ${where(findings, at)}`;
      claim(name + upperFirst(embedded), other, { findings, at }, taken);
    }
  }
}

function typeSuffix({ name, holders, isItem }: PropertyPlace): string {
  const outer = holders.filter((holder) => !holder.isItem).map((holder) => upperFirst(holder.name));
  return outer.join("") + (isItem ? "" : upperFirst(name));
}

function claim(
  name: string,
  claimant: () => string,
  { findings, at }: { readonly findings: Findings; readonly at: At },
  taken: Taken,
): boolean {
  // Files and databases may not tell capitals apart.
  const other = taken.get(name.toLowerCase());
  if (other === undefined) {
    taken.set(name.toLowerCase(), claimant);
    return true;
  }
  findings.add("SCH-19", at, { name, other: other() }, { suggestion: "Choose another name." });
  return false;
}

function where(findings: Findings, at: At): string {
  return `${findings.document.path}:${findings.position(at)}`;
}
