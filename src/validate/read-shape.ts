import { pluralsOf, type Plurals } from "../naming/plurals.js";
import type { Findings } from "./findings.js";
import { resourceShapeErrors, serviceShapeErrors, type ShapeError } from "./shape.js";
import { tellShapeErrors } from "./shape-findings.js";

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
