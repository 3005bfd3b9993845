import { isFollowing } from "./word-classes.js";

/** The words of a camelCase name, as they are written: `daysOfWeek` -> `days`, `Of`, `Week`; `orderSKUs` -> `order`, `SKUs`. */
export function nameWords(name: string): readonly string[] {
  return name.match(/[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+s?(?![a-z])/g) ?? [];
}

/** Words that begin what says more about the head of a phrase: `itemsPerBox`. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    "about above across after against along among around as at before behind below between beyond by during " +
    "except for from in inside into near of off on onto outside over per since through to toward towards under " +
    "until up upon via with within without"
  ).split(" "),
);

/** The part of a phrase that decides whether the whole is a plural. */
export interface Head {
  /** What stands before its noun: `email` in `emailAddress`. */
  readonly before: string;
  /** The noun, in the letters of the name: `Address`. */
  readonly noun: string;
  /** What stands after it: `OfWeek` in `daysOfWeek`, `V2` in `tagsV2`. */
  readonly after: string;
}

/** The head noun of a camelCase phrase: the last word before a preposition, a following adjective or a version. */
export function headOf(name: string): Head {
  const words = nameWords(name);
  const phrase = lengthBeforePreposition(words);
  const numbered = lengthBeforeVersion(words.slice(0, phrase));
  const length = lengthBeforeAdjectives(words.slice(0, numbered));
  const before = words.slice(0, length - 1).join("");
  const noun = words[length - 1] ?? name;
  return { before, noun, after: name.slice(before.length + noun.length) };
}

/** `checkIn` and `passerBy` end in a preposition: only one who does something comes before it as a head. */
function lengthBeforePreposition(words: readonly string[]): number {
  const place = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word.toLowerCase()));
  if (place === -1) return words.length;
  const isLast = place === words.length - 1;
  return isLast && !/(?:er|ers|s)$/.test(words[place - 1] ?? "") ? words.length : place;
}

/** `tagsV2`, `tags2` */
function lengthBeforeVersion(words: readonly string[]): number {
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (!/^[0-9]+$/.test(last)) return words.length;
  if (words.length > 2 && /^v$/i.test(before)) return words.length - 2;
  // The digit of `mp3` belongs to the word.
  return before.length < 3 ? words.length : words.length - 1;
}

function lengthBeforeAdjectives(words: readonly string[]): number {
  let length = words.length;
  while (length > 1 && isFollowing(words[length - 1] ?? "")) length -= 1;
  return length;
}
