import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { awkwardNames, ownNames } from "../support/emitted-names.js";
import { readTree } from "../support/read-tree.js";
import { cases } from "../support/thorough.js";
import { checkProject } from "../unit/validate/check-project.js";
import { emittedTexts, renderFiles, renderValid, type Texts } from "../support/render-files.js";
import { isRuntimeImport } from "../support/runtime.js";

/** Whatever emitted code treats in its own way: kinds of properties, references to the resource itself, states, aliases. */
const PROPERTIES = `
  ok: { type: string, filterable: true }
  named: { type: string, required: true }
  price: { type: decimal, scale: 2, sortable: true, filterable: true }
  fee: { type: decimal, scale: 1, required: true }
  flag: { type: boolean, required: true, filterable: true }
  open: boolean
  kind: { enum: [a, b], required: true, default: a, filterable: true }
  part: { type: object, properties: { count: integer, deep: { type: object, properties: { size: integer } } } }
  lines: { type: array, items: { type: object, properties: { amount: number } } }
  tags: { type: array, items: string }
  like: { reference: SELF, embed: [named], disclose: true, filterable: true }
  likes: { type: array, items: { reference: SELF, embed: [named], disclose: true } }
  inner: { type: object, properties: { like: { reference: SELF, embed: [named], disclose: true } } }
states: { property: kind, initial: a, transitions: { a: [b], b: [] } }
aliases: { recent: { where: { kind: b, fee: "1.0" }, sort: [-price] } }
`;

/** The same, with code of its own. */
const WITH_CODE = `${PROPERTIES}
access: { read: [custom], create: [authenticated], update: [custom, owner], delete: [owner] }
actions:
  close: { input: { reason: { type: string, required: true }, mark: { enum: [x] } }, leadsTo: b }
  weigh: { on: collection, input: { part: { type: object, properties: { size: integer } } }, answers: { sum: { type: decimal, scale: 2 } } }
`;

const BEARER =
  "authentication: { scheme: bearer, issuer: https://login.example.com/, audience: desk, keys: https://login.example.com/jwks.json }";

/** A project of resources with these entities; a plural is the entity and an s. */
function project(entities: readonly string[], properties = PROPERTIES): Texts {
  const plural = (entity: string): string => `${entity.toLowerCase()}s`;
  const inflections = Object.fromEntries(entities.map((entity) => [entity, plural(entity)]));
  const resources = entities.map((entity) => [
    `resources/v1/${plural(entity)}.yaml`,
    `resource: ${plural(entity)}\nentity: "${entity}"\nproperties:${properties.replaceAll("SELF", plural(entity))}`,
  ]);
  return {
    "service.yaml": `service: desk\n${BEARER}\ninflections: ${JSON.stringify(inflections)}\n`,
    ...(Object.fromEntries(resources) as Texts),
  };
}

const refused: string[] = [];
const accepted: string[] = [];

/** Of the names that are accepted. */
const EACH = cases({ usual: 16, long: 1 });
const isTried = (_: string, index: number): boolean => index % EACH === 0;

beforeAll(async () => {
  for (const name of awkwardNames()) {
    const { ok } = await checkProject(project([name]));
    (ok ? accepted : refused).push(name);
  }
});

test("whatever a resource is called, its service compiles or the name is refused", async () => {
  // `checkCreate` beside `check` would be a clash between the two.
  const isDerived = (name: string): boolean =>
    /[a-z](?:Create|Hooks|Page|Part|Properties|References|Replace|Update)$/.test(name);
  const parts = [accepted.filter(isDerived), accepted.filter((name) => !isDerived(name))];
  const [derived = {}, plain = {}] = await Promise.all(
    parts.map(async (names) => wholeService(await renderValid(project(names.filter(isTried))))),
  );
  expect(await compilerErrors("entities", { derived, plain })).toBe("");
});

test("whatever emitted code calls its own things, resources, inputs and answers with code of their own can be called so", async () => {
  const names = ownNames().filter((name) => accepted.includes(name));
  const entities = await wholeService(await renderValid(project(names, WITH_CODE)));
  const inputs = ownNames().filter((name) => name !== "constructor");
  const all = JSON.stringify(Object.fromEntries(inputs.map((name) => [name, "integer"])));
  const actions = `one: { input: ${all}, answers: ${all} }, all: { on: collection, input: ${all}, answers: ${all} }`;
  const text = `\n  label: string\nactions: { ${actions} }\n`;
  const sent = await wholeService(await renderValid(project(["ticket"], text)));
  expect(await compilerErrors("with-code", { entities, sent })).toBe("");
});

