import { MISSING, WIDGETS } from "./samples.js";

/** One more request of a kind that the corpus names, and the status that the rules give it. */
export interface Variant {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const paths = ["v0", "V1", "v01", "v999", "v1.0", "1", "latest", "v1%20", "v1;x=1"].map(
  (version) => ({
    ...{ what: `version ${version}`, method: "GET", path: `/api/${version}/widgets`, status: 404 },
  }),
);

const identifiers = [
  ...["urn:uuid:", "%7B", "0x1", "-1", "1e3", "99999999999999999999", "NaN", "null", "undefined"],
  ...["%00", "%ff", "%2e%2e", "..;", "*", "_", "__proto__", "toString", "recentlyclosed", "%C2%B2"],
  ...[MISSING.replaceAll("-", ""), `${MISSING}%0a`, `${MISSING}/`, `${MISSING}.json`],
].map((id) => ({
  ...{ what: `identifier ${id}`, method: "GET", path: `${WIDGETS}/${id}`, status: 404 },
}));

const types = [
  ...["", "application", "application/jsonx", "application/vnd.api+json", "text/json", "*/*"],
  ...[
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/x-www-form-urlencoded",
  ],
].map((type) => ({
  ...{ what: `Content-Type ${type || "none"}`, body: { name: "a" }, status: 415 },
  headers: { "content-type": type },
}));

const malformed = [
  ...[
    '{"size":1.}',
    '{"size":01}',
    '{"size":-}',
    '{"size":1e}',
    '{"a":tru}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
  ],
  ...[
    "{'name':'a'}",
    '{name:"a"}',
    '{"name":"a"',
    '{"name"}',
    '{"name":}',
    "{,}",
    "[}",
    '{"name":"\\x41"}',
  ],
  ...[
    '{"name":"\\ud800\\u"}',
    '"a"',
    "1",
    "true",
    '{"name":"a"}{"name":"b"}',
    '{"name":"a"}\0',
    "\u2028{}",
  ],
  ...[
    `${"[".repeat(33)}${"]".repeat(33)}`,
    `${'{"a":'.repeat(33)}1${"}".repeat(33)}`,
    '{"weight":1e-999}',
  ],
].map((body) => ({ what: `body ${body.slice(0, 40)}`, body, status: 400 }));

const values = [
  ...[
    { status: "open " },
    { status: " open" },
    { status: "", name: "" },
    { status: 1 },
    { status: ["open"] },
  ],
  ...[{ status: "__proto__" }, { status: "constructor" }, { status: "OPEN" }],
  ...[
    { startDate: "2024-01-01t00:00:00.000z" },
    { startDate: "2024-01-01 00:00:00.000Z" },
    { startDate: "2024-01-01" },
  ],
  ...[
    { startDate: "2024-13-01T00:00:00.000Z" },
    { startDate: "2024-01-01T24:00:00.000Z" },
    { startDate: "2023-02-29T00:00:00.000Z" },
  ],
  ...[
    { startDate: "2024-01-01T00:00:60.000Z" },
    { startDate: "+275760-09-13T00:00:00.000Z" },
    { startDate: "-000001-01-01T00:00:00.000Z" },
  ],
  ...[
    { email: "a@-b.c" },
    { email: "a b@c.d" },
    { email: "@" },
    { email: `${"a".repeat(300)}@b.c` },
    { email: "a@b.c\n" },
  ],
  ...[{ pinCode: "12345" }, { pinCode: " 1234" }, { pinCode: "١٢٣٤" }],
  ...[
    { tags: ["a", "a"] },
    { tags: [["a"]] },
    { tags: Array.from("abcdefghijk") },
    { tags: [{}] },
    { tags: { 0: "a" } },
  ],
  ...[
    { size: 9_007_199_254_740_993 },
    { size: 0.5 },
    { size: "1" },
    { size: [1] },
    { weight: "NaN" },
  ],
  ...[
    { price: "1,5" },
    { price: "0x1" },
    { price: " 1" },
    { price: "1.005" },
    { price: "99999999999999999999" },
    { price: "-" },
  ],
  ...[
    { active: "false" },
    { active: 0 },
    { batch: MISSING.replaceAll("-", "") },
    { note: { $ne: null } },
  ],
  ...[
    { deliveryAddress: { place: { place: {} } } },
    { role: "admin" },
    { tenantId: MISSING },
    { "name ": "b" },
  ],
].map((part) => ({
  what: `value ${JSON.stringify(part)}`,
  body: { name: "a", ...part },
  status: 400,
}));

const accepted = [
  { startDate: "0001-01-01T00:00:00.000Z" },
  { startDate: "9999-12-31T23:59:59.999Z" },
  { startDate: "2024-02-29T00:00:00.000Z" },
  { price: "-0.01" },
  { price: "90071992547409.91" },
  { size: 1_000_000 },
  { weight: 1.7976931348623157e308 },
  { weight: 5e-324 },
  { weight: 0.1 },
  { email: "a+b@c-d.example" },
].map((part) => ({
  what: `value ${JSON.stringify(part)}`,
  body: { name: "a", ...part },
  status: 201,
}));

/** Variants that the corpus only lists in the words of a case. */
export const VARIANTS: readonly Variant[] = [
  ...paths,
  ...identifiers,
  ...types,
  ...malformed,
  ...values,
  ...accepted,
];

/** Texts that programs have stumbled over; each goes into every kind of text there is. */
export const NAUGHTY_TEXTS: readonly string[] = [
  ...[
    "undefined",
    "null",
    "NULL",
    "(null)",
    "nil",
    "NaN",
    "true",
    "0",
    "-0",
    "1e1000",
    "0x0",
    "1/0",
  ],
  ...[
    "'",
    '"',
    "''",
    "\\",
    "\\\\",
    "\\'",
    "`",
    "--",
    "/*",
    "*/",
    ";",
    "%",
    "_",
    "%s%s%n",
    "${7*7}",
    "{{7*7}}",
  ],
  ...[
    "<%= 7*7 %>",
    "#{7*7}",
    "<script>alert(1)</script>",
    "' OR '1'='1",
    "1;DROP TABLE widgets",
    "$ne",
    "[]",
    "{}",
  ],
  ...[
    "../../etc/passwd",
    "C:\\con",
    "COM1",
    "a\r\nSet-Cookie: x=1",
    "a\tb",
    "\ta",
    " a ",
    "\u001b[31m",
    "\u007f",
  ],
  ...[
    "\u0080",
    "\u00a0x",
    "\u00ad",
    "\u200b",
    "\u202eabc",
    "\u2028",
    "\u2029x",
    "\ufeffx",
    "\ufffd",
    "\uffff",
  ],
  ...[
    "é",
    "e\u0301",
    "ß",
    "ẞ",
    "İ",
    "ı",
    "ﬀ",
    "Ω",
    "田中さん",
    "مرحبا",
    "שלום",
    "👩‍👩‍👧",
    "🇩🇪",
    "👍🏽",
    "😀".repeat(15),
  ],
  ...[
    "Z\u0351\u036b",
    "﷽",
    "＜",
    "‮",
    "\ud800",
    "a\udc00",
    "a\0b",
    "",
    " ",
    "\n",
    "\u3000",
    "x".repeat(31),
  ],
];
