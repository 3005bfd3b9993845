import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import { resourceShapeErrors, serviceShapeErrors, type ShapeError } from "./shape.js";
import { pathOf, tellShapeErrors } from "./shape-findings.js";
import { unsupportedInResource, unsupportedInService } from "./unsupported.js";

/** What of a file the rules cannot look at. */
export interface Shape {
  readonly errors: readonly ShapeError[];
  readonly unsupported: readonly (readonly PathStep[])[];
}

/** Compares a file with its JSON Schema, and tells what differs and what is not supported yet. */
export function readShape(kind: "service" | "resource", findings: Findings): Shape {
  const { value } = findings.document;
  const isService = kind === "service";
  const unsupported = isService ? unsupportedInService(value) : unsupportedInResource(value);
  for (const { at, mistake } of unsupported) findings.tell(mistake, at);
  const paths = unsupported.map(({ at }) => at.path);
  const all = isService ? serviceShapeErrors(value) : resourceShapeErrors(value);
  // Names of properties are told by NAM-2, and what is not supported yet is not looked into.
  const errors = all.filter(
    ({ instancePath, propertyName }) =>
      propertyName === undefined && !paths.some((path) => isUnder(pathOf(instancePath), path)),
  );
  tellShapeErrors(errors, findings);
  return { errors, unsupported: paths };
}

function isUnder(path: readonly PathStep[], holder: readonly PathStep[]): boolean {
  return holder.every((step, index) => String(path[index]) === String(step));
}
