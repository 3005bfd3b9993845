import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { before, lastStep, schemaPath } from "./paths.js";
import type { PerhapsRenamed } from "./perhaps-renamed-tables.js";

/** An edit of a schema that leads to no migration. */
export interface EditProblem {
  /** Of the entity whose schema was edited. */
  readonly table: string;
  /** In the storage: `lines[].price`. */
  readonly path: string;
  /** Where it is told: at the property, at one of its keywords, at the object that lacks it, or at the resource. */
  readonly at: "property" | "renamedFrom" | "holder" | "resource";
  readonly mistake: Mistake;
  readonly suggestion: string;
}

/** SCH-144, with both edits that would say what has become of a property. */
export function goneProblem(table: string, path: string, candidate: string | null): EditProblem {
  const former = lastStep(path);
  const name = candidate ?? "<new name>";
  const suggestion =
    `If it has another name now, write it there: "${name}: { ..., renamedFrom: ${former} }". If it is no longer needed, ` +
    `write at the resource: "removed: { ${schemaPath(path)}: <why> }".`;
  return {
    table,
    path,
    at: "holder",
    mistake: mistake("SCH-144", { path: schemaPath(path) }),
    suggestion,
  };
}

// Without the folder, nothing that counts as released is in the way.
const NO_DATABASE =
  'Where no database is to be kept, delete `migrations` and run "generator migration squash --unreleased".';

/** SCH-444: nothing says which tenant the rows belong to. */
export function unownedProblem(table: string): EditProblem {
  return {
    table,
    path: "",
    at: "resource",
    mistake: mistake("SCH-444", { table }),
    suggestion: `Name the tenant of the rows: \`tenant: { claim: ..., existing: acme }\`. ${NO_DATABASE}`,
  };
}

/** SCH-145; `isParent`: of the reference of a child to its parent. */
export function unfilledProblem(table: string, path: string, isParent: boolean): EditProblem {
  const advice = isParent
    ? "No existing row can get a parent: leave this resource as it is, and make another one below the parent."
    : "Give it a `default`, or let it be null: take `required` away.";
  return {
    table,
    path,
    at: "property",
    mistake: mistake("SCH-145", { path: schemaPath(path) }),
    suggestion: `${advice} ${NO_DATABASE}`,
  };
}

/** SCH-433; `why`: which values would be read as something else. */
export function otherValuesProblem(table: string, path: string, why: string): EditProblem {
  return {
    table,
    path,
    at: "property",
    mistake: mistake("SCH-433", { path: schemaPath(path) }),
    suggestion: `${why}. Leave it as it is, and give the new property another name. ${NO_DATABASE}`,
  };
}

/** SCH-179, a warning: what it is made of may be older than what was written since. */
export function convertedProblem(
  table: string,
  path: string,
  { former, value }: { readonly former: readonly string[]; readonly value: string },
): EditProblem {
  const from = former.join(", ");
  return {
    table,
    path,
    at: "property",
    mistake: mistake("SCH-179", { path: schemaPath(path), from, table, value }),
    suggestion: `Fill it with a migration of your own, which can read the kept values of ${from}: "generator migration new <name>".`,
  };
}

/** SCH-360, a warning. */
export function perhapsRenamedProblem({ table, former }: PerhapsRenamed): EditProblem {
  return {
    table,
    path: "",
    at: "resource",
    mistake: mistake("SCH-360", { table, former }),
    suggestion:
      `Where it is the same under another name, write "renamedFrom: ${former}" next to "resource"; where the migration is made already, ` +
      'run "generator migration squash --unreleased" then. Where it is another one, there is nothing to do.',
  };
}

/** SCH-143; `known`: the names of what is stored beside it, and has no name in the schema any more. */
export function unknownFormerProblem(
  table: string,
  path: string,
  { former, known = [] }: { readonly former: string; readonly known?: readonly string[] },
): EditProblem {
  const [first] = known;
  return {
    table,
    path,
    at: "renamedFrom",
    mistake: mistake("SCH-143", { former, table }),
    suggestion:
      first === undefined
        ? `Correct the name, or take \`renamedFrom\` away: the ${path === "" ? "resource" : "property"} is new.`
        : `Where it was renamed more than once since the last migration, write the name that this knows, ${known.join(" or ")}: ` +
          `"renamedFrom: ${first}". Where the property is new, take \`renamedFrom\` away.`,
  };
}

/** SCH-268. */
export function takenNameProblem(table: string, path: string, former: string): EditProblem {
  const name = schemaPath(path);
  return {
    table,
    path,
    at: "renamedFrom",
    mistake: mistake("SCH-268", { path: name, former }),
    suggestion:
      `Choose another name. Or, where the old values of "${name}" are not needed: undo the rename, run "generator drop-columns", ` +
      "and rename then.",
  };
}

/** SCH-290. */
export function sameColumnProblem(table: string, path: string, other: string): EditProblem {
  return {
    table,
    path,
    at: "property",
    mistake: mistake("SCH-290", { name: path, other }),
    suggestion:
      `Choose another name. Or, where the old values of "${other}" are not needed: take "${path}" away, run ` +
      '"generator generate" and "generator drop-columns", and add it then.',
  };
}

/** What a property is to be, whose stored values cannot be converted. */
export interface Unconverted {
  readonly from: string;
  readonly to: string;
  /** What it was until now: kept under its name, renamed from this one, or removed before. */
  readonly was: "kept" | "removed" | { readonly renamedFrom: string };
}

/** SCH-146. */
export function conversionProblem(
  table: string,
  path: string,
  { from, to, was }: Unconverted,
): EditProblem {
  const name = schemaPath(path);
  const former = typeof was === "object" ? before(name) + was.renamedFrom : name;
  const remove = `write "removed: { ${former}: <why> }" at the resource`;
  const another = "give the new property a name that no property has had";
  const ways = {
    kept: `Leave "${former}" as it was, or ${remove}; in both cases, ${another}.`,
    removed: `Instead, ${remove}, and ${another}.`,
    renamed:
      `Take \`renamedFrom\` away from "${lastStep(name)}", which is another property; then leave "${former}" as it was, or ` +
      `${remove}.`,
  };
  return {
    table,
    path,
    at: "property",
    mistake: mistake("SCH-146", { path: former, from, to }),
    suggestion: `${ways[typeof was === "object" ? "renamed" : was]} ${NO_DATABASE}`,
  };
}
