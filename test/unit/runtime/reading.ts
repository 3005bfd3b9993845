import { ApiError, type FieldIssue } from "#runtime/base/errors";
import type { JsonValue } from "#runtime/input/json";
import type { Reader } from "#runtime/input/reader";
import { Report } from "#runtime/input/report";

/** What a reader makes of a value, or the issues that it reports. */
export function reading<T>(reader: Reader<T>, value: JsonValue | undefined): T | Issues {
  const report = new Report();
  const read = reader(value, "x", report);
  const issues = issuesOf(() => report.throwIfAny());
  return issues.length === 0 ? read : { issues: issues.map((i) => `${i.field} ${i.message}`) };
}

export interface Issues {
  readonly issues: readonly string[];
}

export function refused(...issues: readonly string[]): Issues {
  return { issues };
}

/** The issues of the validation error that the action throws; none where it throws nothing. */
export function issuesOf(action: () => unknown): readonly FieldIssue[] {
  const error = thrownBy(action);
  return error?.details.fields ?? [];
}

export function thrownBy(action: () => unknown): ApiError | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
