import type { Piece } from "./template-piece.js";

/** The folder of a project in which templates of its own stand. */
export const EJECTED = "ejected";

/** A template of the project's own, in place of the generator's. */
export interface EjectedTemplate {
  /** Relative to the project: `ejected/entity/store.ts.hbs`. */
  readonly path: string;
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** The templates that a project has in place of the generator's. */
export interface Ejected {
  /** By name: `entity/store.ts`, `partials/header`. */
  readonly templates: ReadonlyMap<string, EjectedTemplate>;
  /** Another one whenever any of them changes; "" where there is none. */
  readonly digest: string;
}

/** The project has none. */
export const NOTHING_EJECTED: Ejected = { templates: new Map(), digest: "" };

/** Where the project's copy of a template stands. */
export function ejectedPath(name: string): string {
  return `${EJECTED}/${name}.hbs`;
}
