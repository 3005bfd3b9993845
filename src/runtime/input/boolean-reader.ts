import { wrongType, type Reader } from "./reader.js";

/** Reads true or false; their names as strings are neither. */
export function boolean(): Reader<boolean> {
  return (value, path, report) => {
    if (typeof value === "boolean") return value;
    report.add(path, wrongType(value, "true or false"));
    return false;
  };
}