/** A resource in two versions, whose second calls things otherwise, has more states, and converts by code. */
const IN_TWO_VERSIONS = [
  `
  label: { type: string, required: true, filterable: true }
  status: { enum: [open, closed], filterable: true }
  minutes: { type: integer, minimum: 0, maximum: 1439 }
  same: { reference: SELF, embed: [label] }
  lines: { type: array, items: { type: object, properties: { that: string, other: { reference: SELF, embed: [label] } } } }
states: { property: status, initial: open, transitions: { open: [closed], closed: [] } }
events: [created, updated, deleted]
actions:
  weigh: { input: { to: { reference: SELF, embed: [label] } }, answers: { to: { reference: SELF, embed: [label] } } }
`,
  `
  title: { type: string, required: true, renamedFrom: label, filterable: true }
  status: { enum: [open, onHold, closed], inOlderVersions: { onHold: open }, filterable: true }
  hour: { type: integer, minimum: 0, maximum: 23, converted: true }
  minute: { type: integer, minimum: 0, maximum: 59, converted: true }
  like: { reference: SELF, embed: [title], renamedFrom: same }
  items: { type: array, items: { type: object, properties: { thing: { type: string, renamedFrom: that }, other: { reference: SELF, embed: [title] } } }, renamedFrom: lines }
states: { property: status, initial: open, transitions: { open: [onHold, closed], onHold: [open], closed: [] } }
events: [created, updated, deleted]
actions:
  weigh: { input: { to: { reference: SELF, embed: [title] } }, answers: { to: { reference: SELF, embed: [title] } } }
`,
];

test("whatever emitted code calls its own things, a resource of two versions can be called so", async () => {
  const names = [...ownNames(), "conversion"].filter((name) => !refused.includes(name));
  const versions = IN_TWO_VERSIONS.map((properties, index) =>
    Object.entries(project(names, properties)).map(([path, text]) => [
      path.replace("/v1/", `/v${index + 1}/`),
      text.replace("service: desk", "service: desk\nversions: { v1: draft, v2: draft }"),
    ]),
  );
  const files = await wholeService(await renderValid(Object.fromEntries(versions.flat()) as Texts));
  // What converts is the user's to write.
  const written = Object.entries(files).map(([path, text]) => [
    path,
    path.startsWith("src/custom/conversions/")
      ? text.replace(/ = \{\n[^]*\};/, " = {} as never;")
      : text,
  ]);
  const desk = Object.fromEntries(written) as Texts;
  expect(await compilerErrors("names-of-two-versions", { desk })).toBe("");
});

test("what is called like a type of the runtime, and patterns with quotes, hide no import", async () => {
  const files = {
    "service.yaml": `service: desk\n${BEARER}\ninflections: { accesses: access }\n`,
    "resources/v1/conditions.yaml":
      "resource: conditions\nentity: condition\nproperties: { open: { type: boolean, required: true } }\n",
    "resources/v1/openconditions.yaml":
      "resource: openconditions\nrepresents: conditions\nwhere: { open: true }\nproperties: { open: open }\n",
    "resources/v1/accesses.yaml":
      "resource: accesses\nentity: access\nproperties: { rules: { type: object, properties: { a: string } } }\naccess: { read: [authenticated], create: [authenticated], update: [owner], delete: [owner] }\n",
    "resources/v1/snippets.yaml": `resource: snippets
entity: snippet
properties:
  opening: { type: string, pattern: '^\`{3}[a-z]+$', example: "\`\`\`ts" }
  position: { type: integer }
  quoted: { type: string, pattern: '^[^"]+$', default: "integer(1) noInput" }
  closing: { type: string, pattern: '^\`{3}$', example: "\`\`\`" }
`,
  };
  expect(
    await compilerErrors("like-the-runtime", {
      desk: await wholeService(await renderValid(files)),
    }),
  ).toBe("");
});

/** What the names of an entity's own functions and constants end in. */
const DERIVED =
  "Access Aliases Collection Conditions Facts Hooks Names ReferenceNames References Routes States Table".split(
    " ",
  );

test("no function that emitted code imports is called like what is named after an entity beside it", () => {
  const runtime = new Map<string, Set<string>>();
  const own = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(readTree(resolve("fixtures/golden")))) {
    const [, part] = /\/src\/generated\/.*\.(\w+)\.ts$/.exec(path) ?? [];
    if (part === undefined) continue;
    for (const [, list = "", from = ""] of text.matchAll(/^import \{([^}]*)\} from "(.*)";/gm)) {
      const known = isRuntimeImport(from) ? runtime : own;
      const names = list.split(",").map((name) => name.trim());
      const values = names.filter((name) => /^[a-z]\w*$/.test(name));
      known.set(part, new Set([...(known.get(part) ?? []), ...values]));
    }
  }
  expect(runtime.get("controller")).toContain("routesOf");
  // `resolveReferences` of the runtime would clash with the references of an entity `resolve`.
  const clashing = [...runtime].flatMap(([part, names]) => {
    const beside = [...(own.get(part) ?? [])];
    const endings = DERIVED.filter((ending) => beside.some((name) => name.endsWith(ending)));
    return [...names].filter((name) => endings.some((ending) => name.endsWith(ending)));
  });
  expect(clashing).toEqual([]);
});

