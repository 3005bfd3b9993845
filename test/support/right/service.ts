import fc from "fast-check";
import { AUTHENTICATION } from "../random-access.js";
import type { Texts } from "../render-files.js";
import { projectTexts } from "./project.js";
import { resource } from "./resource.js";
import { optional, orNull, rarely, type Yaml } from "./yaml.js";

/** A service that keeps every rule: its schemas, and the code that its author has written. */
export interface RightService {
  readonly schemas: Texts;
  readonly code: Texts;
  readonly isSecured: boolean;
}

const limits = optional({
  bodyBytes: fc.constantFrom(65_536, 1_048_576),
  urlBytes: fc.constantFrom(4096, 8192),
  headerBytes: fc.constantFrom(8192, 16_384),
  requestSeconds: fc.constantFrom(20, 30),
  jsonDepth: fc.constantFrom(12, 32),
  jsonValues: fc.constantFrom(5000, 30_000),
  arrayItems: fc.constantFrom(100, 1000),
  stringCharacters: fc.constantFrom(500, 10_000),
  pageBytes: fc.constantFrom(1_048_576, 4_194_304),
  receivingBytes: fc.constantFrom(8_388_608, 67_108_864),
  sendingBytes: fc.constantFrom(8_388_608, 33_554_432),
  concurrentRequests: fc.constantFrom(50, 200),
  requestsPerMinute: fc.constantFrom(1_000_000),
});

const relaxed = (level: string): Yaml => ({ level, reason: "Names are made up." });

/** Beside the name: what holds for the whole service. */
const settings = optional({
  title: fc.constantFrom("Desk", 'Ei "desk" `${x}`'),
  description: fc.constantFrom("Somebody's desk.\nAnd more."),
  license: fc.constantFrom("Apache-2.0", "LicenseRef-desk"),
  contact: fc.constantFrom(
    { email: "desk@example.com" },
    { name: "Desk", url: "https://example.com" },
  ),
  header: fc.constantFrom("Copyright 2026", "Two\nlines"),
  basePath: fc.constantFrom("/", "/api", "/rest/desk"),
  identifiers: fc.constantFrom("ordered", "random"),
  timeZone: fc.constantFrom("Europe/Berlin", "Pacific/Apia"),
  client: fc.boolean(),
  json: fc.record({ pretty: fc.boolean() }),
  events: fc.record({ source: fc.constantFrom("/depots/7", "https://example.com/depots") }),
  paging: optional({
    defaultSize: fc.constantFrom(5, 20),
    maximumSize: fc.constantFrom(60, 100),
    next: fc.boolean(),
  }),
  cors: fc.record({ origins: fc.constantFrom(["https://app.example.com"], ["*"]) }),
  inflections: fc.constant({ staff: "staff" }),
  rules: fc
    .constantFrom("warning", "off")
    .map((level) => ({ "NAM-1": relaxed(level), "NAM-3": relaxed(level) })),
});

const scheme = fc.constantFrom<Yaml | null>(null, { scheme: "none" }, AUTHENTICATION, {
  ...AUTHENTICATION,
  roles: "realm_access.roles",
});

/** Services in shapes that a check could take for a mistake. */
export const rightService: fc.Arbitrary<RightService> = scheme.chain((authentication) => {
  const isSecured = authentication?.["scheme"] === "bearer";
  return fc
    .record({
      settings,
      limits: rarely(limits.map((given) => ({ limits: given }))),
      resources: fc.array(resource(isSecured), { minLength: 1, maxLength: 3 }),
      second: orNull(3, 2, fc.array(fc.nat(9), { minLength: 30, maxLength: 30 })),
    })
    .map(({ settings: given, limits: limited, resources, second }) => ({
      ...projectTexts({
        service: {
          ...given,
          ...limited,
          ...(authentication !== null && { authentication }),
        },
        resources,
        second,
        isSecured,
      }),
      isSecured,
    }));
});
