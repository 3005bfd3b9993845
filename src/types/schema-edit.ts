import type { ChangeKindId } from "../contract/change-kinds.js";
import type { Span } from "../diagnostics/diagnostic.js";

/** One edit of the schemas that changes types of the generated code. */
export interface SchemaEdit {
  readonly kind: ChangeKindId | "scope-asked" | "version-retired";
  /** The plural; null: the service as a whole. */
  readonly resource: string | null;
  /** What has changed: `fax` is called `telefax` now. */
  readonly sentence: string;
  readonly span: Span;
  /** The names that stand in code for what has changed. */
  readonly names: ReadonlySet<string>;
  /** Where the code stands that follows from it. */
  readonly folders: readonly string[];
}
