import type { Texts } from "../render-files.js";
import type { Documents } from "./project.js";

/** What properties of a resource are called in the newer version. */
export type Renamed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A second version, and the code that leads to it and back. */
export interface Later {
  readonly documents: Documents;
  readonly code: Texts;
  readonly renamed: Renamed;
}

/** The next version of the same resources. */
export function secondVersion(documents: Documents, turns: readonly number[]): Later {
  void turns;
  const same = Object.keys(documents).map((resource) => [resource, { resource, sameAs: "v1" }]);
  return { documents: Object.fromEntries(same) as Documents, code: {}, renamed: {} };
}
