import { isTimestamp } from "../base/timestamp-text.js";
import { wrongForm, type Reader } from "./reader.js";
import { TIMESTAMP_FORM } from "./timestamp-form.js";

/** Reads a UTC time in the contract's one form (REP-1). */
export function timestamp(): Reader<string> {
  return (value, path, report) => {
    if (typeof value === "string" && isTimestamp(value)) return value;
    report.add(path, wrongForm(value, TIMESTAMP_FORM));
    return "1970-01-01T00:00:00.000Z";
  };
}
