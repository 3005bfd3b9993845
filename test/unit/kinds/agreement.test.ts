import fc from "fast-check";
import { expect, test } from "vitest";
import { COUNTRY_CODES, CURRENCY_CODES } from "#runtime/input/text";
import { kindOf } from "../../../src/kinds/kinds.js";
import type { Value } from "../../../src/kinds/property-model.js";
import type { PropertyYaml } from "../../../src/kinds/property-yaml.js";
import { cases } from "../../support/thorough.js";
import { mistakeOf, readAs, typeOf } from "./one-kind.js";

const RUNS = { numRuns: cases({ usual: 1000, long: 3000 }) };

/** What texts of the forms are made of, and what they must not contain. */
const PIECES = [
  ..."aZ09.-@:%/?#[]_+!~' \0é😀\ud800",
  ...[
    "::",
    "com",
    "example",
    "fe80",
    "eth0",
    "192.0.2.1",
    "256",
    "https://",
    "mailto:",
    "%41",
    "%4",
  ],
  ...["2024", "02", "29", "30", "T", "Z", "23:59:59.999", "0190b5a4-7c3e-7abc-8def-0123456789ab"],
];

const DAY = fc.date({
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});

const REAL = fc.oneof(
  fc.emailAddress(),
  fc.domain(),
  fc.ipV4(),
  fc.ipV6(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.uuid(),
  DAY.map((date) => date.toISOString()),
  DAY.map((date) => date.toISOString().slice(0, 10)),
  DAY.map((date) => date.toISOString().slice(11, 19)),
  fc.constantFrom(...CURRENCY_CODES),
  fc.constantFrom(...COUNTRY_CODES),
  fc.stringMatching(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/),
  fc.stringMatching(/^P([1-9]D)?(T[0-9]{1,2}M)?$/),
  fc.constantFrom(
    ...["EUR", "eur", "SE", "XX", "pt-BR", "zh-Hant-TW", "07:30", "24:00:00", "P1DT2H", "P1H"],
    "a@b",
    "-a-",
    "fe80::1%eth0",
    "2023-02-29",
    "0000-01-01",
    "0190B5A4-7C3E-7ABC-8DEF-0123456789AB",
  ),
);

/** A text that is of some form, or was before a piece of it was changed, or never was. */
const TEXT = fc.oneof(
  REAL,
  fc
    .tuple(REAL, fc.nat(40), fc.constantFrom(...PIECES))
    .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1)),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const DECIMAL = fc.oneof(
  fc.stringMatching(/^-?0{0,3}\d{0,19}\.?\d{0,14}$/),
  fc.double({ noNaN: true }),
  fc.integer(),
  TEXT,
);
const NUMBER = fc.oneof(
  fc.double(),
  fc.integer({ min: -40, max: 40 }),
  fc.integer(),
  fc.constantFrom(-0, 0.07, 2 ** 53, 1e300),
);
const ANY = fc.oneof(TEXT, NUMBER, fc.boolean(), fc.constant([]), fc.constant({}));

const FORMATS = [
  ...(["email", "uri", "hostname", "ipv4", "ipv6", "date"] as const),
  ...(["currencyCode", "countryCode", "languageTag", "time", "duration"] as const),
];

const CASES: readonly { name: string; property: PropertyYaml; values: fc.Arbitrary<unknown> }[] = [
  ...FORMATS.map((format) => ({
    name: format,
    property: { type: "string", format } as const,
    // More of those that are of some form: few random addresses are of IPv6.
    values: fc.oneof(TEXT, REAL),
  })),
  {
    name: "a text with bounds",
    property: { type: "string", minLength: 2, maxLength: 6 },
    values: TEXT,
  },
  {
    name: "a text with a pattern",
    property: { type: "string", pattern: "^[a-z.-]+$" },
    values: TEXT,
  },
  { name: "a timestamp", property: "timestamp", values: TEXT },
  { name: "a UUID", property: "uuid", values: TEXT },
  {
    name: "an enum",
    property: { enum: ["open", "closed"] },
    values: fc.oneof(ANY, fc.constantFrom("open", "Open", "toString")),
  },
  { name: "a boolean", property: "boolean", values: ANY },
  { name: "an integer", property: "integer", values: fc.oneof(NUMBER, ANY) },
  {
    name: "an integer with bounds",
    property: { type: "integer", minimum: -5, exclusiveMaximum: 30, multipleOf: 5 },
    values: NUMBER,
  },
  { name: "a number", property: "number", values: fc.oneof(NUMBER, ANY) },
  {
    name: "a number with bounds",
    property: { type: "number", exclusiveMinimum: 0, maximum: 20.5, multipleOf: 0.01 },
    values: fc.oneof(
      NUMBER,
      fc.integer({ min: 0, max: 3000 }).map((n) => n / 100),
    ),
  },
  { name: "a decimal", property: { type: "decimal", scale: 2 }, values: DECIMAL },
  { name: "a decimal of 12 places", property: { type: "decimal", scale: 12 }, values: DECIMAL },
  {
    name: "a decimal with bounds",
    property: {
      type: "decimal",
      scale: 2,
      minimum: "-1.5",
      exclusiveMaximum: 30,
      multipleOf: "0.25",
    },
    values: fc.oneof(
      DECIMAL,
      fc.integer({ min: -300, max: 4000 }).map((n) => (n / 100).toFixed(2)),
    ),
  },
  {
    name: "a list of decimals",
    property: {
      type: "array",
      items: { type: "decimal", scale: 1 },
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    },
    values: fc.array(fc.constantFrom("1", "1.0", "01", 1, "2.5", "2.55", 2.5), { maxLength: 4 }),
  },
  {
    name: "a list of texts",
    property: { type: "array", items: { type: "string", format: "hostname" } },
    values: fc.oneof(fc.array(TEXT, { maxLength: 3 }), ANY),
  },
];

test.each(CASES)("a schema and a service agree on what $name is", ({ property, values }) => {
  const type = typeOf(property);
  let accepted = 0;
  fc.assert(
    fc.property(values, (value) => {
      const mistake = mistakeOf(value, property);
      if (mistake === null) {
        accepted += 1;
        // What the schema gives, the service would have read, and left as it is.
        const kept = kindOf(type).normaliseValue(value as Value, type);
        expect(readAs(kept, type)).toEqual(kept);
      } else {
        // What the service reads and leaves as it is, a schema may give.
        expect(readAs(value as Value, type)).not.toStrictEqual(value);
      }
    }),
    RUNS,
  );
  expect(accepted).toBeGreaterThan(RUNS.numRuns / 150);
});
