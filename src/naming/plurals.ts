import { headOf } from "./head-noun.js";
import { isPluralNoun, pluralsOfNoun, singularOfNoun } from "./inflections.js";

/** English plurals of camelCase names by their head noun, corrected by the `inflections` (singular: plural) of service.yaml (NAM-1, NAM-3). */
export interface Plurals {
  /** The usual plural of a name: `emailAddress` -> `emailAddresses`, `dayOfWeek` -> `daysOfWeek`. */
  plural(name: string): string;
  /** The singular of a name: `emailAddresses` -> `emailAddress`. */
  singular(name: string): string;
  /** Says whether the head noun of a name is a plural; `sheep` is both. */
  isPlural(name: string): boolean;
  /** Says whether a resource name, which has lost its word boundaries, is a plural of an entity: `indices` and `indexes` of `index`. */
  isPluralOf(resource: string, entity: string): boolean;
}

/** Makes the inflections of one service, which take precedence over those that are known. */
export function pluralsOf(inflections: Readonly<Record<string, string>>): Plurals {
  const pairs = Object.entries(inflections);
  const toPlural = new Map(pairs.map(([one, many]) => [one.toLowerCase(), many]));
  const toSingular = new Map(pairs.map(([one, many]) => [many.toLowerCase(), one]));

  const pluralNouns = (noun: string): readonly string[] => {
    const own = toPlural.get(noun);
    return own === undefined ? pluralsOfNoun(noun) : [own];
  };
  const pluralNames = (name: string): readonly string[] => {
    const whole = toPlural.get(name.toLowerCase());
    if (whole !== undefined) return [whole];
    const { before, noun, after } = headOf(name);
    const plurals = pluralNouns(noun.toLowerCase());
    return plurals.map((plural) => before + inLettersOf(noun, plural) + after);
  };
  const plural = (name: string): string => pluralNames(name)[0] ?? name;

  return {
    plural,
    singular: (name) => {
      const whole = toSingular.get(name.toLowerCase());
      if (whole !== undefined) return whole;
      const { before, noun, after } = headOf(name);
      const lower = noun.toLowerCase();
      return before + inLettersOf(noun, toSingular.get(lower) ?? singularOfNoun(lower)) + after;
    },
    isPlural: (name) => {
      const { noun } = headOf(name);
      const isGiven = [name, noun].some((word) => toSingular.has(word.toLowerCase()));
      return isGiven || isPluralForm(noun) || isPluralNoun(noun.toLowerCase());
    },
    isPluralOf: (resource, entity) =>
      pluralNames(entity).some((name) => name.toLowerCase() === resource),
  };
}

/** `SKUs` and `3s` can be nothing else. */
function isPluralForm(noun: string): boolean {
  return /^(?:[A-Z]{2,}|[0-9]+)s$/.test(noun);
}

/** An inflected noun in the letters of the noun that it was made of: `SKU` -> `SKUs`, `Person` -> `People`. */
function inLettersOf(noun: string, inflected: string): string {
  let same = 0;
  while (same < noun.length && noun[same]?.toLowerCase() === inflected[same]) same += 1;
  return noun.slice(0, same) + inflected.slice(same);
}
