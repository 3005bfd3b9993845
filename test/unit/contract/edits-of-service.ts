import type { ChangeClass } from "../../../src/contract/change-kinds.js";

/** An edit of one keyword of service.yaml, and what it means. */
export interface EditOfService {
  /** Lines of service.yaml. */
  readonly before: string;
  readonly after: string;
  /** The class that `generator changes` reports; "status": a line above the changes; null: nothing, for this reason. */
  readonly verdict: ChangeClass | "status" | null;
  readonly why?: string;
}

/** A keyword that only holds others has no edit of its own. */
export const HOLDS = "It only holds other keywords.";

const TEXT = "It is text for people.";
const NAMING = "It says which names are accepted, and changes none.";

function edit(
  key: string,
  verdict: EditOfService["verdict"],
  [before, after]: readonly [string, string],
  why?: string,
): EditOfService {
  const line = (value: string): string => (value === "" ? "" : `${key.replace("#", value)}\n`);
  return { before: line(before), after: line(after), verdict, ...(why !== undefined && { why }) };
}

function limit(
  name: string,
  verdict: ChangeClass,
  values: readonly [number | "", number],
): EditOfService {
  const [before, after] = values;
  return edit(`limits: { ${name}: # }`, verdict, [String(before), String(after)]);
}

const TOKEN: Readonly<Record<string, string>> = {
  ...{ scheme: "bearer", issuer: "https://a.example.com/", audience: "shop" },
  ...{ keys: "keys.json", roles: "roles" },
};

function token(
  name: string,
  verdict: EditOfService["verdict"],
  after: string,
  why?: string,
): EditOfService {
  const line = (given: Readonly<Record<string, string>>): string =>
    `authentication: ${JSON.stringify({ ...TOKEN, ...given })}\n`;
  const own = why === undefined ? {} : { why };
  return { before: line({}), after: line({ [name]: after }), verdict, ...own };
}

const STATUSES = "versions: { v1: { status: #, deprecated: 2026-09-01, sunset: 2027-03-01 } }";

