import { runtime, resource, type Mutant } from "./mutant.js";

/** Faults in what becomes of a version after it was published. */
export const STATUS_MUTANTS: readonly Mutant[] = [
  {
    rule: "VER-4",
    service: "deprecated",
    file: runtime("http/deprecation"),
    find: 'if (status !== "deprecated") return [];',
    replace: 'if (status !== "published") return [];',
    why: "the answers of a deprecated version do not say so",
  },
  {
    rule: "VER-4",
    service: "deprecated",
    file: runtime("http/deprecation"),
    find: "midnight(sunset).toUTCString()",
    replace: "midnight(sunset).toISOString()",
    why: "Sunset is not a date of HTTP",
  },
  {
    rule: "VER-4",
    service: "deprecated",
    file: runtime("http/deprecation"),
    find: "midnight(deprecated).getTime() / 1000",
    replace: "midnight(deprecated).getTime()",
    why: "Deprecation counts milliseconds",
  },
  {
    rule: "VER-4",
    service: "deprecated",
    file: runtime("http/deprecation"),
    find: "T00:00:00.000Z",
    replace: "T12:00:00.000Z",
    why: "the dates are those of noon",
  },
  {
    rule: "OPS-4",
    service: "deprecated",
    file: resource("parcels.validator"),
    find: "note: addedLater(property(nullable(text({ maxLength: 200 })))),",
    replace: "note: property(nullable(text({ maxLength: 200 }))),",
    why: "a PUT has to hold what was added after the version was published",
  },
  {
    rule: "OPS-4",
    service: "deprecated",
    file: runtime("input/bodies"),
    find: "if (value === undefined && stored !== undefined && !this.isEmptying) return stored;\n    const sent",
    replace: "const sent",
    why: "a PUT that leaves out what was added after publishing empties it",
  },
];
