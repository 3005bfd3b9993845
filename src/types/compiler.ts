import type typescript from "typescript";

/** The TypeScript compiler as its package exports it: that of the project, so that its verdict is the one of `npm run build`. */
export type Compiler = typeof typescript;

/** Texts that stand in place of those on disk, by path relative to the project; null: there is no such file. */
export type Overlay = ReadonlyMap<string, string | null>;

/** Says of a path, relative to the project, whether the generator writes it. */
export type IsGenerated = (path: string) => boolean;
