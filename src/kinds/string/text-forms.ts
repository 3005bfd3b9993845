import { COUNTRY_CODES, CURRENCY_CODES, FORMATS } from "#runtime/input/text";
import { digits, stepOf, type Seed } from "../../samples/seed.js";
import type { Samples } from "../kind-samples.js";
import type { StringFormat } from "./string-type.js";

/** What the generator knows of a form of text; which texts have it, the runtime says. */
export interface TextForm {
  /** No text of the form needs more characters: RFC 5321 4.5.3.1.3, RFC 1035 2.3.4, the longest addresses, and nine digits for each number of a duration. A language tag has no longest: this is far above the 35 of RFC 5646 4.4.1. */
  readonly longest: number;
  /** What others call it, in lower case. */
  readonly synonyms: readonly string[];
  readonly samples: Samples;
  /** Texts of the form, the longest first. */
  readonly seeded: (seed: Seed, word: string) => readonly string[];
}

/** Every form of text, by its name in a schema. */
export const TEXT_FORMS: Readonly<Record<StringFormat, TextForm>> = {
  email: {
    longest: 254,
    synonyms: ["mail", "emailaddress"],
    samples: { valid: ["desk@example.com"], invalid: ["desk", "desk@example..com"] },
    seeded: (seed, word) => [
      `verify.${long(seed, word)}@example.com`,
      `${short(seed, word)}@a.io`,
      "a@b.co",
    ],
  },
  uri: {
    longest: 2048,
    synonyms: ["url", "link"],
    samples: {
      valid: ["https://example.com/a?b=c"],
      invalid: ["example.com", "https://exa mple.com"],
    },
    seeded: (seed, word) => [
      `https://example.com/verify/${long(seed, word)}`,
      `http://a/${short(seed, word)}`,
      `a:${short(seed, word)}`,
    ],
  },
  hostname: {
    longest: 253,
    synonyms: ["host", "domain"],
    samples: { valid: ["api.example.com"], invalid: ["-api.example.com", "api..example.com"] },
    seeded: (seed, word) => [
      `verify-${long(seed, word)}.example.com`,
      `h${short(seed, word)}`,
      "h",
    ],
  },
  ipv4: {
    longest: 15,
    synonyms: ["ip", "ipaddress"],
    samples: { valid: ["192.0.2.1"], invalid: ["192.0.2.256", "192.0.02.1"] },
    seeded: (seed, word) => [`10.${bytes(digits(seed, word)).join(".")}`],
  },
  ipv6: {
    longest: 45,
    synonyms: [],
    samples: { valid: ["2001:db8::1"], invalid: ["2001:db8::1::2", "192.0.2.1"] },
    seeded: (seed, word) => [`2001:db8::${Number.parseInt(short(seed, word), 16).toString(16)}`],
  },
  currencyCode: {
    longest: 3,
    synonyms: ["currency"],
    samples: { valid: ["EUR", "JPY"], invalid: ["eur", "EURO", "XQQ"] },
    seeded: (seed) => [chosen(CURRENCY_CODES, seed)],
  },
  countryCode: {
    longest: 2,
    synonyms: ["country"],
    samples: { valid: ["SE", "NO"], invalid: ["se", "SWE", "XX"] },
    seeded: (seed) => [chosen(COUNTRY_CODES, seed)],
  },
  languageTag: {
    longest: 255,
    synonyms: ["language", "locale"],
    samples: { valid: ["en", "pt-BR", "de-CH-1996"], invalid: ["EN", "pt_BR", "en-"] },
    seeded: (seed) => [`en-${chosen(COUNTRY_CODES, seed)}`, chosen(["en", "sv", "pt", "ja"], seed)],
  },
  time: {
    longest: 8,
    synonyms: ["timeofday", "localtime"],
    samples: { valid: ["00:00", "23:59:59"], invalid: ["24:00", "7:30", "12:60", "12:00Z"] },
    seeded: (seed) => {
      const time = new Date(stepOf(seed, 86_400) * 1000).toISOString();
      return [time.slice(11, 19), time.slice(11, 16)];
    },
  },
  duration: {
    longest: 72,
    synonyms: ["interval", "timespan"],
    samples: {
      valid: ["PT1H30M", "P14D", "P2W", "P1Y2M3DT4H5M6.5S"],
      invalid: ["P", "PT", "P1H", "1D", "P1W2D"],
    },
    seeded: (seed) => [`PT${stepOf(seed, 100_000)}M`, `P${stepOf(seed, 10)}D`],
  },
  date: {
    longest: 10,
    synonyms: ["day", "localdate"],
    samples: { valid: ["2024-02-29"], invalid: ["2023-02-29", "29.02.2024"] },
    seeded: (seed) => [
      `20${20 + stepOf(seed, 10)}-0${1 + stepOf(seed, 9)}-${10 + stepOf(seed, 18)}`,
    ],
  },
};

/** The closed form that all of some values have: that of country codes, for example; null for values of one's own. */
export function closedFormOf(values: readonly unknown[]): StringFormat | null {
  const isOf = (format: StringFormat): boolean =>
    values.every((value) => typeof value === "string" && FORMATS[format].matches(value));
  return formats().find((format) => FORMATS[format].pattern !== undefined && isOf(format)) ?? null;
}

/** The form that a word of other languages means: `currencyCode` for `currency`. */
export function formMeant(word: string): StringFormat | null {
  const isMeant = (format: StringFormat): boolean =>
    format === word || TEXT_FORMS[format].synonyms.includes(word.toLowerCase());
  return formats().find(isMeant) ?? null;
}

function formats(): readonly StringFormat[] {
  // The keys of the table are the formats.
  return Object.keys(TEXT_FORMS) as StringFormat[];
}

function chosen(texts: readonly string[], seed: Seed): string {
  return texts[stepOf(seed, texts.length)] ?? "";
}

function long(seed: Seed, word: string): string {
  return digits(seed, word).slice(0, 12);
}

function short(seed: Seed, word: string): string {
  return digits(seed, word).slice(0, 4);
}

function bytes(hex: string): number[] {
  return [0, 2, 4].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
}
