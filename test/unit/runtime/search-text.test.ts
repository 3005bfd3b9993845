import fc from "fast-check";
import { expect, test } from "vitest";
import {
  folded,
  gramsOf,
  searchText,
  searchedStart,
  searchedWords,
  unsearchable,
} from "#runtime/query/search-text";

test.each([
  ["Straße ẞ", "strasse ss"],
  ["İstanbul ısı", "istanbul isi"],
  ["Łódź Đorđe Ærø Œuvre", "lodz dorde aero oeuvre"],
  ["ΟΔΟΣ ὁδός", "οδοσ οδοσ"],
  ["Ёлка й", "елка и"],
  ["ﾊﾟ ガ か", "パ ガ か"],
  ["हिन्दी ภาษาไทย", "हिन्दी ภาษาไทย"],
  ["ﬁne ①", "fine 1"],
  ["so\u00adft\u200b \t\n  hyphen\uE000", "soft hyphen"],
  ["rock´n ’roll \u2032 “x” a\u2013b", "rock'n 'roll ' \"x\" a-b"],
  ["smith \u200b muller zz\ufeffyy", "smith muller zzyy"],
  ["か\u200d\u3099 \u1100\u200b\u1161", "が 가"],
  ["100% _x_ 'q' \"z\"", "100% _x_ 'q' \"z\""],
])("%j is folded to %j", (text, wanted) => {
  expect(folded(text)).toBe(wanted);
});

/** Any character, and those that join, stay, fold or cannot be seen. */
const unit = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  fc.constantFrom(..."\u200b\u200d\ufeff\u3099\u0301\u1100\u1161\u00b4\u00a8\u0345 \t\uE000"),
);

test("what is folded stays as it is, and case makes no difference", () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
      expect(folded(folded(text))).toBe(folded(text));
      expect(folded(text.toLowerCase())).toBe(folded(text));
    }),
    { numRuns: 2000 },
  );
});

test("each word of three characters, or two of a script that writes short ones, has a gram", () => {
  expect(gramsOf(searchText("ab"))).toEqual(["\uE000\uE000a", "\uE000ab"]);
  expect(searchedWords("東京").flatMap(gramsOf)).toHaveLength(2);
  expect(gramsOf(searchedStart("a"))).toEqual(["\uE000\uE000a"]);
  expect([searchText(null), searchText([]), searchText(["", "\u0301"])]).toEqual(["", "", ""]);
});

test.each([
  ["", "contains", "must contain something to search for"],
  ["ab", "contains", "must have a word of at least 3 characters (2 in Han, kana and Hangul)"],
  ["東", "contains", "must have a word of at least 3 characters (2 in Han, kana and Hangul)"],
  ["abc", "contains", null],
  ["東京 한국 かな", "contains", null],
  ["a", "startsWith", null],
  ["x".repeat(200), "contains", null],
  ["x".repeat(201), "startsWith", "must have at most 200 characters"],
] as const)("%j for %s: %j", (value, comparison, wanted) => {
  expect(unsearchable(value, comparison)).toBe(wanted);
});
