import { isCamelCase, isLowerCaseName } from "../naming/casing.js";
import { nearest } from "../naming/nearest.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import { embeddable, referenceIdentifier } from "./neighbours.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** Says what is wrong at a keyword of the reference, and what to do. */
type Tell = (keyword: readonly PathStep[], problem: string, suggestion: string | null) => void;

/** REP-4: a reference leads to a resource, stands where the database can keep it, and embeds what the other has. */
export function checkReference(property: PropertyPlace, findings: Findings, scope: Scope): void {
  if (property.kind !== "reference") return;
  const tell: Tell = (keyword, problem, suggestion) =>
    findings.add("SCH-36", { path: [...property.path, ...keyword] }, { problem }, { suggestion });
  checkPlace(property, tell);
  checkTarget(property, tell, scope);
  checkEmbedded(property, tell, scope);
  checkOptions(property, tell);
}

function checkPlace({ holders }: PropertyPlace, tell: Tell): void {
  if (!holders.some(({ kind }) => kind === "object")) return;
  tell(
    ["reference"],
    "inside an object no database can say that the other exists",
    "Move it out of the object.",
  );
}

function checkTarget({ yaml }: PropertyPlace, tell: Tell, scope: Scope): void {
  const { neighbours, plurals, representations } = scope;
  const { reference = "", external = false, entity } = yaml;
  const represented = representations.get(reference);
  const isOurs = neighbours.has(reference) || represented !== undefined;
  if (represented !== undefined) {
    const problem = `"${reference}" represents what ${represented} keep`;
    tell(["reference"], problem, `Refer to "${represented}".`);
  }
  if (!external && !isOurs) {
    const near = nearest(reference, [...neighbours.keys()]);
    const file = `${plurals.plural(reference)}.yaml`;
    const elsewhere = "add `external: true` if another service keeps it";
    const suggestion =
      near === null
        ? `Write ${file} beside this file, or ${elsewhere}.`
        : `Did you mean "${near}"?`;
    tell(["reference"], `there is no resource "${reference}" here`, suggestion);
  }
  if (external && isOurs) {
    tell(["external"], `"${reference}" is a resource of this service`, "Remove `external`.");
  }
  if (external && !isLowerCaseName(reference)) {
    tell(["reference"], `"${reference}" is no name of a resource`, 'Write "users", for example.');
  }
  if (entity === undefined) return;
  if (!external) tell(["entity"], "the other says its entity itself", "Remove `entity`.");
  else if (!isCamelCase(entity)) tell(["entity"], `"${entity}" is not camelCase`, null);
}

function checkEmbedded({ yaml }: PropertyPlace, tell: Tell, scope: Scope): void {
  const { neighbours, plurals } = scope;
  const { embed = [], external = false } = yaml;
  const identifier = referenceIdentifier(yaml, neighbours, plurals);
  for (const [index, name] of embed.entries()) {
    const isTwice = embed.indexOf(name) < index;
    const problem = isTwice ? `"${name}" is embedded twice` : embedProblem(name);
    if (problem === null) continue;
    const near = isTwice ? null : nearest(name, embeddableNames());
    tell(["embed", index], problem, near === null ? null : `Did you mean "${near}"?`);
  }

  function embeddableNames(): string[] {
    const properties = neighbours.get(yaml.reference ?? "")?.properties ?? [];
    return properties.filter(isScalar).map((property) => property.name);
  }

  function embedProblem(name: string): string | null {
    if (name === identifier) return `"${name}" is what a reference shows anyway`;
    if (external) return isCamelCase(name) ? null : `"${name}" is not camelCase`;
    if (!neighbours.has(yaml.reference ?? "")) return null;
    const property = embeddable(yaml, name, neighbours);
    if (property === undefined) return `"${yaml.reference}" has no property "${name}"`;
    return isScalar(property) ? null : `"${name}" is no single value`;
  }
}

/** A property at the root that is one value: what can be embedded. */
function isScalar({ kind, holders, isItem }: PropertyPlace): boolean {
  const isWhole = kind !== "object" && kind !== "array" && kind !== "reference";
  return isWhole && !isItem && holders.length === 0;
}

function checkOptions({ yaml, isItem }: PropertyPlace, tell: Tell): void {
  const { onDelete, disclose, external = false, required = false } = yaml;
  if (isItem && yaml.embed !== undefined) {
    tell(["embed"], "a list of references shows identifiers only", "Remove `embed`.");
  }
  if (disclose === true && yaml.embed === undefined) {
    tell(["disclose"], "it embeds nothing that it could disclose", "Remove `disclose`.");
  }
  if (onDelete === undefined) return;
  const remove = "Remove `onDelete`.";
  if (external) tell(["onDelete"], "nobody tells this service of the deletion", remove);
  else if (onDelete === "setNull" && isItem)
    tell(["onDelete"], "an item of an array is never null", remove);
  else if (onDelete === "setNull" && required)
    tell(["onDelete"], "a required property is never null", "Remove one of them.");
}
