import { FORMATS, type TextFormat } from "../input/formats.js";
import { Problem } from "../input/problem.js";
import { storageIssue } from "../input/text-reader.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters a text by exactly that text, white space included; one that its format refuses is told (QRY-3). */
export function textFilter(format?: TextFormat): ParameterFilter {
  return filter((text) => {
    const issue = storageIssue(text);
    if (issue !== null) return new Problem(issue);
    if (format === undefined || FORMATS[format].matches(text)) return text;
    return new Problem(`must be ${FORMATS[format].description}`);
  });
}
