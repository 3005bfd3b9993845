import type { Origins } from "./imports.js";
import type { Pieced } from "./pieces.js";

/** Who may change a file after it is made: a generator's file is rewritten freely, a user's never touched again. */
export type Owner = "generator" | "user";

/**
 * A file that is rendered from a template: where it goes, who owns it, and what its template sees. The model is all that
 * its text is made of: with the same one, the text of the last run is kept.
 */
export interface Artifact<Model> {
  /** The name of the template without `.hbs`: `entity/store.ts`. */
  readonly template: string;
  readonly owner: Owner;
  /** Left out: it is made for every model. */
  readonly when?: (model: Model) => boolean;
  path(model: Model): string;
  view(model: Model): object;
  /** Left out: every name that its code uses says where it is from. */
  readonly origins?: (model: Model) => Origins;
}

/** A file that holds a value: an object, serialised. */
export interface DataArtifact<Model> {
  readonly owner: Owner;
  path(model: Model): string;
  value(model: Model): object;
}

/** A file of texts to which each resource adds its own. */
export interface PiecedArtifact<Model> {
  readonly owner: Owner;
  /** Left out: it is made for every model. */
  readonly when?: (model: Model) => boolean;
  path(model: Model): string;
  parts(model: Model): Pieced;
}
