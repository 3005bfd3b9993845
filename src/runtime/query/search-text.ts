/** Texts are folded here, not by a database collation, so that searches (QRY-7) match the same on every database. */

/** Put twice before each text, so that `startsWith` is a search for it; folding removes it from what clients send. */
const START = "\uE000\uE000";
/** Put after each character of scripts whose words have two characters, so that these have three as well. */
const FILLER = "\uE001";
/** Accents of Latin, Greek and Cyrillic letters; in other scripts, marks make another letter. */
const MARKS = /[\u0300-\u036F]/g;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\uE000\uE001]/gu;
/** White space without the byte order mark, which is invisible. */
const SPACES = /[^\S\uFEFF]+/g;
const PLAIN = /^[ -~]*$/;
const LARGE = /[\uD800-\uDFFF]/;
const SHORT_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC]/gu;
/** Letters that NFKD does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", þ: "th", ŧ: "t" },
  ...{ ß: "ss", ŋ: "n", ĸ: "k", ς: "σ", "“": '"', "”": '"' },
  ...{ "\u02BC": "'", "\u2018": "'", "\u2019": "'", "\u2032": "'" },
  ...{ "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-" },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
/** A search with shorter words needs one word of this length. */
const GRAM = 3;
const DENSE_WORD = 2;
const MOST_CHARACTERS = 200;

/** Removes case, accents and invisible characters; any white space becomes one space. */
export function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(SPACES, " ").trim();
  // NFKD would turn an acute accent, used as a quote, into a space.
  const seen = text.replaceAll(SPACES, " ").replaceAll(UNSEEN, "").replaceAll("\u00B4", "'");
  // Upper case turns `ß` into `SS`, and a dotless `ı` into `I`.
  const cased = withoutMarks(seen).toUpperCase().toLowerCase();
  return withoutMarks(cased)
    .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKC")
    .replaceAll(SPACES, " ")
    .trim();
}

function withoutMarks(text: string): string {
  return text.normalize("NFKD").replaceAll(MARKS, "");
}

/** Returns the stored form of searchable texts; "" if there is nothing to find. */
export function searchText(texts: string | null | undefined | readonly string[]): string {
  const all = typeof texts === "string" ? [texts] : (texts ?? []);
  const known = all.map(folded).filter((text) => text !== "");
  return known.map((text) => START + filled(text)).join(" ");
}

/** The words of a `contains`, in the stored form. */
export function searchedWords(value: string): readonly string[] {
  const words = folded(value).split(" ");
  return [...new Set(words)].filter((word) => word !== "").map(filled);
}

/** The value of a `startsWith`, in the stored form. */
export function searchedStart(value: string): string {
  return START + filled(folded(value));
}

/** Returns the reason why a value cannot be searched for, or null. */
export function unsearchable(value: string, comparison: "contains" | "startsWith"): string | null {
  const text = folded(value);
  if (text === "") return "must contain something to search for";
  if ([...text].length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  if (comparison === "startsWith") return null;
  return searchedWords(value).every(isShortWord)
    ? `must have a word of at least ${GRAM} characters (${DENSE_WORD} in Han, kana and Hangul)`
    : null;
}

/** Indexes do not contain words of fewer characters. */
export function isShortWord(word: string): boolean {
  return [...word].length < GRAM;
}

/** Lists the distinct runs of three characters in the words of a string, for the `grams` column on PostgreSQL. */
export function gramsOf(text: string): readonly string[] {
  const grams = new Set<string>();
  for (const word of text.split(" ")) {
    // Surrogate pairs are rare, and iterating by character is slow.
    const characters = LARGE.test(word) ? [...word] : null;
    for (let at = 0; at + GRAM <= (characters ?? word).length; at += 1) {
      grams.add(characters?.slice(at, at + GRAM).join("") ?? word.slice(at, at + GRAM));
    }
  }
  return [...grams];
}

function filled(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(SHORT_SCRIPTS, `$&${FILLER}`);
}