test("names that emitted code uses itself are refused only where it must be", () => {
  expect(refused.join(" ")).toBe(
    "actingRepository actionRules actionsOf announcedVersion as collectionAction collectionAlias " +
      "commonFields constructor convertedPair countedPageOf entity entityAction entityHooks " +
      "entityRepository entityService entityStore filterCondition hasOwnProperty httpCall httpReply httpRoute inputOf " +
      "isPrototypeOf jSON jsonObject later linkedRows of omit pageOf partOf pick promise " +
      "propertyIsEnumerable prototype referenceTo replacementOf resolvedReferences returnType scopeFunction " +
      "searchCondition serviceContext serviceEntities serviceStores sqlRow storedPair string then toString valueOf versionConversion",
  );
});

test.each([
  ...["call", "collection", "context", "hook", "runtime", "page", "report", "repository", "reply"],
  ...[
    "caller",
    "given",
    "next",
    "registry",
    "route",
    "row",
    "subject",
    "table",
    "event",
    "request",
    "map",
    "store",
    "quote",
  ],
])("a resource may be called after a %s", (name) => {
  expect(accepted).toContain(name);
});

test("whatever a property is called, at any depth, its service compiles or the name is refused", async () => {
  const fits: string[] = [];
  const line = (name: string): string => `
  "${name}": { type: string, filterable: true, sortable: true }
  holder${name}: { type: object, properties: { "${name}": { enum: [a] }, b: { type: object, properties: { "${name}": integer } } } }
`;
  for (const name of awkwardNames()) {
    if ((await checkProject(project(["ticket"], line(name)))).ok) fits.push(name);
  }
  const chunks = chunked(fits.filter(isTried), 40).map((chunk) => chunk.map(line).join(""));
  const services = chunks.map(async (properties, index) => {
    const files = project(["ticket"], properties);
    return [`part${index}`, await wholeService(await renderValid(files))] as const;
  });
  const all = Object.fromEntries(await Promise.all(services));
  expect(await compilerErrors("properties", all)).toBe("");
});

function chunked<T>(items: readonly T[], size: number): T[][] {
  const starts = items.map((_, index) => index).filter((index) => index % size === 0);
  return starts.map((start) => items.slice(start, start + size));
}

test.each([
  { what: "another's properties", entities: ["ticket", "ticketProperties"] },
  { what: "another's page", entities: ["ticket", "ticketPage"] },
  { what: "another's body", entities: ["ticket", "ticketCreate"] },
])("an entity with the type of $what is refused", async ({ entities }) => {
  const result = await renderFiles(project(entities));
  expect(result.ok).toBe(false);
  // That a create is not a thing is but a warning.
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(["SCH-19"]);
});

test("a nested object can not be called properties, and a page of objects can be called page", async () => {
  const nested = (name: string): Texts =>
    project(["ticket"], `\n  ${name}: { type: object, properties: { a: string } }\n`);
  expect((await renderFiles(nested("properties"))).ok).toBe(false);
  expect((await renderFiles(nested("page"))).ok).toBe(true);
});

test("a property whose name differs from the identifier's in capitals only is refused", async () => {
  expect((await renderFiles(project(["ticket"], "\n  ticketid: string\n"))).ok).toBe(false);
});

test("no two indexes, tables or columns have the same name", async () => {
  const created = "{ type: object, properties: { date: { type: timestamp, sortable: true } } }";
  const modified = "{ type: object, properties: { modified: " + created + " } }";
  const long = "a".repeat(55);
  const files = project(["ticket", long], `\n  created: ${created}\n  last: ${modified}\n`);
  const sql = emittedTexts(await renderValid(files))["migrations/0001-initial/sqlite.sql"] ?? "";
  const indexes = [...sql.matchAll(/INDEX "([^"]+)"/g)].map(([, name = ""]) => name.toLowerCase());
  expect(indexes).toHaveLength(8);
  expect(new Set(indexes).size).toBe(8);
  expect(indexes.filter((name) => name.length > 63)).toEqual([]);
});

test("schemas of an OpenAPI document are never those of two things", async () => {
  const texts = emittedTexts(await renderValid(project(["subject", "errorType"])));
  const document = JSON.parse(texts["openapi/v1.json"] ?? "") as {
    readonly components: { readonly schemas: Record<string, { properties?: object }> };
  };
  expect(document.components.schemas["SubjectDto"]?.properties).toHaveProperty("subjectId");
  expect(document.components.schemas["SubjectDto"]?.properties).toHaveProperty("price");
  expect(document.components.schemas["ErrorTypeDto"]?.properties).toHaveProperty("price");
});
