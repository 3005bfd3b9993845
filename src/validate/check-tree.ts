import { ADVICE } from "../diagnostics/advice.js";
import { isLowerCaseName } from "../naming/casing.js";
import {
  ACTION_BODIES,
  ACTION_TYPES,
  BODY_TYPES,
  DERIVED_SCHEMAS,
  DERIVED_TYPES,
  DERIVED_VALUES,
} from "../naming/derived-names.js";
import { upperFirst } from "../naming/resource-name.js";
import { isReservedType } from "../naming/reserved.js";
import type { CheckedResource } from "./read-resource.js";
import type { At, Findings } from "./findings.js";
import { isMapping, mapping, own } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import { isRepresentation, representedEntity } from "./represented.js";
import type { Together } from "./scope.js";

/** Taken names in lower case, each with its owner: a function, because finding the place costs a parse and only a clash needs it. */
type Taken = Map<string, () => string>;

/** The rules across the resources of one version: each declared once, and no generated name taken twice (G13). */
export function checkTree({ stored, shown, scope: { plurals } }: Together): void {
  const resources = [...stored, ...shown];
  const named = checkTwice(resources);
  const taken: Taken = new Map();
  // Entities come first: what a representation is called is made of them.
  const claimants = [...named.flatMap(entityOf), ...named.flatMap(representedBy)];
  const claimed = claimants.filter((claimant) => claimEntity(claimant, taken));
  for (const claimant of claimed) checkSchemas(claimant, taken);
  for (const claimant of claimed) claimDerived(claimant, taken);
  // Nested types come after all others, so that the shorter name keeps its place.
  for (const resource of named) claimBodies(resource, taken);
  for (const resource of named) claimNested(resource, taken);

  function representedBy({ findings, value }: CheckedResource): Claimant[] {
    const entity = representedEntity(value, resources, plurals);
    const at = { path: ["resource"] };
    return entity === null ? [] : [{ entity, findings, at, hasActions: hasActions(value) }];
  }
}

/** The owner of the names that are derived from an entity, with its place. */
interface Claimant {
  readonly entity: string;
  readonly findings: Findings;
  readonly at: At;
  readonly hasActions: boolean;
}

function hasActions({ actions }: CheckedResource["value"]): boolean {
  return Object.keys(mapping(actions)).length > 0;
}

function entityOf({ findings, value }: CheckedResource): Claimant[] {
  const { entity } = value;
  const isOwn = typeof entity === "string" && !isRepresentation(findings.document);
  const at = { path: ["entity"] };
  return isOwn ? [{ entity, findings, at, hasActions: hasActions(value) }] : [];
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
    // An invalid resource name is reported as such: no file should be renamed after it.
    if (other === undefined && !isLowerCaseName(resource)) return true;
    if (other === undefined) {
      const suggestion = `Rename the file to ${resource}.yaml, or the resource.`;
      findings.add("SCH-21", at, { resource, file }, { suggestion });
      return true;
    }
    const first = where(other.findings, at);
    findings.add("SCH-20", at, { resource, first }, { suggestion: ADVICE.keepOne });
    return false;
  });
}

/** True if the entity got its own type; otherwise clashes of its derived types are not reported too. */
function claimEntity(claimant: Claimant, taken: Taken): boolean {
  const { entity, findings, at } = claimant;
  const name = upperFirst(entity);
  const what = at.path[0] === "entity" ? "the entity" : "the representation";
  return claim(name, () => `${what} at ${where(findings, at)}`, claimant, taken);
}

/** The schema `TicketPage` would be that of an entity `ticketPage`, and the constant `ticketAccess` what code calls an entity `ticketAccess`. */
function checkSchemas(claimant: Claimant, taken: Taken): void {
  const entities = new Map(taken);
  for (const suffix of [...DERIVED_SCHEMAS, ...DERIVED_VALUES]) {
    claim(upperFirst(claimant.entity) + suffix, () => "", claimant, entities);
  }
}

function claimDerived(claimant: Claimant, taken: Taken): void {
  const { entity, findings, at } = claimant;
  const ofActions = claimant.hasActions ? ACTION_TYPES : [];
  for (const suffix of [...DERIVED_TYPES, ...BODY_TYPES, ...ofActions]) {
    const name = upperFirst(entity) + suffix;
    if (isReservedType(name)) findings.add("SCH-122", at, { name });
    const other = (): string => `what is made of "${entity}" at ${where(findings, at)}`;
    claim(name, other, claimant, taken);
  }
}

/** `TicketCancelInput` and `TicketCancelAnswer`: the types of the bodies of actions. */
function claimBodies({ findings, value }: CheckedResource, taken: Taken): void {
  const { entity } = value;
  if (typeof entity !== "string") return;
  for (const [action, yaml] of Object.entries(mapping(value["actions"]))) {
    for (const [key, ending] of Object.entries(ACTION_BODIES)) {
      const body = own(yaml, key);
      if (!isMapping(body) || Object.keys(body).length === 0) continue;
      const at = { path: ["actions", action, key], part: "key" } as const;
      const name = upperFirst(entity) + upperFirst(action) + ending;
      claim(name, () => `the action at ${where(findings, at)}`, { findings, at }, taken);
    }
  }
}

/** `TicketDeliveryAddress`, `TicketStatus`, `TicketRequester`: the types of nested objects, enums and references. */
function claimNested(resource: CheckedResource, taken: Taken): void {
  const { findings, value, properties, actionProperties } = resource;
  const { entity } = value;
  if (typeof entity !== "string") return;
  const nested = [...properties, ...actionProperties].filter(
    ({ kind }) => kind === "object" || kind === "enum" || kind === "reference",
  );
  for (const property of nested) {
    const at = { path: property.path, part: property.isItem ? "value" : "key" } as const;
    const name = upperFirst(entity) + typeSuffix(property);
    if (isReservedType(name) || name.endsWith("Dto")) {
      findings.add("SCH-122", at, { name }, { suggestion: ADVICE.rename });
    }
    claim(name, () => `the property at ${where(findings, at)}`, { findings, at }, taken);
    // What is embedded may be an enum, which has a type of its own here.
    for (const embedded of new Set(property.yaml.embed)) {
      const other = (): string => `what is embedded at ${where(findings, at)}`;
      claim(name + upperFirst(embedded), other, { findings, at }, taken);
    }
  }
}

function typeSuffix({ name, path, holders, isItem }: PropertyPlace): string {
  const outer = holders.filter((holder) => !holder.isItem).map((holder) => upperFirst(holder.name));
  const [root, action, key] = path.map(String);
  const body =
    root === "actions" ? upperFirst(action ?? "") + ACTION_BODIES[key as "input" | "answers"] : "";
  return body + outer.join("") + (isItem ? "" : upperFirst(name));
}

function claim(
  name: string,
  claimant: () => string,
  { findings, at }: Pick<Claimant, "findings" | "at">,
  taken: Taken,
): boolean {
  // Some file systems and databases ignore case.
  const other = taken.get(name.toLowerCase());
  if (other === undefined) {
    taken.set(name.toLowerCase(), claimant);
    return true;
  }
  findings.add("SCH-19", at, { name, other: other() }, { suggestion: ADVICE.rename });
  return false;
}

function where(findings: Findings, at: At): string {
  return `${findings.document.path}:${findings.position(at)}`;
}