/** Every keyword of service.yaml, by its place: with an edit, or why it has none. */
export const EDITS_OF_SERVICE: Readonly<Record<string, EditOfService | string>> = {
  service: edit("service: #", "breaking", ["shop", "store"]),
  title: edit("title: #", null, ["Shop", "Store"], TEXT),
  description: edit("description: #", "internal", ["Orders.", "Orders and parcels."]),
  license: edit("license: #", null, ["MIT", "Apache-2.0"], TEXT),
  contact: HOLDS,
  "contact.name": edit("contact: { name: # }", null, ["Support", "Help"], TEXT),
  "contact.url": edit(
    "contact: { url: # }",
    null,
    ["https://a.example.com", "https://b.example.com"],
    TEXT,
  ),
  "contact.email": edit("contact: { email: # }", null, ["a@example.com", "b@example.com"], TEXT),
  header: edit("header: #", null, ["One", "Two"], "It is a comment in generated code."),
  basePath: edit("basePath: #", "breaking", ["/api", "/rest"]),
  versions: HOLDS,
  "versions.status": edit("versions: { v1: # }", "status", [
    "published",
    "{ status: deprecated, deprecated: 2026-09-01 }",
  ]),
  "versions.deprecated": edit(
    STATUSES.replace("#", "deprecated").replace("2026-09-01", "#"),
    "status",
    ["2026-09-01", "2026-10-01"],
  ),
  "versions.sunset": edit(
    STATUSES.replace("#", "deprecated").replace("2027-03-01", "#"),
    "status",
    ["2027-03-01", "2027-04-01"],
  ),
  "versions.removed": edit(
    "versions: { v1: { status: draft }, v2: { status: draft, removed: { # } } }",
    null,
    ["tickets: nobody writes any", "tickets: mails do"],
    "What a version has follows from its files; the report says what it lacks of the version before.",
  ),
  cors: HOLDS,
  "cors.origins": edit('cors: { origins: ["#"] }', "breaking", [
    "https://a.example.com",
    "https://b.example.com",
  ]),
  identifiers: edit("identifiers: #", "internal", ["ordered", "random"]),
  timeZone: edit(
    "timeZone: #",
    null,
    ["UTC", "Europe/Berlin"],
    "Only conditions with days depend on it, and each is reported: same-meaning.test.ts.",
  ),
  json: HOLDS,
  "json.pretty": edit("json: { pretty: # }", "internal", ["true", "false"]),
  paging: HOLDS,
  "paging.defaultSize": edit("paging: { defaultSize: # }", "breaking", ["20", "30"]),
  "paging.maximumSize": edit("paging: { maximumSize: # }", "breaking", ["100", "50"]),
  "paging.next": edit("paging: { next: # }", "compatible", ["false", "true"]),
  limits: HOLDS,
  "limits.bodyBytes": limit("bodyBytes", "breaking", [1048576, 65536]),
  "limits.urlBytes": limit("urlBytes", "breaking", [8192, 4096]),
  "limits.headerBytes": limit("headerBytes", "breaking", [16384, 8192]),
  "limits.requestSeconds": limit("requestSeconds", "operational", [30, 20]),
  "limits.jsonDepth": limit("jsonDepth", "breaking", [32, 16]),
  "limits.jsonValues": limit("jsonValues", "breaking", [20000, 10000]),
  "limits.arrayItems": limit("arrayItems", "breaking", [1000, 500]),
  "limits.stringCharacters": limit("stringCharacters", "breaking", [10000, 5000]),
  "limits.pageBytes": limit("pageBytes", "breaking", [4194304, 2097152]),
  "limits.receivingBytes": limit("receivingBytes", "internal", [67108864, 33554432]),
  "limits.sendingBytes": limit("sendingBytes", "internal", [33554432, 16777216]),
  "limits.concurrentRequests": limit("concurrentRequests", "internal", [200, 100]),
  "limits.requestsPerMinute": limit("requestsPerMinute", "operational", ["", 600]),
  authentication: HOLDS,
  "authentication.scheme": { ...token("scheme", "breaking", "bearer"), before: "" },
  "authentication.issuer": token("issuer", "operational", "https://b.example.com/"),
  "authentication.audience": token("audience", "operational", "store"),
  "authentication.keys": token("keys", "operational", "other.json"),
  "authentication.roles": token("roles", "operational", "groups"),
  tenant: HOLDS,
  "tenant.claim": {
    before: `authentication: ${JSON.stringify(TOKEN)}\ntenant: { claim: org }\n`,
    after: `authentication: ${JSON.stringify(TOKEN)}\ntenant: { claim: company }\n`,
    verdict: "operational",
  },
  "tenant.existing": "It is the tenant of rows that are there: no client can see it.",
  events: HOLDS,
  "events.source": edit("events: { source: # }", "breaking", ["", "https://example.com/shop"]),
  client: edit("client: #", null, ["false", "true"], "A client is made of the interface."),
  inflections: edit("inflections: { #: depots }", "breaking", ["depot", "place"]),
  rules: HOLDS,
  "rules.NAM-1": HOLDS,
  "rules.NAM-1.level": edit(
    "rules: { NAM-1: { level: #, reason: Old. } }",
    null,
    ["warning", "off"],
    NAMING,
  ),
  "rules.NAM-1.reason": edit(
    "rules: { NAM-1: { level: off, reason: # } }",
    null,
    ["Old.", "New."],
    NAMING,
  ),
  "rules.NAM-3": HOLDS,
  "rules.NAM-3.level": edit(
    "rules: { NAM-3: { level: #, reason: Old. } }",
    null,
    ["warning", "off"],
    NAMING,
  ),
  "rules.NAM-3.reason": edit(
    "rules: { NAM-3: { level: off, reason: # } }",
    null,
    ["Old.", "New."],
    NAMING,
  ),
};
