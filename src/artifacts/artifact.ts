import type { Origins } from "./imports.js";
import type { Pieced } from "./pieces.js";
import type { TsCode } from "../naming/encoders.js";

/** Who may change a file after it is made: a generator's file is rewritten freely, a user's never touched again. */
export type Owner = "generator" | "user";

/**
 * A file of code: where it goes, and who owns it. The model is all that its text is made of: with the same one, the text
 * of the last run is kept.
 */
export type Artifact<Model> = CodeFile<Model> & (Templated<Model> | Printed<Model>);

/** It is rendered from a template: a reader sees the shape of the file there. */
interface Templated<Model> {
  /** The name of the template without `.hbs`: `entity/store.ts`. */
  readonly template: string;
  view(model: Model): object;
}

/** It is data, and prints itself. */
interface Printed<Model> {
  /** Tells it from others of the same model. */
  readonly name: string;
  print(model: Model): TsCode;
}

interface CodeFile<Model> {
  readonly owner: Owner;
  /** Left out: it is made for every model. */
  readonly when?: (model: Model) => boolean;
  path(model: Model): string;
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
