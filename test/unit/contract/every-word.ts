import type { ChangeKindId } from "../../../src/contract/change-kinds.js";

/** An edit that no fixture shows: a line of service.yaml, of a resource, or what a property says. */
export interface EditOfWord {
  readonly kinds: readonly ChangeKindId[];
  readonly before: string;
  readonly after: string;
}

/** The kinds of edit that a word has, whose fixtures edit it; an edit of its own; or why it has none. */
export type KnownWord = readonly ChangeKindId[] | EditOfWord | string;

const HOLDS = "It only holds other words.";
const DOCUMENTS = "The documents alone say it.";
const CONVERTS = "It leads from one version to the next; what each of them shows is told itself.";
const NAMING = "It says which names are accepted, and changes none.";
const STATUS =
  "What clients were promised stays; the report says the status and its dates of each version.";

function limit(name: string, before: number, after: number): EditOfWord {
  return {
    kinds: ["limit-lowered"],
    before: `limits: { ${name}: ${before} }`,
    after: `limits: { ${name}: ${after} }`,
  };
}

function capacity(name: string, before: number, after: number): EditOfWord {
  return { ...limit(name, before, after), kinds: ["capacity-changed"] };
}

function token(name: string, value: string): EditOfWord {
  const others = Object.entries({
    issuer: "https://a.example.com/",
    audience: "desk",
    keys: "a.json",
  })
    .filter(([key]) => key !== name)
    .map(([key, own]) => `${key}: ${own}`);
  const given = (own: string): string =>
    `authentication: { scheme: bearer, ${[...others, `${name}: ${own}`].join(", ")} }`;
  return { kinds: ["tokens-changed"], before: given("before.json"), after: given(value) };
}

/** An edit of a claim that something is granted to. */
function claimed(
  kinds: readonly ChangeKindId[],
  [start, end]: readonly [string, string],
  word: "claim" | "is" | "equals",
): EditOfWord {
  const line = (grant: object): string => start + JSON.stringify(grant) + end;
  const given = { claim: "kind", is: "a" };
  const changed =
    word === "equals" ? { claim: "kind", equals: "value" } : { ...given, [word]: "b" };
  return { kinds, before: line(given), after: line(changed) };
}

/** The words of a claim that something is granted to. */
function claims(
  place: string,
  kinds: readonly ChangeKindId[],
  around: readonly [string, string],
): Readonly<Record<string, KnownWord>> {
  const NONE = "A new entity has no value yet (SCH-230).";
  return {
    [`${place}.claim`]: claimed(kinds, around, "claim"),
    [`${place}.is`]: claimed(kinds, around, "is"),
    [`${place}.equals`]: place.endsWith("create") ? NONE : claimed(kinds, around, "equals"),
  };
}

const READ_ACCESS = ["read-access-narrowed", "read-access-widened"] as const;
const WRITE_ACCESS = ["write-access-narrowed", "write-access-widened"] as const;
const ACTION_ACCESS = ["action-access-narrowed", "action-access-widened"] as const;

