import fc from "fast-check";
import { expect, test } from "vitest";

import { COUNTRY_CODES, CURRENCY_CODES, FORMATS, type TextFormat } from "#runtime/input/text";

interface Samples {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

/** Younger than the tables of some releases of Node. */
const YOUNG = ["XAD", "XCG", "ZWG"];

const LABEL_63 = "a".repeat(63);

const SAMPLES: Readonly<Record<TextFormat, Samples>> = {
  currencyCode: {
    valid: ["EUR", "USD", "JPY", "XAU", "ZAR"],
    invalid: ["", "eur", "EU", "EURO", "EUR ", "EUR\n", "AAA", "DEM", "EUR|USD"],
  },
  countryCode: {
    valid: ["SE", "NO", "GB", "ZW"],
    invalid: ["", "se", "S", "SWE", "UK", "EU", "XX", "ZZ", "SE ", "AD|AE"],
  },
  languageTag: {
    valid: [
      ...["en", "ast", "pt-BR", "es-419", "zh-Hant", "zh-Hant-TW", "english"],
      ...["de-CH-1996", "sl-rozaj-biske-1994", "zh-cmn-Hans-CN", "hy-Latn-IT-arevela"],
      ...["de-CH-x-phonebk", "en-US-u-islamcal", "zh-CN-a-myext-x-private", "ar-a-aaa-b-bbb-a-ccc"],
      ...["x-klingon", "x-whatever", "i-klingon", "en-GB-oed", "sgn-BE-FR", "art-lojban"],
    ],
    invalid: [
      "",
      "EN",
      "e",
      "a-DE",
      "de-419-DE",
      "de-1996-CH-",
      "en-a",
      "en-a-x",
      "x",
      "x-toolongsub",
      "englishes",
      "pt_BR",
      "pt-br",
      "zh-hant",
      "en-",
    ],
  },
  time: {
    valid: ["00:00", "23:59", "07:30:00", "23:59:59"],
    invalid: [
      "",
      "24:00",
      "7:30",
      "07:60",
      "07:30:60",
      "0730",
      "07:30Z",
      "07:30+01:00",
      "07:30:00.5",
    ],
  },
  duration: {
    valid: ["PT0S", "P1D", "P2W", "PT36H", "PT5S", "PT1H5S", "P1Y2M3DT4H5M6.5S", "P999999999Y"],
    invalid: [
      ...[
        "",
        "P",
        "PT",
        "P1",
        "1D",
        "P1H",
        "PT1D",
        "P1W2D",
        "P-1D",
        "-P1D",
        "p1d",
        "P1DT",
        "PT.5S",
      ],
      ...["P1.5D", "P1M1Y", "P1234567890D", " P1D", "P1D\n"],
    ],
  },
  email: {
    valid: [
      "name@example.com",
      "first.last+tag@sub.example.co.uk",
      "o'neil@example.org",
      "a@b.c",
      `${"a".repeat(64)}@example.com`,
      "NAME@EXAMPLE.COM",
    ],
    invalid: [
      "a@b",
      "a@b..c",
      "a@-b.c",
      "a@b-.c",
      '"a b"@c.d',
      "a b@c.d",
      "@c.d",
      "a@",
      "a",
      "a@@c.d",
      "a@b@c.d",
      ".a@c.d",
      "a.@c.d",
      "a..b@c.d",
      "a@.c.d",
      "a@c.d.",
      "a@c.1",
      "a@[192.0.2.1]",
      "a@exämple.com",
      "a@c.d\n",
      "a(comment)@c.d",
      `${"a".repeat(65)}@example.com`,
      `a@${LABEL_63}.${LABEL_63}.${LABEL_63}.${"b".repeat(61)}`,
      `a@${"b".repeat(64)}.com`,
    ],
  },
  uri: {
    valid: [
      "https://example.com",
      "https://user:pass@example.com:8443/a/b;c=1?q=%20x&y#frag",
      "http://[2001:db8::1]:80/",
      "mailto:name@example.com",
      "urn:isbn:0451450523",
      "tel:+1-201-555-0123",
      "https://example.com/~a/(b)!*'",
    ],
    invalid: [
      "",
      "example.com",
      "/path",
      "//example.com/path",
      "http://",
      "https://exa mple.com",
      "https://example.com/a b",
      "https://example.com/%zz",
      "https://example.com/ä",
      "https://example.com/<a>",
      "https://example.com\\a",
      "https://example.com:99999/",
      "https://example.com/[a]",
      "https://example.com/#a#b",
      "https://[::1/",
      "foo://a:b:c/",
      "foo://a@b@c/",
      "1http://example.com",
      "https://example.com\n",
      " https://example.com",
    ],
  },
  hostname: {
    valid: [
      "example.com",
      "localhost",
      "a",
      "a-b.c-d",
      "xn--bcher-kva.example",
      LABEL_63,
      "1.example",
    ],
    invalid: [
      "",
      "-a.com",
      "a-.com",
      "a..b",
      ".a",
      "a.",
      "a_b.com",
      "a b",
      "bücher.example",
      "a".repeat(64),
      Array(64).fill("abcd").join("."),
      "example.com\n",
    ],
  },
  ipv4: {
    valid: ["0.0.0.0", "192.0.2.1", "255.255.255.255"],
    invalid: ["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.4 ", "0x1.2.3.4", "::1"],
  },
  ipv6: {
    valid: ["::", "::1", "2001:db8::1", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8"],
    invalid: ["", "1::2::3", "12345::", "fe80::1%eth0", "1:2:3:4:5:6:7:8:9", "[::1]", "192.0.2.1"],
  },
  date: {
    valid: ["2024-02-29", "0001-01-01", "9999-12-31"],
    invalid: ["2023-02-29", "2024-13-01", "2024-1-1", "20240101", "2024-01-01T00:00:00.000Z", ""],
  },
};

const cases = (which: keyof Samples) =>
  Object.entries(SAMPLES).flatMap(([format, samples]) =>
    // The keys of SAMPLES are formats.
    samples[which].map((text) => ({ format: format as TextFormat, text })),
  );

test.each(cases("valid"))("$text is of format $format", ({ format, text }) => {
  expect(FORMATS[format].matches(text)).toBe(true);
});

test.each(cases("invalid"))("$text is not of format $format", ({ format, text }) => {
  expect(FORMATS[format].matches(text)).toBe(false);
});

test("every web address is a URI, every mail address an email, every domain a host name", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      expect(FORMATS.uri.matches(url)).toBe(true);
    }),
  );
  fc.assert(fc.property(fc.emailAddress(), (email) => FORMATS.email.matches(email)));
  fc.assert(fc.property(fc.domain(), (domain) => FORMATS.hostname.matches(domain)));
  fc.assert(fc.property(fc.ipV6(), (address) => FORMATS.ipv6.matches(address)));
});

test.each(Object.keys(SAMPLES).map((format) => ({ format: format as TextFormat })))(
  "$format is decided at once for a text of 100,000 characters",
  ({ format }) => {
    for (const piece of ["a", "0", "a.", "a@", "1:", "http://a", "a-", "%41", ":", "/", "@"]) {
      FORMATS[format].matches(`${piece.repeat(100_000)}!`);
      FORMATS[format].matches(`http://${piece.repeat(50_000)}\n`);
    }
  },
);

test("every code is one that ICU has a name for, but for those without one", () => {
  const currencies = new Intl.DisplayNames("en", { type: "currency", fallback: "none" });
  const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const unnamed = CURRENCY_CODES.filter((code) => currencies.of(code) === undefined);
  expect(unnamed.filter((code) => !YOUNG.includes(code))).toEqual([]);
  expect(COUNTRY_CODES.filter((code) => countries.of(code) === undefined)).toEqual([]);
  expect(COUNTRY_CODES.length).toBe(249);
  for (const codes of [CURRENCY_CODES, COUNTRY_CODES]) {
    expect(codes).toEqual([...new Set(codes)].sort());
  }
});
