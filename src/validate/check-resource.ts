import type { SourceDocument } from "../load/source-document.js";
import type { Plurals } from "../naming/plurals.js";
import { checkAccess } from "./check-access.js";
import { checkActionProperty, checkActions } from "./check-actions.js";
import { checkAliases } from "./check-aliases.js";
import { checkAmbiguous, checkAmbiguousText } from "./check-ambiguous.js";
import { checkBounds } from "./check-bounds.js";
import { checkContradictions } from "./check-contradictions.js";
import { checkEnum } from "./check-enum.js";
import { checkIndexes } from "./check-indexes.js";
import { checkHistory } from "./check-history.js";
import { checkKeywords } from "./check-keywords.js";
import { checkPattern, growthsOf, isQuick } from "./check-pattern.js";
import { checkPropertyName } from "./check-property-name.js";
import { checkReference } from "./check-references.js";
import { checkResourceName } from "./check-resource-name.js";
import { checkPaging } from "./check-service.js";
import { checkSiblings } from "./check-siblings.js";
import { checkStates } from "./check-states.js";
import { checkValues } from "./check-values.js";
import { Findings } from "./findings.js";
import { looksSecret } from "./looks-secret.js";
import { mapping, type Mapping } from "./plain.js";
import { actionProperties, propertiesOf, type PropertyPlace } from "./property-place.js";
import { prune } from "./prune.js";
import { isRepresentation } from "./represented.js";
import type { Scope } from "./scope.js";
import { readShape } from "./read-shape.js";

/** G9: properties of a resource, nested ones included. */
const PROPERTIES = 200;

/** A resource file, as far as it could be understood. */
export interface CheckedResource {
  readonly findings: Findings;
  /** The file without its faulty parts. */
  readonly value: Mapping;
  /** Those that it declares: a representation declares none. */
  readonly properties: readonly PropertyPlace[];
  /** Those that its actions are sent and answer (OPS-11). */
  readonly actionProperties: readonly PropertyPlace[];
}

/** Checks the shape of one resource file, unless it `isUnchanged`, and returns the parts that can be understood. */
export function readResource(
  document: SourceDocument,
  isUnchanged: boolean,
  plurals: Plurals,
): CheckedResource {
  const findings = new Findings(document);
  const errors = isUnchanged ? [] : readShape("resource", findings, plurals);
  const pruned = prune(mapping(document.value), errors);
  const isShown = isRepresentation(document);
  const properties = isShown ? [] : propertiesOf(pruned);
  const ofActions = isShown ? [] : actionProperties(pruned);
  return { findings, value: pruned.value, properties, actionProperties: ofActions };
}

/** Checks one resource file by the rules. */
export async function checkResource(
  { findings, value, properties, actionProperties: ofActions }: CheckedResource,
  scope: Scope,
): Promise<void> {
  checkResourceName(value, findings, scope);
  checkPaging(value, findings);
  checkDescription(value, findings);
  checkSiblings(properties, findings);
  checkCount(properties, findings);
  checkHistory(value["removed"], properties, findings);
  checkStates(value, properties, findings);
  checkAliases(value, properties, findings, scope);
  checkIndexes(value, properties, findings);
  checkAccess(value, findings, { ...scope, hasParent: value["parent"] !== undefined });
  checkActions(value, findings, scope);
  const entity = typeof value["entity"] === "string" ? value["entity"] : null;
  const growths = await growthsOf([...properties, ...ofActions]);
  const around: Scope = {
    ...scope,
    isQuick: (pattern, length) => isQuick(growths, pattern, length),
  };
  for (const property of properties) {
    checkPropertyName(property, entity, findings, scope);
    checkProperty(property, findings, around);
    if (property.kind === "string") checkPattern(property, findings, growths);
  }
  for (const property of ofActions) {
    checkActionProperty(property, findings, scope);
    checkProperty(property, findings, around);
    if (property.kind === "string") checkPattern(property, findings, growths);
  }
}

function checkProperty(property: PropertyPlace, findings: Findings, scope: Scope): void {
  checkKeywords(property, findings);
  checkEnum(property, findings);
  checkBounds(property, findings, scope);
  checkValues(property, findings, scope);
  checkContradictions(property, findings);
  checkAmbiguous(property, findings);
  checkReference(property, findings, scope);
}

/** Texts for the OpenAPI document mean the same to every YAML parser, and contain no secret. */
export function checkDescription({ description }: Mapping, findings: Findings): void {
  const path = ["description"];
  checkAmbiguousText(description, path, findings);
  if (!looksSecret(description, "")) return;
  findings.add("SCH-32", { path }, { keyword: "description" }, { severity: "warning" });
}

function checkCount(properties: readonly PropertyPlace[], findings: Findings): void {
  const count = properties.filter(({ isItem }) => !isItem).length;
  if (count <= PROPERTIES) return;
  const at = { path: ["properties"], part: "key" } as const;
  const given = { what: "The resource", size: count, limit: PROPERTIES, unit: "properties" };
  findings.add("SCH-6", at, given);
}
