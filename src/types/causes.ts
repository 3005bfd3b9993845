import type { Clues } from "./clues.js";
import type { SchemaEdit } from "./schema-edit.js";

/** Causes that are told of one error at most. */
const MOST = 5;

/**
 * The edits that an error probably comes from, the closest match only: those that brought what is missing, that it names itself, or that the statement
 * around it names, or that concern the generated files it uses, or otherwise all of them.
 */
export function causesOf(clues: Clues, edits: readonly SchemaEdit[]): readonly SchemaEdit[] {
  const { missing, names, nearby, modules, imports } = clues;
  const using = (paths: ReadonlySet<string>) => (edit: SchemaEdit) => isAbout(edit, paths);
  const near = edits.filter(using(modules));
  const reached = near.length > 0 ? near : edits.filter(using(imports));
  const ways = [
    reached.filter(naming(missing)),
    edits.filter(naming(missing)),
    reached.filter(naming(names)),
    edits.filter(naming(names)),
    reached.filter(naming(nearby)),
    reached,
    edits,
  ];
  return (ways.find((found) => found.length > 0) ?? []).slice(0, MOST);
}

function naming(names: ReadonlySet<string>): (edit: SchemaEdit) => boolean {
  return (edit) => [...edit.names].some((name) => names.has(name));
}

function isAbout({ folders }: SchemaEdit, paths: ReadonlySet<string>): boolean {
  return [...paths].some((path) => folders.some((folder) => path.startsWith(folder)));
}
