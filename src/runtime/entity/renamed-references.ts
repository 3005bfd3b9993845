import type { References } from "./references.js";

/** What a version calls a reference, and what it embeds where that is called otherwise there (VER-2). */
export type BodyName = string | { readonly name: string; readonly embedded: readonly string[] };

/** Those of an entity's references that a body can hold here, each with the name that it has here (REP-7). */
export function renamedBy<All extends References, Name extends keyof All>(
  references: All,
  names: Readonly<Record<Name, BodyName>>,
): Pick<All, Name> {
  const named = Object.entries<BodyName>(names).map(([name, own]) => {
    const reference = references[name];
    if (typeof own === "string") return [name, { ...reference, bodyPath: own }] as const;
    const known = new Set([reference?.idProperty, ...own.embedded]);
    return [name, { ...reference, bodyPath: own.name, names: known }] as const;
  });
  // The names are some of theirs, each with the same reference.
  return Object.fromEntries(named) as Pick<All, Name>;
}