/** Every word of the language: `service: limits.bodyBytes`, `resource: property.maxLength`. */
export const EVERY_WORD: Readonly<Record<string, KnownWord>> = {
  "service: service": ["event-types-changed", "service-renamed"],
  "service: title": DOCUMENTS,
  "service: description": {
    kinds: ["description-changed"],
    before: "description: Tickets.",
    after: "description: Tickets and teams.",
  },
  "service: license": DOCUMENTS,
  "service: tenant": "Each resource has it: what becomes of that is told there.",
  "service: tenant.claim": "It is another token, which edits-of-service.ts knows.",
  "service: tenant.existing": "It is the tenant of rows that are there: no client can see it.",
  "service: contact": HOLDS,
  "service: contact.name": DOCUMENTS,
  "service: contact.url": DOCUMENTS,
  "service: contact.email": DOCUMENTS,
  "service: header": "It is a comment in generated code.",
  "service: basePath": ["base-path-changed"],
  "service: versions": STATUS,
  "service: versions.status": STATUS,
  "service: versions.deprecated": STATUS,
  "service: versions.sunset": STATUS,
  "service: versions.removed":
    "What a version has follows from its files; the report says what it lacks of the version before.",
  "service: cors": HOLDS,
  "service: cors.origins": ["origin-added", "origin-removed"],
  "service: identifiers": ["identifiers-changed"],
  "service: timeZone": "The conditions that depend on it are reported: same-meaning.test.ts.",
  "service: json": HOLDS,
  "service: json.pretty": ["layout-changed"],
  "service: paging": HOLDS,
  "service: paging.defaultSize": {
    kinds: ["default-page-size-changed"],
    before: "paging: { defaultSize: 20 }",
    after: "paging: { defaultSize: 30 }",
  },
  "service: paging.maximumSize": {
    kinds: ["maximum-page-size-lowered"],
    before: "paging: { maximumSize: 100 }",
    after: "paging: { maximumSize: 50 }",
  },
  "service: paging.next": {
    kinds: ["next-added"],
    before: "paging: { next: false }",
    after: "paging: { next: true }",
  },
  "service: limits": HOLDS,
  "service: limits.bodyBytes": ["limit-lowered", "limit-raised"],
  "service: limits.urlBytes": limit("urlBytes", 8192, 4096),
  "service: limits.headerBytes": limit("headerBytes", 16384, 8192),
  "service: limits.requestSeconds": ["time-out-changed"],
  "service: limits.jsonDepth": limit("jsonDepth", 32, 16),
  "service: limits.jsonValues": limit("jsonValues", 20000, 10000),
  "service: limits.arrayItems": {
    ...limit("arrayItems", 1000, 500),
    kinds: ["maximum-items-lowered"],
  },
  "service: limits.stringCharacters": {
    ...limit("stringCharacters", 10000, 5000),
    kinds: ["maximum-length-lowered"],
  },
  "service: limits.pageBytes": limit("pageBytes", 4194304, 2097152),
  "service: limits.receivingBytes": capacity("receivingBytes", 67108864, 33554432),
  "service: limits.sendingBytes": capacity("sendingBytes", 33554432, 16777216),
  "service: limits.concurrentRequests": ["capacity-changed"],
  "service: limits.requestsPerMinute": ["rate-limit-tightened", "rate-limit-loosened"],
  "service: authentication": HOLDS,
  "service: authentication.scheme": ["authentication-required", "authentication-dropped"],
  "service: authentication.issuer": ["tokens-changed"],
  "service: authentication.audience": token("audience", "helpdesk"),
  "service: authentication.keys": token("keys", "b.json"),
  "service: authentication.roles": token("roles", "groups"),
  "service: client": "A client is made of the interface, and changes nothing of it.",
  "service: events": HOLDS,
  "service: events.source": ["event-source-changed"],
  "service: inflections": `${NAMING} Of a reference to another service, it names the identifier: that edit is reported there.`,
  "service: rules": NAMING,
  "service: rules.NAM-1": NAMING,
  "service: rules.NAM-1.level": NAMING,
  "service: rules.NAM-1.reason": NAMING,
  "service: rules.NAM-3": NAMING,
  "service: rules.NAM-3.level": NAMING,
  "service: rules.NAM-3.reason": NAMING,
  "resource: resource": ["resource-added", "resource-removed"],
  "resource: entity": ["identifier-renamed"],
  "resource: description": {
    kinds: ["description-changed"],
    before: "description: Tickets.",
    after: "description: What customers ask for.",
  },
  "resource: properties": [
    "property-added",
    "property-added-required",
    "property-added-read-only",
    "property-removed",
    "property-perhaps-renamed",
    "property-shows-another",
  ],
  "resource: operations": ["operation-added", "read-operation-removed", "write-operation-removed"],
  "resource: count": ["count-added", "count-removed"],
  "resource: paging": HOLDS,
  "resource: paging.defaultSize": ["default-page-size-changed"],
  "resource: paging.maximumSize": ["maximum-page-size-lowered", "maximum-page-size-raised"],
  "resource: paging.next": ["next-added", "next-removed"],
  "resource: access": HOLDS,
  ...claims("resource: access.read", READ_ACCESS, ["access: { read: [", "] }"]),
  ...claims("resource: access.create", WRITE_ACCESS, ["access: { create: [", "] }"]),
  ...claims("resource: access.update", WRITE_ACCESS, ["access: { update: [", "] }"]),
  ...claims("resource: access.delete", WRITE_ACCESS, ["access: { delete: [", "] }"]),
  ...claims("resource: actions.access", ACTION_ACCESS, ["actions: { close: { access: [", "] } }"]),
  "resource: owner": {
    kinds: WRITE_ACCESS,
    before: "access: { update: [owner] }",
    after: "access: { update: [owner] }\nowner: value",
  },
  "resource: access.read": READ_ACCESS,
  "resource: access.create": {
    kinds: ["write-access-narrowed"],
    before: "access: { create: [authenticated] }",
    after: "access: { create: ['role:agent'] }",
  },
  "resource: access.update": {
    kinds: ["write-access-widened"],
    before: "access: { update: [owner] }",
    after: "access: { update: [authenticated] }",
  },
  "resource: access.delete": [
    ...WRITE_ACCESS,
    ...(["deletion-narrowed", "deletion-widened"] as const),
  ],
  "resource: parent": ["parent-added", "parent-changed", "parent-removed"],
  "resource: exempt": NAMING,
  "resource: exempt.NAM-1": NAMING,
  "resource: tenant": ["tenant-added", "tenant-removed"],
  "resource: tenant.claim": "All resources name the claim that service.yaml names (SCH-440).",
  "resource: tenant.existing": "It is the tenant of rows that are there: no client can see it.",
  "resource: ifMatch": ["if-match-required", "if-match-optional"],
  "resource: states": ["states-added", "states-removed"],
  "resource: states.property": "Other states are states that are gone and states that are new.",
  "resource: states.initial": [
    "initial-state-changed",
    "initial-state-added",
    "initial-state-removed",
  ],
  "resource: states.transitions": ["transition-added", "transition-removed"],
  "resource: states.updatableIn": ["update-states-narrowed", "update-states-widened"],
  "resource: states.deletableIn": [
    "delete-states-narrowed",
    "delete-states-widened",
    "deletion-freed",
  ],
  "resource: actions": ["action-added", "action-removed"],
  "resource: actions.description": {
    kinds: ["description-changed"],
    before: "actions: { tidy: { description: Removes what is old. } }",
    after: "actions: { tidy: { description: Removes what is closed. } }",
  },
  "resource: actions.on": ["action-moved"],
  "resource: actions.input": {
    kinds: ["maximum-length-lowered"],
    before: "actions: { tidy: { input: { why: { type: string, maxLength: 80 } } } }",
    after: "actions: { tidy: { input: { why: { type: string, maxLength: 40 } } } }",
  },
  "resource: actions.answers": ["action-answer-changed"],
  "resource: actions.states": ["action-states-narrowed", "action-states-widened"],
  "resource: actions.leadsTo": ["action-leads-elsewhere"],
  "resource: actions.emits": {
    kinds: ["event-removed", "event-added"],
    before: "actions: { tidy: { emits: tidied } }",
    after: "actions: { tidy: { emits: cleaned } }",
  },
  "resource: actions.access": ACTION_ACCESS,
  "resource: aliases": ["alias-added", "alias-removed"],
  "resource: aliases.description": {
    kinds: ["description-changed"],
    before: "aliases: { recent: { description: New ones., sort: [-createdDate] } }",
    after: "aliases: { recent: { description: The latest., sort: [-createdDate] } }",
  },
  "resource: aliases.where": ["alias-condition-changed"],
  "resource: aliases.sort": ["alias-sort-changed"],
  "resource: commonFilters": ["common-filter-added", "common-filter-removed"],
  "resource: search": [
    ...(["search-parameter-added", "search-parameter-removed"] as const),
    ...(["search-parameter-widened", "search-parameter-changed"] as const),
  ],
  "resource: indexes": ["index-added", "index-removed"],
  "resource: unique": ["unique-list-added", "unique-list-removed"],
  "resource: represents": ["original-changed", "entity-renamed"],
  "resource: where": ["condition-changed"],
  "resource: emits": {
    kinds: ["event-removed", "event-added"],
    before: "emits: [reminded]",
    after: "emits: [noticed]",
  },
  "resource: events": ["event-added", "event-removed"],
  "resource: renamedFrom": ["resource-renamed"],
  "resource: removed": "It says why a property is gone, which is told itself.",
  "resource: sameAs": "What is the same has no edit.",
  "resource: property.type": ["type-changed", "integer-became-number", "number-became-integer"],
  "resource: property.minLength": ["minimum-length-raised", "minimum-length-lowered"],
  "resource: property.maxLength": ["maximum-length-lowered", "maximum-length-raised"],
  "resource: property.pattern": ["pattern-added", "pattern-changed", "pattern-removed"],
  "resource: property.format": [
    "format-added",
    "format-changed",
    "format-removed",
    "filter-narrowed",
  ],
  "resource: property.enum": [
    ...(["enum-value-added", "enum-value-removed", "filter-value-removed"] as const),
    ...(["enum-opened", "text-became-enum"] as const),
  ],
  "resource: property.inOlderVersions": [
    "enum-value-shown-instead",
    "shown-value-changed",
    "shown-state-allows-less",
  ],
  "resource: property.minimum": ["minimum-raised", "minimum-lowered"],
  "resource: property.maximum": ["maximum-lowered", "maximum-raised"],
  "resource: property.exclusiveMinimum": {
    kinds: ["minimum-raised"],
    before: "{ type: number, exclusiveMinimum: 1 }",
    after: "{ type: number, exclusiveMinimum: 2 }",
  },
  "resource: property.exclusiveMaximum": {
    kinds: ["maximum-lowered"],
    before: "{ type: number, exclusiveMaximum: 9 }",
    after: "{ type: number, exclusiveMaximum: 8 }",
  },
  "resource: property.multipleOf": ["multiple-tightened", "multiple-loosened"],
  "resource: property.scale": ["scale-raised", "scale-lowered"],
  "resource: property.properties": ["property-added-in-list"],
  "resource: property.reference": ["reference-target-changed", "deletion-held"],
  "resource: property.listedUnder": ["path-added", "path-changed", "path-removed"],
  "resource: property.identifier": ["identifier-became-text", "identifier-became-uuid"],
  "resource: property.embed": ["embed-added", "embed-removed"],
  "resource: property.disclose": "It allows what `embed` says, and what that shows is told.",
  "resource: property.external": {
    kinds: ["reference-target-changed", "deletion-freed"],
    before: "{ reference: users }",
    after: "{ reference: merchants, external: true }",
  },
  "resource: property.entity": {
    kinds: ["reference-target-changed"],
    before: "{ reference: merchants, external: true }",
    after: "{ reference: merchants, external: true, entity: dealer }",
  },
  "resource: property.onDelete": ["on-delete-refused", "on-delete-allowed"],
  "resource: property.items": {
    kinds: ["type-changed"],
    before: "{ type: array, items: string }",
    after: "{ type: array, items: boolean }",
  },
  "resource: property.minItems": ["minimum-items-raised", "minimum-items-lowered"],
  "resource: property.maxItems": ["maximum-items-lowered", "maximum-items-raised"],
  "resource: property.uniqueItems": ["items-became-unique", "items-no-longer-unique"],
  "resource: property.required": ["property-became-required", "property-became-nullable"],
  "resource: property.description": ["description-changed"],
  "resource: property.example": ["example-changed"],
  "resource: property.default": [
    ...(["default-added", "default-given", "default-changed", "default-removed"] as const),
  ],
  "resource: property.deprecated": ["property-deprecated", "property-no-longer-deprecated"],
  "resource: property.filterable": [
    ...(["filter-added", "filter-removed"] as const),
    ...(["range-filter-added", "range-filter-removed"] as const),
    ...(["search-added", "search-removed"] as const),
    "page-tokens-removed",
  ],
  "resource: property.sortable": ["sort-added", "sort-removed"],
  "resource: property.unique": ["property-became-unique", "property-no-longer-unique"],
  "resource: property.readOnly": [
    ...(["property-became-read-only", "property-became-writable"] as const),
    "property-became-writable-in-list",
  ],
  "resource: property.immutable": ["property-became-immutable", "property-became-mutable"],
  "resource: property.sensitive": ["sensitivity-changed"],
  "resource: property.exempt": NAMING,
  "resource: property.exempt.NAM-3": NAMING,
  "resource: property.exempt.REP-4": NAMING,
  "resource: property.renamedFrom": ["property-renamed"],
  "resource: property.converted": ["property-converted"],
  "resource: property.converted.from": CONVERTS,
  "resource: property.converted.unit": CONVERTS,
  "resource: property.converted.values": CONVERTS,
};
