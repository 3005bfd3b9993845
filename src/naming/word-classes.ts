/** Adjectives that can follow what they describe: `daysOpen`. */
const FOLLOWING = wordSet(`
  absent active ahead ago alive applicable available away due eligible general inactive inclusive kept left lost made
  missing old open overdue owing paid pending present remaining sent shown sold spent taken unpaid unread valid worn
  written
`);

/** Adjectives that are not nouns as well, as `favourite` is. */
const ADJECTIVES = wordSet(`
  active available big closed delivered enabled expired global hidden inactive internal invalid large latest
  local missing new next old open optional overdue paid pending popular previous private public recent secure small
  sold unavailable unpaid valid visible
`);

/** Verbs that are not nouns as well, as `update` and `search` are. */
const VERBS = wordSet(`
  activate add allocate apply approve assign authenticate authorize begin calculate cancel choose compute confirm
  create deactivate decide decrypt delete deliver deploy destroy determine disable enable encrypt enter evaluate
  execute fetch generate get include inspect invoke manage modify notify obtain perform prepare provide publish
  receive redeem remove renew resend resolve respond restore retrieve revoke sell send serve solve specify
  submit subscribe suspend terminate translate unassign unlock unpublish unregister unsubscribe validate verify
  withdraw write
`);

/** Nouns that end like a participle. */
const NOUNS_IN_ED = wordSet(`
  bed biped bleed breed creed deed embed feed flatbed greed hundred moped need quadruped reed seabed seed shed shred
  sled speed steed watershed weed
`);

/** Says whether a word can follow the noun that it describes: `Ordered` in `itemsOrdered`. */
export function isFollowing(word: string): boolean {
  const lower = word.toLowerCase();
  return FOLLOWING.has(lower) || isParticiple(lower);
}

/** Says whether a word in lower case is an adjective, and not a noun as well: `active`, `archived`. */
export function isAdjective(word: string): boolean {
  return ADJECTIVES.has(word) || isParticiple(word);
}

/** Says whether a word in lower case is a verb, and no noun as well. */
export function isVerb(word: string): boolean {
  return VERBS.has(word);
}

function isParticiple(word: string): boolean {
  return /[a-z]{2}ed$/.test(word) && !NOUNS_IN_ED.has(word) && !word.endsWith("feed");
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
