import { entity, kernel, type Mutant } from "./mutant.js";

/** AUT-2: who may do what, and who sees what. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("auth/access"),
    find: "if (isNothing(reach) && !isAddressed) throw forbidden();",
    replace: "",
    why: "who has no role may all the same",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("auth/access"),
    find: 'return reach === "all" ? UNFILTERED : ownedFilters(reach, caller);',
    replace: "return UNFILTERED;",
    why: "an entity is read, and a list shows, what its caller may not read",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("auth/access"),
    find: 'return reach === "all" ? UNFILTERED : ownedFilters(reach, caller);',
    replace:
      'return reach === "all" || rules.read.includes("parent:owner") ? UNFILTERED : ownedFilters(reach, caller);',
    why: "a child is read by who may not read its parent",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("auth/access"),
    find: "if (filters === null) throw forbidden();",
    replace: "if (filters === null) return UNFILTERED;",
    why: "an entity is changed by who may only read it",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: entity("entries.store"),
    find: ' IN (SELECT "vaultId" FROM "vaults" WHERE created_subject_id = ?)',
    replace: " IS NOT NULL AND ? IS NOT NULL",
    why: "a list of all children shows what their parents hide",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("store/list-sql"),
    find: 'FROM "${name}"${isJoined ? joins : ""}${where}`',
    replace:
      'FROM "${name}"${isJoined ? joins : ""}${where.replace("created_subject_id = ?", "created_subject_id <> ?")}`',
    why: "a count counts what its caller may not read",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("entity/child-rights"),
    find: "if (!(await store.hasOthersChildren(id, context, rights))) return rights;",
    replace: "if (rights.size < 1_000) return new Map();",
    why: "a parent takes along what its deleter may not delete",
  },
  {
    rule: "AUT-2",
    service: "secured",
    file: kernel("entity/references"),
    find: "const within = visibleFilters(reference.access, caller);",
    replace: "const within = [];",
    why: "a reference, or a path, leads to what the caller may not read",
  },
];
