import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { quoted } from "../diagnostics/quoted.js";
import { isCamelCase, isLowerCaseName } from "../naming/casing.js";
import { nearest } from "../naming/nearest.js";
import type { At, Findings } from "./findings.js";
import { embeddable, referenceIdentifier } from "./neighbours.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** REP-4: a reference points to a resource, and embeds existing properties. */
export function checkReference(property: PropertyPlace, findings: Findings, scope: Scope): void {
  if (property.kind !== "reference") return;
  checkTarget(property, findings, scope);
  checkEntity(property, findings);
  checkEmbedded(property, findings, scope);
  checkOptions(property, findings);
  checkListedUnder(property, findings);
}

function checkTarget({ yaml, path }: PropertyPlace, findings: Findings, scope: Scope): void {
  const { neighbours, representations, unread } = scope;
  const { reference = "", external = false } = yaml;
  const represented = representations.get(reference);
  const isOurs = neighbours.has(reference) || represented !== undefined;
  const at = { path: [...path, "reference"] };
  if (represented !== undefined) {
    const suggestion = `Refer to "${represented}".`;
    findings.add("SCH-42", at, { reference, represented }, { suggestion });
  }
  if (!external && !isOurs && !unread.has(reference)) {
    findings.add("SCH-36", at, { reference }, { suggestion: unknownSuggestion(reference, scope) });
  }
  if (external && isOurs) {
    const suggestion = "Remove `external`.";
    findings.add("SCH-43", { path: [...path, "external"] }, { reference }, { suggestion });
  }
  if (external && !isLowerCaseName(reference)) {
    const suggestion = 'Write "users", for example.';
    findings.add("SCH-44", at, { reference }, { suggestion });
  }
}

function unknownSuggestion(reference: string, { neighbours, plurals }: Scope): string {
  const near = nearest(reference, [...neighbours.keys()]);
  const elsewhere = "add `external: true` if another service keeps it";
  return near === null
    ? `Write ${plurals.plural(reference)}.yaml next to this file, or ${elsewhere}.`
    : didYouMean(near);
}

/** Only an external reference can name its entity, and say what identifies it: a resource of this service declares its own. */
function checkEntity({ yaml, path }: PropertyPlace, findings: Findings): void {
  const { external = false, entity, identifier } = yaml;
  if (identifier !== undefined && !external) {
    const suggestion = "Remove `identifier`.";
    findings.add("SCH-247", { path: [...path, "identifier"] }, {}, { suggestion });
  }
  if (entity === undefined) return;
  const at = { path: [...path, "entity"] };
  if (!external) findings.add("SCH-45", at, {}, { suggestion: "Remove `entity`." });
  else if (!isCamelCase(entity)) findings.add("IDN-2", at, { entity });
}

function checkEmbedded(property: PropertyPlace, findings: Findings, scope: Scope): void {
  const { embed = [] } = property.yaml;
  for (const [index, name] of embed.entries()) {
    const at = { path: [...property.path, "embed", index] };
    if (embed.indexOf(name) === index) checkEmbeddedName({ name, at, property }, findings, scope);
    else findings.add("SCH-46", at, { name }, { suggestion: ADVICE.keepOne });
  }
}

function checkEmbeddedName(
  {
    name,
    at,
    property: { yaml },
  }: { readonly name: string; readonly at: At; readonly property: PropertyPlace },
  findings: Findings,
  { neighbours, plurals }: Scope,
): void {
  const { external = false, reference = "" } = yaml;
  const other = neighbours.get(reference);
  if (name === referenceIdentifier(yaml, neighbours, plurals)) {
    return findings.add("SCH-47", at, { name }, { suggestion: ADVICE.remove });
  }
  if (external) {
    if (!isCamelCase(name)) findings.add("NAM-2", at, { name });
    return;
  }
  if (other === undefined) return;
  const found = embeddable(yaml, name, neighbours);
  if (found !== undefined && isScalar(found)) return;
  const suggestion = meantBy(name, other.properties.filter(isScalar));
  if (found === undefined) findings.add("SCH-48", at, { reference, name }, { suggestion });
  else findings.add("SCH-49", at, { name }, { suggestion });
}

/** What a name was, or what is written like it; null where there is nothing of that kind. */
function meantBy(name: string, properties: readonly PropertyPlace[]): string | null {
  const renamed = properties.find(({ yaml }) => yaml.renamedFrom === name);
  if (renamed !== undefined) return `It is called ${quoted(renamed.name)} now.`;
  const names = properties.map((one) => one.name);
  return didYouMean(nearest(name, names));
}

/** A property at the root that is one value: what can be embedded. */
function isScalar({ kind, holders, isItem }: PropertyPlace): boolean {
  const isWhole = kind !== "object" && kind !== "array" && kind !== "reference";
  return isWhole && !isItem && holders.length === 0;
}

/** CHD-1: a reference that is a path leads to one resource of this service, and a client can set it. */
function checkListedUnder({ yaml, path, holders }: PropertyPlace, findings: Findings): void {
  if (yaml.listedUnder !== true) return;
  const at = { path: [...path, "listedUnder"] };
  const suggestion = "Remove `listedUnder`.";
  if (yaml.external === true || holders.length > 0) {
    findings.add("SCH-249", at, {}, { suggestion });
  } else if (yaml.readOnly === true) {
    findings.add("SCH-250", at, {}, { suggestion });
  }
}

function checkOptions({ yaml, isItem, path, holders }: PropertyPlace, findings: Findings): void {
  const { onDelete, disclose, external = false, required = false } = yaml;
  if (disclose === true && yaml.embed === undefined) {
    const suggestion = "Remove `disclose`.";
    findings.add("SCH-51", { path: [...path, "disclose"] }, {}, { suggestion });
  }
  const at = { path: [...path, "onDelete"] };
  if (external && onDelete !== undefined) {
    findings.add("SCH-52", at, {}, { suggestion: "Remove `onDelete`." });
  } else if (onDelete === "setNull" && (isItem || required)) {
    const holder = isItem ? "an item of an array" : "a required property";
    const suggestion = isItem ? "Remove `onDelete`." : ADVICE.removeOne;
    findings.add("SCH-53", at, { holder }, { suggestion });
  } else if (onDelete === "setNull" && holders.length > 0) {
    const suggestion = "Remove `onDelete`, or move the reference to the top level.";
    findings.add("SCH-248", at, {}, { suggestion });
  }
}
