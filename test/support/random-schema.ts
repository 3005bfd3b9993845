import fc from "fast-check";
import { stringify } from "yaml";
import { kindNamed } from "../../src/kinds/kinds.js";
import { DEFAULT_LIMITS } from "../../src/model/defaults.js";
import { referringKeywords } from "./random-references.js";
import { AUTHENTICATION, possibleAccess, randomAccess, type AccessYaml } from "./random-access.js";
import { PAYLOADS } from "./emitted-names.js";
import { AWKWARD, entityName, name, plainName } from "./random-names.js";
import { withSearches } from "./random-searches.js";
import type { Texts } from "./render-files.js";

type Yaml = Readonly<Record<string, unknown>>;

/** What a schema can say about a property: the keywords of `{ type: string, ... }`. */
type Keywords = fc.Arbitrary<Yaml>;

/** Refused as texts of any schema: control characters and those that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u;

/** What a person would write, what an attacker would, and what nobody would. */
const text = fc
  .oneof(
    fc.constantFrom(...PAYLOADS.code_payloads.map((payload) => payload.text)),
    fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 20 }).map((parts) => parts.join(" ")),
    fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 6 }).map((parts) => parts.join("\n")),
    fc.string({ unit: "grapheme", maxLength: 150 }),
    fc.constantFrom('"', "'", "`", "\\", "${x}", "*/", "it's", '"quoted"', "'\"", "x".repeat(300)),
    fc
      .array(fc.constantFrom("名前", "が必要です", "é", "e\u0301", "😀", "ü "), {
        minLength: 10,
        maxLength: 40,
      })
      .map((parts) => parts.join("")),
  )
  .filter((given) => !UNSEEN.test(given.replaceAll("\n", "")));

const line = text.filter((given) => given.trim() !== "" && [...given].length <= 300);

const flags = (...names: readonly string[]): Keywords =>
  fc.record(Object.fromEntries(names.map((flag) => [flag, fc.boolean()])), { requiredKeys: [] });

/** Some of the keywords of each, the later winning. */
const together = (...parts: readonly Keywords[]): Keywords =>
  fc.tuple(...parts).map((given) => Object.assign({}, ...given) as Yaml);

const optional = (keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): Keywords =>
  fc.record(keywords, { requiredKeys: [] });

const bounds = (values: fc.Arbitrary<number | string>): Keywords =>
  fc.oneof(
    optional({ minimum: values }),
    optional({ exclusiveMaximum: values }),
    fc.constant({ multipleOf: 5 }),
  );

const PATTERNS = [
  "^[0-9]{4}$",
  "^[^/]+/[a-z]$",
  "^\\p{L}+$",
  "^`\\$\\{[a-z]$",
  "^[\"']\\\\$",
  "^//$",
];

const enumValues = fc.uniqueArray(fc.oneof(fc.constantFrom(...AWKWARD), plainName), {
  minLength: 1,
  maxLength: 12,
});

/** Keywords of values that are no objects and no lists. */
const SCALARS: readonly Keywords[] = [
  fc.constant({ type: "string" }),
  together(fc.constant({ type: "string", maxLength: 400 }), optional({ default: line })),
  together(fc.constant({ type: "string", maxLength: 400 }), optional({ example: line })),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom(...PATTERNS) }),
  fc.record({ type: fc.constant("string"), format: fc.constantFrom("email", "uri", "date") }),
  enumValues.chain((values) =>
    together(fc.constant({ enum: values }), optional({ default: fc.constantFrom(...values) })),
  ),
  together(fc.constant({ type: "integer" }), bounds(fc.integer())),
  together(
    fc.constant({ type: "number" }),
    bounds(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })),
  ),
  fc
    .integer({ min: 0, max: 12 })
    .chain((scale) =>
      together(fc.constant({ type: "decimal", scale }), optional({ maximum: fc.constant("12") })),
    ),
  together(fc.constant({ type: "boolean" }), optional({ default: fc.boolean() })),
  fc.constant({ type: "timestamp" }),
  fc.constant({ type: "uuid" }),
];

