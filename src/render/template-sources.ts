import { sources } from "#compiled/sources";
import { sha256 } from "../files/hash.js";

/** The names of the templates that a project can have of its own: those of files that the generator writes again and again. */
export function ejectable(): readonly string[] {
  return Object.keys(sources)
    .filter((path) => !path.startsWith("scaffold/"))
    .map((path) => path.slice(0, -".hbs".length))
    .sort();
}

/** The generator's own text of a template; throws nothing: null for a name that there is not. */
export function templateSource(name: string): string | null {
  const path = `${name}.hbs`;
  return Object.hasOwn(sources, path) ? (sources[path] ?? null) : null;
}

/** The first line of a copy: of which text it is one. */
export function baseMark(source: string): string {
  return `{{! A copy of the template ${digestOf(source)} of generator, and yours: see generator explain SCH-267. }}\n`;
}

/** The digest in the first line of a copy; null: somebody has removed it. */
export function markedBase(text: string): string | null {
  return /^\{\{! A copy of the template ([0-9a-f]{12}) /.exec(text)?.[1] ?? null;
}

/** What tells two texts of a template apart. */
export function digestOf(source: string): string {
  return sha256(source).slice(0, 12);
}
