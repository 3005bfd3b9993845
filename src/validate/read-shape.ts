import type { PathStep } from "../load/source-document.js";
import { pluralsOf, type Plurals } from "../naming/plurals.js";
import type { Findings } from "./findings.js";
import { resourceShapeErrors, serviceShapeErrors, type ShapeError } from "./shape.js";
import { pathOf, tellShapeErrors } from "./shape-findings.js";
import { unsupportedIn } from "./unsupported.js";

/** The parts of a file that the rules cannot check. */
export interface Shape {
  readonly errors: readonly ShapeError[];
  readonly unsupported: readonly (readonly PathStep[])[];
}

/** Checks a file with its JSON Schema, and reports every error and everything that is not supported yet. */
export function readShape(
  kind: "service" | "resource",
  findings: Findings,
  plurals: Plurals = pluralsOf({}),
): Shape {
  const { value } = findings.document;
  const isService = kind === "service";
  const unsupported = unsupportedIn(value);
  for (const { at, mistake } of unsupported) findings.tell(mistake, at);
  const paths = unsupported.map(({ at }) => at.path);
  const all = isService ? serviceShapeErrors(value) : resourceShapeErrors(value);
  // NAM-2 reports names of properties, and parts that are not supported yet are not checked.
  const errors = all.filter(
    ({ instancePath, propertyName }) =>
      propertyName === undefined && !paths.some((path) => isUnder(pathOf(instancePath), path)),
  );
  tellShapeErrors(errors, findings, plurals);
  return { errors, unsupported: paths };
}

function isUnder(path: readonly PathStep[], holder: readonly PathStep[]): boolean {
  return holder.every((step, index) => String(path[index]) === String(step));
}
