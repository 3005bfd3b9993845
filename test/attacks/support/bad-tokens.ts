import { createHmac } from "node:crypto";
import { AUDIENCE, ISSUER } from "./attacked-shop.js";
import { goodClaims, newKey, now, tokenOf, type IssuerKey } from "./tokens.js";

/** What an Authorization header says that no service may accept; several values are several headers. */
export interface BadToken {
  readonly what: string;
  readonly authorization: string | readonly string[];
}

const NO_TIMES: readonly unknown[] = [
  "",
  "soon",
  null,
  [],
  {},
  "9999999999",
  Infinity,
  -1,
  0,
  1,
  1e-9,
];
const NO_SUBJECTS: readonly unknown[] = ["", null, 0, 1, true, [], {}, ["clerk-1"], undefined];
const NO_NAMES: readonly unknown[] = [
  "",
  "https://evil.example.com/",
  `${ISSUER}.`,
  ISSUER.slice(0, -1),
  "*",
  null,
  1,
  [],
  {},
];
const KIDS: readonly unknown[] = [
  ...[
    "other",
    "",
    "../../etc/passwd",
    "' OR 1=1--",
    "http://127.0.0.1/",
    "__proto__",
    "constructor",
  ],
  ...["first\u0000", "FIRST", "x".repeat(1000), 1, null, [], {}, ["first"], true],
];
const HEADERS: readonly Readonly<Record<string, unknown>>[] = [
  ...[
    "none",
    "None",
    "NONE",
    "nOnE",
    "",
    "HS256",
    "HS384",
    "HS512",
    "ES384",
    "RS256",
    "PS256",
    "EdDSA",
  ].map((alg) => ({ alg })),
  ...["ES256K", "dir", "RSA-OAEP", "A256GCM", "es256", "ES256 ", 1, null, [], {}].map((alg) => ({
    alg,
  })),
  { alg: "ES256", crit: ["exp"] },
  { alg: "ES256", crit: ["x"], x: 1 },
  { alg: "ES256", b64: false, crit: ["b64"] },
  { alg: "ES256", zip: "DEF" },
];

/** Every kind of token that has been used against services, made from a good key and from a stranger's. */
export async function badTokens(key: IssuerKey): Promise<readonly BadToken[]> {
  const good = await tokenOf(key, "clerk-1", ["clerk"]);
  const stranger = await newKey("first");
  return [
    ...ofHeaders(good, key, stranger),
    ...(await ofClaims(key)),
    ...(await ofKeys(stranger)),
    ...ofText(good),
  ];
}

/** Heads that promise another algorithm or key, with the good claims and several signatures. */
function ofHeaders(good: string, key: IssuerKey, stranger: IssuerKey): readonly BadToken[] {
  const [, claims = "", signature = ""] = good.split(".");
  const kids = KIDS.map((kid) => ({ alg: "ES256", kid }));
  const smuggled = [
    { alg: "ES256", kid: "first", jwk: stranger.jwk },
    { alg: "ES256", jku: "http://127.0.0.1:9/jwks.json" },
    { alg: "ES256", x5u: "http://127.0.0.1:9/cert.pem", x5c: ["MIIB"] },
  ];
  return [...HEADERS, ...kids, ...smuggled].flatMap((header) => {
    const head = `${encoded({ typ: "JWT", ...header })}.${claims}`;
    // The public key as a secret is what confuses a library that lets the token choose the algorithm.
    const hmac = createHmac("sha256", JSON.stringify(key.jwk)).update(head).digest("base64url");
    const what = `header ${JSON.stringify(header).slice(0, 60)}`;
    return [signature, "", hmac].map((end, index) =>
      bearer(`${what}, signature ${index}`, `${head}.${end}`),
    );
  });
}

/** Signed by the right key, and not for this service, this time or anybody. */
async function ofClaims(key: IssuerKey): Promise<readonly BadToken[]> {
  const times = NO_TIMES.map((exp) => ({ exp }));
  const claims: readonly Readonly<Record<string, unknown>>[] = [
    ...times,
    ...[{ exp: undefined }, { exp: now() - 61 }, { exp: now() - 86_400 }],
    ...[{ nbf: now() + 3600 }, { nbf: "later" }, { nbf: now() + 90 }],
    ...NO_SUBJECTS.map((sub) => ({ sub })),
    ...NO_NAMES.flatMap((name) => [{ iss: name }, { aud: name }]),
    ...[
      { aud: [] },
      { aud: ["other"] },
      { aud: [`${AUDIENCE} `] },
      { iss: undefined },
      { aud: undefined },
    ],
  ];
  return Promise.all(
    claims.map(async (differing) => {
      const what = `claims ${JSON.stringify(differing)} ${Object.keys(differing).join()}`;
      return bearer(what, await tokenOf(key, "clerk-1", ["clerk"], { claims: differing }));
    }),
  );
}

/** Good in everything but who has signed. */
async function ofKeys(stranger: IssuerKey): Promise<readonly BadToken[]> {
  const others = await Promise.all(
    ["RS256", "PS256", "EdDSA", "ES384"].map((alg) => newKey("first", alg)),
  );
  return Promise.all(
    [stranger, ...others].map(async (key) =>
      bearer(`a stranger's ${key.jwk.alg}`, await tokenOf(key, "clerk-1", ["clerk"])),
    ),
  );
}

/** What is no token at all, or not exactly one. */
function ofText(good: string): readonly BadToken[] {
  const [head = "", claims = "", signature = ""] = good.split(".");
  const tampered = encoded({ ...goodClaims("clerk-1", ["clerk"]), sub: "somebody" });
  const texts = [
    ...[
      "",
      ".",
      "..",
      "...",
      "a",
      "a.b",
      "a.b.c",
      "a.b.c.d.e",
      "null",
      "undefined",
      "{}",
      "%00",
      "\u00e9",
    ],
    ...[
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `.${claims}.${signature}`,
      `${head}..${signature}`,
    ],
    ...[
      `${head}.${tampered}.${signature}`,
      `${good}.`,
      `${good}a`,
      good.slice(0, -2),
      good.slice(1),
    ],
    ...[
      `${good},${good}`,
      `${good} ${good}`,
      `${good};`,
      `"${good}"`,
      good.toUpperCase(),
      good.toLowerCase(),
    ],
    ...[
      "a".repeat(8193),
      `${"a".repeat(4000)}.${"b".repeat(4000)}.${"c".repeat(4000)}`,
      "=".repeat(2000),
    ],
  ];
  const schemes = [
    "Basic",
    "Token",
    "JWT",
    "Bearer:",
    "Bearer,",
    "Digest",
    "Negotiate",
    "BearerBearer",
  ];
  return [
    ...texts.map((text) => bearer(`text ${text.slice(0, 30)}`, text)),
    ...schemes.map((scheme) => ({ what: `scheme ${scheme}`, authorization: `${scheme} ${good}` })),
    { what: "no scheme", authorization: good },
    { what: "the header twice", authorization: [`Bearer ${good}`, `Bearer ${good}`] },
    { what: "the header twice, one bad", authorization: [`Bearer ${good}`, "Bearer a.b.c"] },
  ];
}

function bearer(what: string, token: string): BadToken {
  return { what, authorization: `Bearer ${token}` };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
