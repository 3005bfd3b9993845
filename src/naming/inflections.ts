import pluralize from "pluralize";

/**
 * Nouns of which the library is wrong, or knows only one plural: the singular, then its plurals, the usual one first.
 * Of two singulars with one plural the first is meant. Longer words that end in one of five letters or more follow it.
 */
const KNOWN_NOUNS = `
  data data | datum data datums | metadata metadata | media media | medium media mediums
  feedback feedback feedbacks | furniture furniture | telemetry telemetry | knowledge knowledge
  means means | crossroads crossroads | barracks barracks | spacecraft spacecraft | offspring offspring
  staff staff staffs | fish fish fishes | index indexes indices | person people persons
  base bases | basis bases | analysis analyses | axis axes | crisis crises | ellipsis ellipses
  emphasis emphases | genesis geneses | hypothesis hypotheses | oasis oases | synthesis syntheses
  schema schemas schemata | formula formulas formulae | virus viruses | penny pennies pence
  lens lenses | canvas canvases | atlas atlases | bias biases | gas gases | pancreas pancreases | yes yeses
  aws awses | bios bioses | cms cmses | dbms dbmses | dns dnses | erp erps | gps gpses | ios ioses | lms lmses
  mms mmses | nas nases | os oses | sms smses | tls tlses | vps vpses | wms wmses
  ache aches | headache headaches | brownie brownies | cache caches | calorie calories | cliche cliches | cookie cookies
  creche creches | freebie freebies | genie genies | hoodie hoodies | movie movies | newbie newbies
  niche niches | quiche quiches | rookie rookies | selfie selfies | smoothie smoothies | veggie veggies
  api apis | emoji emojis | gui guis | kiwi kiwis | kpi kpis | poi pois | rabbi rabbis | ski skis | taxi taxis
  ui uis | uri uris | wiki wikis
  bureau bureaus bureaux | caribou caribous | cpu cpus | flu flus | gpu gpus | guru gurus | haiku haikus
  menu menus | milieu milieus milieux | npu npus | pdu pdus | plateau plateaus plateaux | psu psus | sku skus
  sudoku sudokus | tpu tpus
`;

const PLURALS_OF = knownNouns();
const SINGULAR_OF = knownSingulars();

/** What no plural ends in, but for those that are known: `address`, `status`, `analysis`. */
const SINGULAR_ENDING = /(?:ss|us|sis|xis)$/;

/** Endings of words with a foreign plural, beside which a regular one is usual as well: `matrix`, `focus`, `volcano`. */
const FOREIGN_ENDING = /(?:us|um|on|a|ex|ix|[^aeiou]o)$/;

/** Every plural of a noun in lower case that is accepted, the usual one first; `sheep` is its own. */
export function pluralsOfNoun(noun: string): readonly string[] {
  const known = ending(noun, PLURALS_OF);
  if (known !== null) return known.found.map((plural) => known.before + plural);
  if (ending(noun, SINGULAR_OF) !== null) return [noun];
  const usual = pluralize.plural(noun);
  if (usual === noun && pluralize.isSingular(noun)) return [noun];
  const hasRegular = FOREIGN_ENDING.test(noun) || noun.endsWith("s");
  return hasRegular ? [...new Set([usual, ...regularPlurals(noun)])] : [usual];
}

/** The singular of a noun in lower case; of one that is none, the noun itself. */
export function singularOfNoun(noun: string): string {
  const known = ending(noun, SINGULAR_OF);
  if (known !== null) return known.before + known.found;
  return isSingularNoun(noun) ? noun : pluralize.singular(noun);
}

/** Says whether a noun in lower case is a plural; `sheep` is. */
export function isPluralNoun(noun: string): boolean {
  if (ending(noun, SINGULAR_OF) !== null) return true;
  return !isSingularNoun(noun) && pluralize.isPlural(noun);
}

function isSingularNoun(noun: string): boolean {
  return SINGULAR_ENDING.test(noun) || ending(noun, PLURALS_OF) !== null;
}

function regularPlurals(noun: string): readonly string[] {
  if (noun.endsWith("o")) return [`${noun}s`, `${noun}es`];
  return [/(?:s|x)$/.test(noun) ? `${noun}es` : `${noun}s`];
}

/** The longest ending of a word that is known; `salespeople` ends in `people`. */
function ending<T>(
  word: string,
  known: ReadonlyMap<string, T>,
): { readonly before: string; readonly found: T } | null {
  for (let start = 0; start === 0 || word.length - start >= 5; start += 1) {
    const found = known.get(word.slice(start));
    if (found !== undefined) return { before: word.slice(0, start), found };
  }
  return null;
}

function knownNouns(): ReadonlyMap<string, readonly string[]> {
  const lines = KNOWN_NOUNS.split(/[|\n]/).map((line) => line.trim().split(" "));
  return new Map(lines.map(([singular = "", ...plurals]) => [singular, plurals] as const));
}

function knownSingulars(): ReadonlyMap<string, string> {
  const singulars = new Map<string, string>();
  for (const [singular, plurals] of PLURALS_OF) {
    for (const plural of plurals) if (!singulars.has(plural)) singulars.set(plural, singular);
  }
  return singulars;
}
