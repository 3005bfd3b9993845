import type { SourceDocument } from "../load/source-document.js";
import { pluralsOf, type Plurals } from "../naming/plurals.js";
import { Findings } from "./findings.js";
import { mapping, type Mapping } from "./plain.js";
import { actionProperties, propertiesOf, type PropertyPlace } from "./property-place.js";
import { prune } from "./prune.js";
import { isRepresentation } from "./represented.js";
import { tellShapeErrors } from "./shape-findings.js";
import { resourceShapeErrors, serviceShapeErrors, type ShapeError } from "./shape.js";

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

/** Checks a file with its JSON Schema, and reports every error. */
export function readShape(
  kind: "service" | "resource",
  findings: Findings,
  plurals: Plurals = pluralsOf({}),
): readonly ShapeError[] {
  const { value } = findings.document;
  const all = kind === "service" ? serviceShapeErrors(value) : resourceShapeErrors(value);
  // NAM-2 reports names of properties.
  const errors = all.filter(({ propertyName }) => propertyName === undefined);
  tellShapeErrors(errors, findings, plurals);
  return errors;
}
