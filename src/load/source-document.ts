import type { Diagnostic, Place } from "../diagnostics/diagnostic.js";
import type { ContractSource } from "./contract-source.js";

/** A step into a YAML value: a key of a mapping, or an index of a list. */
export type PathStep = string | number;

/** A YAML file as it was read: its plain value, and the place of each part of it. */
export interface SourceDocument {
  /** Relative to the project, with forward slashes: `resources/v1/tickets.yaml`. */
  readonly path: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
  readonly value: unknown;
  /** The place of the key or the value at `path`, or of the nearest parent if the path does not exist. */
  locate(path: readonly PathStep[], part?: "key" | "value"): Place;
}

/** Everything that `load` reads from a project, sorted by path. */
export interface SourceTree {
  readonly service: SourceDocument;
  readonly resources: readonly SourceDocument[];
  /** The frozen contracts of published versions. */
  readonly contracts: readonly ContractSource[];
  /** Those of each branch that is being merged: what both have promised holds. */
  readonly mergedContracts: readonly (readonly ContractSource[])[];
  /** Paths of frozen contracts that were written once, and that are not there. */
  readonly lostContracts: readonly string[];
  /** Mistakes found while reading; `resources` leaves out files that could not be understood at all. */
  readonly problems: readonly Diagnostic[];
}
