import type { Audience, ChangeClass, ChangeKindId } from "../contract/change-kinds.js";
import type { VersionStatus } from "../validate/resource-document.js";

/** The result of `generator changes`: every version, and what has become of it. */
export interface ChangesReport {
  readonly service: string;
  readonly title: string;
  /** The revision that it was compared with; null: what was promised. */
  readonly since: string | null;
  readonly versions: readonly VersionChanges[];
}

/** What a version was compared with: its frozen contract, itself in another revision, or the version before it. */
export type Baseline =
  | {
      readonly kind: "contract";
      /** The commit in which it was promised, and its date; null where version control does not say. */
      readonly commit: string | null;
      readonly date: string | null;
    }
  | { readonly kind: "revision" }
  | { readonly kind: "version"; readonly name: string }
  | { readonly kind: "nothing" };

/**
 * What a change means for clients. Where nobody was promised otherwise, nobody is broken: who moves to the version has to
 * adapt.
 */
export type ReportedClass = ChangeClass | "adapt";

/** One version. */
export interface VersionChanges {
  readonly name: string;
  readonly status: VersionStatus;
  readonly deprecated: string | null;
  readonly sunset: string | null;
  readonly baseline: Baseline;
  /** It is promised to clients, and something breaks them. */
  readonly isBroken: boolean;
  /** Nobody was promised what it is compared with: its changes are what clients have to do when they move to it. */
  readonly isGuide: boolean;
  /** Changes of the version as a whole. */
  readonly service: readonly ReportedChange[];
  /** Every resource, ascending by name; those that are as they were have no changes. */
  readonly resources: readonly ResourceChanges[];
  /** What `generator generate` has added to the promise since the last commit. */
  readonly added: readonly ReportedChange[];
  /** What to do next; empty: nothing. */
  readonly next: string;
}

/** One resource of a version. */
export interface ResourceChanges {
  readonly name: string;
  readonly changes: readonly ReportedChange[];
}

/** One change, in words and with its place. */
export interface ReportedChange {
  readonly kind: ChangeKindId;
  readonly class: ReportedClass;
  readonly breaks: readonly Audience[];
  /** Null: the version as a whole. */
  readonly resource: string | null;
  /** The resource whose edit shows here; null: this one's own. */
  readonly follows: string | null;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly sentence: string;
  /** Whom it breaks, and why. */
  readonly reasons: readonly string[];
  /** What to do: for whom edits the schemas; in a guide, for clients that have to adapt. */
  readonly advice: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** All changes of a version, in the order in which they are told. */
export function changesOf({ service, resources }: VersionChanges): readonly ReportedChange[] {
  return [...service, ...resources.flatMap((resource) => resource.changes)];
}
