import { parseIdentifier } from "../base/identifiers.js";
import { wrongForm, type Reader } from "./reader.js";
import { UUID_FORM } from "./uuid-form.js";

/** Reads a UUID; upper case is accepted and becomes lower case (IDN-4). */
export function uuid(): Reader<string> {
  return (value, path, report) => {
    const identifier = typeof value === "string" ? parseIdentifier(value) : null;
    if (identifier !== null) return identifier;
    report.add(path, wrongForm(value, UUID_FORM));
    return "00000000-0000-0000-0000-000000000000";
  };
}
