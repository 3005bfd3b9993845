import { boundIssue, isMultipleOf, type Bounds } from "./bounds.js";
import { wrongType, type Reader } from "./reader.js";

/** Reads a number within bounds; `kindIssue` says what else is wrong with it. */
export function boundedNumber(
  expected: string,
  kindIssue: (value: number) => string | null,
  bounds: Bounds<number>,
): Reader<number> {
  return (value, path, report) => {
    if (typeof value !== "number") {
      report.add(path, wrongType(value, expected));
      return 0;
    }
    const issue = kindIssue(value) ?? rangeIssue(value, bounds);
    if (issue !== null) report.add(path, issue);
    // -0 equals 0, and is not told from it.
    return issue !== null || value === 0 ? 0 : value;
  };
}

function rangeIssue(value: number, bounds: Bounds<number>): string | null {
  const { multipleOf } = bounds;
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    return `must be a multiple of ${multipleOf}`;
  }
  return boundIssue(value, bounds, String);
}
