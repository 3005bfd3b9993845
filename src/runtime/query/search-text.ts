/** How texts are searched (QRY-7): folded alike on every database, by no collation of a server. */

/** Stands twice before each text, so that `startsWith` is a search as well; folding removes it from texts. */
const START = "\uE000\uE000";
/** Follows each character of a script that writes words in two: a word of two has three characters as well. */
const FILLER = "\uE001";
/** Marks of Latin, Greek and Cyrillic letters; those of other scripts are letters to their readers. */
const MARKS = /[\u0300-\u036F]/g;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\uE000\uE001]/gu;
/** All but the mark of a file's beginning, which cannot be seen. */
const SPACES = /[^\S\uFEFF]+/g;
const PLAIN = /^[ -~]*$/;
const LARGE = /[\uD800-\uDFFF]/;
const SHORT_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC]/gu;
/** What NFKD takes for letters of their own. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", þ: "th", ŧ: "t" },
  ...{ ß: "ss", ŋ: "n", ĸ: "k", ς: "σ", "“": '"', "”": '"' },
  ...{ "\u02BC": "'", "\u2018": "'", "\u2019": "'", "\u2032": "'" },
  ...{ "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-" },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
/** A word of a search has as many characters, or it is found only beside one that has. */
const GRAM = 3;
const DENSE_WORD = 2;
const MOST_CHARACTERS = 200;

/** A text without case, accents and what cannot be seen; any white space is one space. */
export function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(SPACES, " ").trim();
  // NFKD would make a space of an acute accent that stands for a quote.
  const seen = text.replaceAll(SPACES, " ").replaceAll(UNSEEN, "").replaceAll("\u00B4", "'");
  // Upper case first: it makes `SS` of `ß`, and `I` of a dotless `ı`.
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

/** What stands in the store for texts that are searched; "" where there is nothing to find. */
export function searchText(texts: string | null | undefined | readonly string[]): string {
  const all = typeof texts === "string" ? [texts] : (texts ?? []);
  const known = all.map(folded).filter((text) => text !== "");
  return known.map((text) => START + filled(text)).join(" ");
}

/** The words of a value for `contains`, as they stand in the store. */
export function searchedWords(value: string): readonly string[] {
  const words = folded(value).split(" ");
  return [...new Set(words)].filter((word) => word !== "").map(filled);
}

/** The value of `startsWith`, likewise. */
export function searchedStart(value: string): string {
  return START + filled(folded(value));
}

/** Why nothing can be searched for a value; null: it can. */
export function unsearchable(value: string, comparison: "contains" | "startsWith"): string | null {
  const text = folded(value);
  if (text === "") return "must contain something to search for";
  if ([...text].length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  if (comparison === "startsWith") return null;
  return searchedWords(value).every(isShort)
    ? `must have a word of at least ${GRAM} characters (${DENSE_WORD} in Han, kana and Hangul)`
    : null;
}

/** Whether an index knows nothing of a word. */
export function isShort(word: string): boolean {
  return [...word].length < GRAM;
}

/** Each three characters that follow each other in a word: what an index of PostgreSQL holds. */
export function gramsOf(text: string): readonly string[] {
  const grams = new Set<string>();
  for (const word of text.split(" ")) {
    // A character that takes two places in a string is rare.
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
