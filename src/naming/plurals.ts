import pluralize from "pluralize";

/** English plurals, corrected by the `inflections` (singular: plural) of service.yaml (NAM-3). */
export interface Plurals {
  /** The plural of a camelCase name, whose last word is inflected: `emailAddress` -> `emailAddresses`. */
  plural(name: string): string;
  /** The singular of a camelCase name: `emailAddresses` -> `emailAddress`. */
  singular(name: string): string;
  /** Says whether the last word of a name is a plural; `sheep` is both. */
  isPlural(name: string): boolean;
}

/** Makes the inflections of one service, which take precedence over those of the library. */
export function pluralsOf(inflections: Readonly<Record<string, string>>): Plurals {
  const pairs = Object.entries(inflections).map(([one, many]) => [one, many] as const);
  const toPlural = new Map(pairs.map(([one, many]) => [one.toLowerCase(), many]));
  const toSingular = new Map(pairs.map(([one, many]) => [many.toLowerCase(), one]));

  const inflect = (
    name: string,
    given: ReadonlyMap<string, string>,
    library: (word: string) => string,
  ): string => {
    const whole = given.get(name.toLowerCase());
    if (whole !== undefined) return whole;
    const { head, last } = splitLastWord(name);
    const own = given.get(last.toLowerCase());
    return head + (own === undefined ? library(last) : sameCase(own, last));
  };

  const plural = (name: string): string => inflect(name, toPlural, pluralize.plural);
  return {
    plural,
    singular: (name) => inflect(name, toSingular, pluralize.singular),
    isPlural: (name) => {
      const last = splitLastWord(name).last.toLowerCase();
      const given = (word: string): boolean => toSingular.has(word.toLowerCase());
      return given(name) || given(last) || pluralize.isPlural(last);
    },
  };
}

/** `emailAddress` -> `email` and `Address`. */
function splitLastWord(name: string): { readonly head: string; readonly last: string } {
  const start = Math.max(name.search(/[A-Z][^A-Z]*$/), 0);
  return { head: name.slice(0, start), last: name.slice(start) };
}

function sameCase(word: string, model: string): string {
  const first = /^[A-Z]/.test(model) ? word.charAt(0).toUpperCase() : word.charAt(0);
  return first + word.slice(1);
}
