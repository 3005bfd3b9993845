import { digits, stepOf, type Seed } from "../../samples/seed.js";
import type { Samples } from "../kind-samples.js";
import type { StringFormat } from "./string-type.js";

/** What the generator knows of a form of text; which texts have it, the kernel says. */
export interface TextForm {
  /** No text of the form needs more characters: RFC 5321 4.5.3.1.3, RFC 1035 2.3.4, and the longest addresses. */
  readonly longest: number;
  readonly samples: Samples;
  /** A text that stays of the form with other digits; a day of the calendar does not. */
  readonly countable: string | null;
  /** Texts of the form, the longest first. */
  readonly seeded: (seed: Seed, word: string) => readonly string[];
}

/** Every form of text, by its name in a schema. */
export const TEXT_FORMS: Readonly<Record<StringFormat, TextForm>> = {
  email: {
    longest: 254,
    samples: { valid: ["desk@example.com"], invalid: ["desk", "desk@example..com"] },
    countable: "desk.100@example.com",
    seeded: (seed, word) => [
      `verify.${long(seed, word)}@example.com`,
      `${short(seed, word)}@a.io`,
      "a@b.co",
    ],
  },
  uri: {
    longest: 2048,
    samples: {
      valid: ["https://example.com/a?b=c"],
      invalid: ["example.com", "https://exa mple.com"],
    },
    countable: "https://example.com/100",
    seeded: (seed, word) => [
      `https://example.com/verify/${long(seed, word)}`,
      `http://a/${short(seed, word)}`,
      `a:${short(seed, word)}`,
    ],
  },
  hostname: {
    longest: 253,
    samples: { valid: ["api.example.com"], invalid: ["-api.example.com", "api..example.com"] },
    countable: "host-100.example.com",
    seeded: (seed, word) => [
      `verify-${long(seed, word)}.example.com`,
      `h${short(seed, word)}`,
      "h",
    ],
  },
  ipv4: {
    longest: 15,
    samples: { valid: ["192.0.2.1"], invalid: ["192.0.2.256", "192.0.02.1"] },
    countable: "192.0.2.100",
    seeded: (seed, word) => [`10.${bytes(digits(seed, word)).join(".")}`],
  },
  ipv6: {
    longest: 45,
    samples: { valid: ["2001:db8::1"], invalid: ["2001:db8::1::2", "192.0.2.1"] },
    countable: "2001:db8::100",
    seeded: (seed, word) => [`2001:db8::${Number.parseInt(short(seed, word), 16).toString(16)}`],
  },
  date: {
    longest: 10,
    samples: { valid: ["2024-02-29"], invalid: ["2023-02-29", "29.02.2024"] },
    countable: null,
    seeded: (seed) => [
      `20${20 + stepOf(seed, 10)}-0${1 + stepOf(seed, 9)}-${10 + stepOf(seed, 18)}`,
    ],
  },
};

function long(seed: Seed, word: string): string {
  return digits(seed, word).slice(0, 12);
}

function short(seed: Seed, word: string): string {
  return digits(seed, word).slice(0, 4);
}

function bytes(hex: string): number[] {
  return [0, 2, 4].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
}
