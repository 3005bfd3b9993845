import type { Random } from "./random.js";
import { requestText } from "./wire-connection.js";
import type { ShopRequest } from "./shop-requests.js";

const WORDS = [
  ...[
    "",
    " ",
    "%00",
    "%ff",
    "%2e%2e/",
    "..;/",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "NaN",
  ],
  ...[
    "'",
    '"',
    "';--",
    "1 OR 1=1",
    "\\",
    "\u0000",
    "\u2028",
    "\ud83d\ude00",
    "<script>",
    "${7*7}",
    "{{7*7}}",
  ],
  ...[
    "-1",
    "0",
    "1e400",
    "9007199254740993",
    "99999999999999999999",
    "0x10",
    "1.5",
    "true",
    "[]",
    "{}",
  ],
  ...[
    "a".repeat(300),
    "%41".repeat(100),
    "a,".repeat(200),
    "-".repeat(100),
    "2026-02-30T25:00:00Z",
  ],
];
const PARAMETERS = [
  ...[
    "sort",
    "pageSize",
    "pageNumber",
    "status",
    "priority",
    "requester.userId",
    "title",
    "customer",
  ],
  ...["deliveryAddress.city", "__proto__", "createdDate", "tags", "dueDate", "sort[]", "a.b.c.d"],
];
const HEADERS = [
  ...[
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Range",
  ],
  ...[
    "Expect",
    "Connection",
    "Transfer-Encoding",
    "Content-Encoding",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
  ],
  ...[
    "Origin",
    "Cookie",
    "X-Request-Id",
    "Upgrade",
    "Idempotency-Key",
    "X-HTTP-Method-Override",
    "Forwarded",
  ],
];
const HEADER_VALUES = [
  ...[
    "*/*",
    "text/html",
    'a;b="',
    '"'.repeat(50),
    "a,".repeat(100),
    "gzip;q=2",
    "*;q=0",
    "100-continue",
  ],
  ...[
    "chunked",
    "close",
    "application/json; charset=utf-16",
    "bytes=0-1",
    "W/",
    '"x"',
    "\x80\xff",
    "h2c",
  ],
];
const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "get",
];
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    -1,
    1e308,
    0.1,
    "",
    "a",
    [],
    {},
    [null],
    [[[]]],
    { a: 1 },
    "\u0000",
    "2026-02-30",
  ],
  ...[
    "\ud800",
    "x".repeat(20_000),
    Array.from({ length: 1001 }, () => 0),
    { __proto__: null, toString: 1 },
  ],
];

/** A request with one to three things wrong in it, or right by chance. */
export function hostileRequest(random: Random, usual: ShopRequest, token: string): Buffer {
  let { method, path } = usual;
  let body = usual.body === null ? null : JSON.stringify(usual.body);
  let bearer: string | null = token;
  const headers: string[] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const kind = random.below(8);
    if (kind === 0) method = random.of(METHODS);
    else if (kind === 1) path = hostilePath(random, path);
    else if (kind === 2) path = `${path}${path.includes("?") ? "&" : "?"}${hostileQuery(random)}`;
    else if (kind === 3) headers.push(`${random.of(HEADERS)}: ${random.of(HEADER_VALUES)}`);
    else if (kind === 4) bearer = random.oneIn(2) ? null : token.slice(random.below(80));
    else if (kind <= 6 || body !== null) body = hostileBody(random, body ?? "{}");
  }
  // What a client library would encode; the raw bytes are tried as well.
  const encoded = path.replaceAll(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(wellFormed(character)),
  );
  return Buffer.from(requestText({ method, path: encoded, token: bearer, body, headers }), "utf8");
}

/** The bytes of a request with some of them changed, left out or said twice. */
export function brokenBytes(random: Random, bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes);
  for (let count = 1 + random.below(8); count > 0; count -= 1) {
    broken[random.below(broken.length)] = random.below(256);
  }
  const kind = random.below(4);
  if (kind === 0) return broken.subarray(0, random.below(broken.length));
  if (kind === 1) return Buffer.concat([broken, broken]);
  if (kind === 2) return Buffer.from(Array.from({ length: 200 }, () => random.below(256)));
  return broken;
}

function hostilePath(random: Random, path: string): string {
  const parts = path.split("/");
  parts[random.below(parts.length)] = encodeURIComponent(wellFormed(random.of(WORDS)));
  return parts.join("/") || "*";
}

function hostileQuery(random: Random): string {
  const value = random.oneIn(2)
    ? random.of(WORDS)
    : encodeURIComponent(wellFormed(random.of(WORDS)));
  return `${random.of(PARAMETERS)}=${value}`;
}

function hostileBody(random: Random, body: string): string {
  switch (random.below(5)) {
    case 0:
      return body.slice(0, random.below(body.length));
    case 1:
      return `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
    case 2:
      return random.of(WORDS);
    case 3:
      return random.oneIn(50) ? `{"title":"${"x".repeat(1_100_000)}"}` : `${body}${body}`;
    default: {
      const names = [...body.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name);
      const name = names.length === 0 ? "__proto__" : random.of(names);
      const value = JSON.stringify(random.of(VALUES));
      return body.replace(new RegExp(`"${name}":("[^"]*"|[\\d.]+)`), () => `"${name}":${value}`);
    }
  }
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, "\ufffd");
}
