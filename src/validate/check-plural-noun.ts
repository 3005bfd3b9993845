import { didYouMean } from "../diagnostics/advice.js";
import type { Telling } from "../diagnostics/diagnostic.js";
import { isCamelCase, isLowerCaseName } from "../naming/casing.js";
import { headOf, nameWords } from "../naming/head-noun.js";
import type { Plurals } from "../naming/plurals.js";
import { isAdjective, isVerb } from "../naming/word-classes.js";
import { tellNeedlessExemption } from "./exemptions.js";
import type { Findings } from "./findings.js";
import { own, type Mapping } from "./plain.js";
import { isRepresentation } from "./represented.js";
import type { Scope } from "./scope.js";

/** The names of a resource and of one of its entities. */
interface Names {
  readonly resource: string;
  readonly entity: string;
}

/** What is said of a name that is not right, and where. */
interface Complaint extends Telling {
  readonly code: "NAM-1" | "IDN-2";
}

/** NAM-1, IDN-2: a resource is called after a thing, in the plural, and its entity is the singular of that. */
export function checkPluralNoun(value: Mapping, findings: Findings, scope: Scope): void {
  const { resource, entity } = value;
  if (typeof resource !== "string" || !isLowerCaseName(resource)) return;
  const complaint = isRepresentation(findings.document)
    ? ofRepresentation(resource, value["represents"], scope)
    : typeof entity === "string" && isCamelCase(entity)
      ? ofPair({ resource, entity }, value["renamedFrom"], scope)
      : null;
  const isExempt = own(value["exempt"], "NAM-1") !== undefined;
  if (isExempt && complaint?.code !== "NAM-1") tellNeedlessExemption("NAM-1", [], findings);
  if (complaint?.code === "IDN-2") {
    findings.add("IDN-2", { path: ["entity"] }, { entity: String(entity) }, complaint);
  }
  const level = scope.severity("NAM-1");
  if (complaint?.code !== "NAM-1" || isExempt || level === null) return;
  const severity = complaint.severity ?? level;
  findings.add("NAM-1", { path: ["resource"] }, { resource }, { ...complaint, severity });
}

const EXEMPTION = "if the name must stay, add `exempt: { NAM-1: <reason> }` to this file";

/** Its name ends like that of its original, or is a plural by itself: there is no entity to compare it with. */
function ofRepresentation(
  resource: string,
  represents: unknown,
  { plurals }: Scope,
): Complaint | null {
  if (plurals.isPlural(resource) || resource.endsWith(String(represents))) return null;
  // Of a quality, such as `damaged`, there is no plural.
  const isQuality = isAdjective(resource) || resource.endsWith("ed");
  const meant = isQuality ? `${resource}${String(represents)}` : plurals.plural(resource);
  const suggestion = `${didYouMean(meant)} Or ${EXEMPTION}.`;
  return { code: "NAM-1", suggestion };
}

function ofPair({ resource, entity }: Names, renamedFrom: unknown, scope: Scope): Complaint | null {
  const { plurals } = scope;
  // VER-2: all versions name the identifier alike, so that the entity keeps the name that an older one gave it.
  if (typeof renamedFrom === "string" && plurals.isPlural(resource)) return ofThing(entity, scope);
  const isSame = resource === entity.toLowerCase();
  const isSingular = !isSame || plurals.singular(entity) === entity;
  if (plurals.isPluralOf(resource, entity) && isSingular) return ofThing(entity, scope);
  const isRelated = resource.slice(0, 2) === entity.slice(0, 2).toLowerCase();
  const escape = isRelated
    ? ` If "${resource}" is its plural, add \`${entity}: ${resource}\` to the \`inflections\` of service.yaml`
    : "";
  if (!plurals.isPlural(resource) && isRelated) {
    const expected = plurals.plural(entity).toLowerCase();
    return { code: "NAM-1", suggestion: `${didYouMean(expected)}${escape}; ${EXEMPTION}.` };
  }
  const singular = singularOf({ resource, entity }, plurals);
  if (singular === entity.toLowerCase()) return null;
  return {
    code: "IDN-2",
    suggestion: `${didYouMean(singular)}${escape === "" ? "" : `${escape}.`}`,
  };
}

function singularOf({ resource, entity }: Names, plurals: Plurals): string {
  return resource === entity.toLowerCase() ? plurals.singular(entity) : plurals.singular(resource);
}

/** NAM-1 warns of what is not a noun: a verb, also before another entity (`createOrder`), or an adjective alone. */
function ofThing(entity: string, { neighbours, plurals }: Scope): Complaint | null {
  const warning = (kind: string, advice: string): Complaint => ({
    code: "NAM-1",
    severity: "warning",
    suggestion: `${kind}: ${advice}, or add \`exempt: { NAM-1: <reason> }\` to this file.`,
  });
  const words = nameWords(entity).map((word) => word.toLowerCase());
  const [first = "", ...rest] = words;
  const noun = headOf(entity).noun.toLowerCase();
  const entities = [...neighbours.values()].map((other) => other.entity?.toLowerCase());
  const isOfOther = isVerb(first) && entities.includes(rest.join(""));
  const verb = isOfOther ? first : noun;
  if (isOfOther || isVerb(noun)) {
    return warning(`"${verb}" is a verb`, "name the thing that the request creates");
  }
  const isAlone = words.length === 1 && !plurals.isPlural(entity);
  return isAlone && isAdjective(noun)
    ? warning(`"${noun}" is an adjective`, "name the thing that it describes")
    : null;
}
