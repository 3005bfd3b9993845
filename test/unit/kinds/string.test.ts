import { testKind } from "./kind-table.js";
import { FORMATS } from "#runtime/input/text";

const email = { type: "string", format: "email" } as const;
const code = { type: "string", minLength: 2, pattern: "^[a-z]+$" } as const;
const short = { type: "string", minLength: 2, maxLength: 3 } as const;

testKind({
  name: "string",
  models: [
    { yaml: "string", want: { minLength: 0, maxLength: 10_000, pattern: null, format: null } },
    { yaml: email, want: { minLength: 0, maxLength: 254, pattern: null, format: "email" } },
    { yaml: code, want: { minLength: 2, maxLength: 10_000, pattern: "^[a-z]+$", format: null } },
    { yaml: short, want: { minLength: 2, maxLength: 3, pattern: null, format: null } },
  ],
  good: [
    { yaml: "string", value: " white space stays " },
    { yaml: short, value: "😀😀😀" },
    { yaml: code, value: "abc" },
    { yaml: email, value: "desk@example.com" },
    { yaml: { type: "string", format: "hostname" }, value: "localhost" },
    { yaml: { type: "string", format: "ipv6" }, value: "fe80::1" },
    { yaml: { type: "string", format: "currencyCode" }, value: "EUR" },
    { yaml: { type: "string", format: "duration" }, value: "PT1H30M" },
  ],
  bad: [
    { yaml: "string", value: 7, want: "SCH-15: The default 7 is not a string." },
    {
      yaml: "string",
      value: " ",
      want: "SCH-94: The default is an empty string, which is stored as null.",
    },
    {
      yaml: "string",
      value: "a\ud800",
      want: 'SCH-131: The default "a\\ud800" contains a character that cannot be stored.',
    },
    { yaml: short, value: "a", want: "SCH-95: The default has 1 characters, but minLength is 2." },
    {
      yaml: short,
      value: "😀😀😀😀",
      want: "SCH-95: The default has 4 characters, but maxLength is 3.",
    },
    { yaml: code, value: "ABC", want: 'SCH-97: The default "ABC" does not match the pattern.' },
    {
      yaml: email,
      value: "a@b",
      want: 'SCH-96: The default "a@b" does not have the format email.',
    },
    {
      yaml: { type: "string", format: "hostname" },
      value: "-a-",
      want: 'SCH-96: The default "-a-" does not have the format hostname.',
    },
    {
      yaml: { type: "string", format: "ipv6" },
      value: "fe80::1%eth0",
      want: 'SCH-96: The default "fe80::1%eth0" does not have the format ipv6.',
    },
    {
      yaml: { type: "string", format: "date" },
      value: "2023-02-29",
      want: 'SCH-96: The default "2023-02-29" does not have the format date.',
    },
    {
      yaml: { type: "string", format: "countryCode" },
      value: "UK",
      want: 'SCH-96: The default "UK" does not have the format countryCode.',
    },
    {
      yaml: { type: "string", format: "time" },
      value: "24:00",
      want: 'SCH-96: The default "24:00" does not have the format time.',
    },
  ],
  mistakes: [
    { yaml: short, want: [] },
    {
      yaml: { type: "string", minLength: 5, maxLength: 3 },
      want: ["minLength: SCH-13 No value satisfies both minLength 5 and maxLength 3."],
    },
  ],
  schemas: [
    { yaml: "string", want: { type: "string", maxLength: 10_000 } },
    {
      yaml: { ...email, maxLength: 300 },
      want: { type: "string", maxLength: 254, format: "email" },
    },
    {
      yaml: { type: "string", format: "languageTag" },
      want: {
        type: "string",
        maxLength: 255,
        pattern: FORMATS.languageTag.pattern,
        description: "a language tag of BCP 47, such as en or pt-BR",
      },
    },
    {
      yaml: { type: "string", format: "time", pattern: ":00$" },
      want: {
        type: "string",
        maxLength: 8,
        pattern: ":00$",
        allOf: [{ pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$" }],
        description: "a time of day in the form HH:mm or HH:mm:ss",
      },
    },
    { yaml: code, want: { type: "string", minLength: 2, maxLength: 10_000, pattern: "^[a-z]+$" } },
  ],
  described: [
    { yaml: short, want: "text, 2 to 3 characters" },
    { yaml: code, want: "text, 2 to 10000 characters, matches ^[a-z]+$" },
    { yaml: email, want: "email, at most 254 characters" },
    {
      yaml: { type: "string", format: "countryCode", pattern: "^S" },
      want: "a two-letter country code of ISO 3166-1, such as SE, matches ^S",
    },
  ],
  code: [
    {
      yaml: code,
      want: {
        type: "string",
        reader: "text({ minLength: 2, maxLength: 10000, pattern: /^[a-z]+$/u })",
        filter: "textFilter()",
        column: "value: text",
        encode: "ticket.value",
        "encode?": "ticket.value",
        decode: "textOf(row.value)",
        "decode?": "textOrNull(row.value)",
        bind: null,
        write: "quoteOrNull(ticket.value)",
      },
    },
  ],
  filters: [
    { yaml: short, text: "longer than any value", want: { value: "longer than any value" } },
    { yaml: "string", text: "\0", want: "must not contain the character NUL" },
  ],
});
