import { isDeepStrictEqual } from "node:util";

import { runCustomNow } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import type { JsonValue } from "../input/json.js";
import { Report } from "../input/report.js";
import { shape, type PropertyReaders } from "../input/reader.js";
import type { VersionConversion } from "./conversion.js";
import { UnshownValue } from "./unshown-value.js";

/** Properties that the service's own code converts, from one version to the next and back. */
export interface ConvertedPair<Older, Newer> {
  readonly toNewer: (older: Older) => Newer;
  readonly toOlder: (newer: Newer) => Older;
}

/**
 * What the service's own code in `file` converts; what is sent back as it was shown changes nothing. What `toOlder` makes is
 * read like a body of the older version: `toShown` throws `UnshownValue` where it breaks a rule (REP-9). What `toNewer` makes
 * is read with all else that is stored.
 */
export function convertedPair<Older extends object, Newer>(
  pair: ConvertedPair<Older, Newer>,
  file: string,
  readers: PropertyReaders<Older>,
): VersionConversion<Newer, Older> {
  const [toOlder, toNewer] = [`toOlder in ${file}`, `toNewer in ${file}`];
  const read = shape(readers);
  // One for all that is right: a list shows hundreds of them.
  let report = new Report();
  const toShown = (stored: Newer): Older => {
    // Whether its values are those of JSON is what the readers find out.
    const older = read(runCustomNow(toOlder, () => pair.toOlder(stored)) as JsonValue, "", report);
    if (report.size === 0) return older;
    const { issues } = report;
    report = new Report();
    throw new UnshownValue(file, issues);
  };
  return {
    toShown,
    toStored: (sent, stored) =>
      stored !== null && isDeepStrictEqual(toShown(stored), sent)
        ? stored
        : runCustomNow(toNewer, () => pair.toNewer(sent)),
  };
}

/** Throws `StartRefusal` while one of the functions in `file` is missing: nothing but the compiler has asked for them. */
export function requirePair(pair: object, file: string): void {
  for (const name of ["toNewer", "toOlder"]) {
    const written: unknown = Reflect.get(pair, name);
    if (typeof written === "function") continue;
    throw new StartRefusal(`the function ${name} is missing in ${file}.`);
  }
}