const described: Keywords = optional({ description: text, deprecated: fc.boolean() });

const scalar = (...also: readonly string[]): Keywords =>
  together(fc.oneof(...SCALARS), described, flags("required", "sensitive", ...also));

/** The items of a list say nothing that belongs to the list itself. */
const ON_ITEMS = ["type", "enum", "scale", "maxLength", "pattern", "format", "properties"];
const item = (values: Keywords): Keywords =>
  values.map((yaml) =>
    Object.fromEntries(Object.entries(yaml).filter(([keyword]) => ON_ITEMS.includes(keyword))),
  );

/** An example of a list, from one line to several. */
const listed = (values: fc.Arbitrary<unknown>): Keywords =>
  fc.record({ example: fc.uniqueArray(values, { minLength: 1, maxLength: 40 }) });
const exemplary: Keywords = fc.oneof(
  together(fc.constant({ type: "array", items: "string", maxItems: 50 }), listed(line)),
  together(fc.constant({ type: "array", items: "integer" }), listed(fc.integer())),
  together(fc.constant({ type: "array", items: "boolean" }), listed(fc.boolean())),
);

const list = (items: Keywords, ...also: readonly string[]): Keywords =>
  together(
    fc.record({ type: fc.constant("array"), items: item(items) }),
    optional({
      maxItems: fc.integer({ min: 4, max: 2000 }),
      minItems: fc.integer({ min: 0, max: 3 }),
    }),
    described,
    flags("uniqueItems", ...also),
  ).map(repeatable);

/** A list may repeat its items where there are too few values for them (SCH-361). */
function repeatable(yaml: Yaml): Yaml {
  const { uniqueItems: _unique, ...rest } = yaml;
  return kindNamed("array").keywordMistakes(yaml, DEFAULT_LIMITS).length === 0 ? yaml : rest;
}

const properties = (values: Keywords, most: number): Keywords =>
  fc
    .uniqueArray(fc.tuple(name, values), {
      minLength: 1,
      maxLength: most,
      selector: ([given]) => given.toLowerCase(),
    })
    .map((entries) => Object.fromEntries(entries));

const object = (inner: Keywords): Keywords =>
  together(
    fc.record({ type: fc.constant("object"), properties: properties(inner, 5) }),
    described,
    flags("required"),
  );

/** What no body holds, with all that is in it. */
const written = (values: Keywords): Keywords =>
  values.map(({ required: _required, immutable: _immutable, minItems: _least, ...rest }) => ({
    ...rest,
    readOnly: true,
  }));

/** What stands in a list is filtered at most, or only the service writes it. */
const inList = object(
  fc.oneof(
    scalar("filterable"),
    list(scalar()),
    object(scalar("filterable")),
    written(fc.oneof(scalar(), list(scalar()))),
  ),
);
const nested = object(
  fc.oneof(scalar("filterable", "sortable"), list(scalar()), object(scalar("sortable"))),
);

const property: Keywords = fc.oneof(
  { weight: 6, arbitrary: scalar("filterable", "sortable", "immutable") },
  { weight: 2, arbitrary: list(scalar(), "filterable", "immutable") },
  { weight: 1, arbitrary: list(inList) },
  { weight: 1, arbitrary: exemplary },
  { weight: 2, arbitrary: nested },
  { weight: 1, arbitrary: written(fc.oneof(nested, list(inList))) },
);

const operations = fc.subarray(["create", "list", "read", "replace", "update", "delete"], {
  minLength: 1,
});

const resource: Keywords = together(
  fc.record({ properties: properties(property, 14) }),
  optional({
    description: text,
    operations,
    count: fc.constantFrom("exact", "none"),
    ifMatch: fc.constantFrom("optional", "required"),
  }),
);

