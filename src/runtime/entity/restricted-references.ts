import type { AccessRules } from "../auth/access.js";
import type { References } from "./references.js";

/** References with the access of what some of them lead to; the others lead to what anyone may read (AUT-2). */
export function guardedBy<All extends References>(
  references: All,
  access: { readonly [Name in keyof All]?: AccessRules },
): All {
  const restricted = Object.entries(references).map(([name, one]) => {
    return [name, { ...one, access: access[name] ?? one.access }] as const;
  });
  // The same names, each with the same reference.
  return Object.fromEntries(restricted) as All;
}
