/** What counts up in a text, most of it first: its last digits, else the letters at its end. */
const COUNTERS = [
  { place: /\d{1,3}(?=\D*$)/, letters: "0123456789" },
  { place: /[A-Z]{1,2}$/, letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZ" },
  { place: /[a-z]{1,2}$/, letters: "abcdefghijklmnopqrstuvwxyz" },
];

/** The text so many turns after one, of the same length; after the last one, the first comes again. Itself where nothing counts up. */
export function countedText(text: string, turn: number): string {
  const counter = COUNTERS.find(({ place }) => place.test(text));
  if (counter === undefined) return text;
  return text.replace(counter.place, (start) => following(start, counter.letters, turn));
}

/** Each place goes through the letters. */
function following(start: string, letters: string, turn: number): string {
  const base = letters.length;
  const first = [...start].reduce((sum, letter) => sum * base + letters.indexOf(letter), 0);
  const place = first + turn;
  const places = [...start].map((_, index) => Math.floor(place / base ** index) % base);
  return places
    .reverse()
    .map((at) => letters.charAt(at))
    .join("");
}