/** How a resource stands to the one before it: it refers to it, or is a child of it. */
const relation = fc.record({
  kind: fc.constantFrom("none", "one", "many", "inside", "items", "written", "external", "child"),
  name,
  yaml: together(described, flags("filterable", "sortable")),
  isRequired: fc.boolean(),
  letsGo: fc.boolean(),
  discloses: fc.boolean(),
  access: fc.option(randomAccess, { nil: null }),
  embedded: fc.integer({ min: 0, max: 4 }),
});
type Relation = typeof relation extends fc.Arbitrary<infer R> ? R : never;

const service: Keywords = optional({
  title: line.filter((given) => given.length <= 200),
  description: text,
  basePath: fc.constantFrom("/", "/api", "/rest/of-it"),
  identifiers: fc.constantFrom("ordered", "random"),
  json: fc.record({ pretty: fc.boolean() }),
  authentication: fc.constant(AUTHENTICATION),
});

/** Whole projects, as texts by path. Nearly all are valid: what is left is clashes of names. */
export const randomProject: fc.Arbitrary<Texts> = fc
  .tuple(
    service,
    fc.uniqueArray(fc.tuple(entityName, resource, relation), {
      minLength: 1,
      maxLength: 3,
      selector: ([entity]) => entity.toLowerCase(),
    }),
  )
  .map(([given, resources]) => projectTexts(given, resources));

type RandomResource = readonly [entity: string, yaml: Yaml, relation: Relation];

function plural(entity: string): string {
  return `${entity.toLowerCase().slice(0, 59)}s`;
}

function projectTexts(service: Yaml, resources: readonly RandomResource[]): Texts {
  const reason = "Names are made up.";
  const whole = {
    service: "random",
    inflections: Object.fromEntries(resources.map(([entity]) => [entity, plural(entity)])),
    rules: { "NAM-3": { level: "off", reason }, "NAM-1": { level: "off", reason } },
    ...service,
  };
  const files = resources.map((resource, index) => [
    `resources/v1/${plural(resource[0])}.yaml`,
    print({
      resource: plural(resource[0]),
      entity: resource[0],
      ...withSearches(withAccess(resource, related(resource, resources[index - 1]), whole)),
    }),
  ]);
  return { "service.yaml": print(whole), ...(Object.fromEntries(files) as Texts) };
}

/** The resource, beside the one before it: it refers to it, in some place, or is a child of it. */
function related([entity, yaml, relation]: RandomResource, before?: RandomResource): Yaml {
  const { kind, name: given, embedded } = relation;
  if (before === undefined || kind === "none") return yaml;
  const [other, { properties: shown }, { kind: above, access: guarded }] = before;
  if (kind === "child") return { ...yaml, parent: plural(other) };
  const own = yaml["properties"] as Yaml;
  const taken = Object.keys(own).map((property) => property.toLowerCase());
  if (taken.includes(given.toLowerCase()) || given === entity) return yaml;
  const reference = plural(other);
  const discloses = relation.discloses || guarded !== null || above === "child";
  const embed = Object.entries(shown as Readonly<Record<string, Yaml>>)
    .filter(([, { type }]) => type !== "object" && type !== "array")
    .filter(([, { sensitive }]) => discloses || sensitive !== true)
    .map(([property]) => property)
    .slice(0, embedded);
  const keywords = referringKeywords(relation, { reference, embed, discloses });
  return { ...yaml, properties: { ...own, [given]: keywords[kind] } };
}

/** Access, where callers have names; what is embedded and not disclosed is then read by whoever reads what holds it. */
function withAccess([, , relation]: RandomResource, yaml: Yaml, service: Yaml): Yaml {
  const { access: given, kind, discloses } = relation;
  if (given === null || service["authentication"] === undefined) return yaml;
  const isChild = yaml["parent"] !== undefined;
  const { read, ...others } = possibleAccess(given, isChild);
  const isShowing = ["one", "many", "inside", "items"].includes(kind);
  const isRead = read !== undefined && (discloses || !isShowing);
  const access: AccessYaml = { ...others, ...(isRead && { read }) };
  return Object.keys(access).length === 0 ? yaml : { ...yaml, access };
}

/** Texts in double quotes, so that nothing is read as something else. */
function print(yaml: Yaml): string {
  return stringify(yaml, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 });
}
