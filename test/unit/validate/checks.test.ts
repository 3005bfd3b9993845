import { beforeAll, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { CHECKS, type Check } from "../../../src/validate/checks.js";
import { Findings } from "../../../src/validate/findings.js";
import { diagnosticPage, diagnosticsOf, PAGE_CODES } from "../../support/diagnostic-pages.js";
import type { Texts } from "../../support/render-files.js";

const ALL = Object.entries(CHECKS).flatMap(([scope, checks]) =>
  checks.map((check) => ({ scope, check: check as Check })),
);

const MANY = Array.from({ length: 201 }, (_, index) => `p${index}: string`).join(", ");

/** Mistakes that one check reports as the page of the code shows it of another: lines of tickets.yaml. */
const MISTAKES: readonly string[] = [
  "paging: { defaultSize: 50, maximumSize: 20 }",
  "description: AKIAABCDEFGHIJKLMNOP",
  `properties: { ${MANY} }`,
  "unique: [[title], [title]]",
  "actions: { sendNow: {}, ship: { access: [nobody, owner, parent, 'role:a b'] } }",
  "actions: { ship: { states: [gone] } }\nproperties: { status: { enum: [open] } }\nstates: { property: status, transitions: { open: [] } }",
  `properties: { status: { enum: [${"a".repeat(101)}] } }`,
  "properties: { ticketID: uuid }",
  "properties: { Id: { reference: users, external: true } }",
  "properties: { user: { reference: users, external: true, entity: User } }",
  "properties: { user: { reference: users, external: true, embed: [Name] } }",
  "properties: { dto: { enum: [open] } }",
  "properties: { titleId: { type: string, exempt: { REP-4: it leads nowhere } } }",
  "actions: { ship: { input: { Due: string, constructor: string, tag: { type: array, items: string }, tags: { type: array, items: string, exempt: { NAM-3: why } } } } }",
  "search: [search, weight, titel]\nproperties: { search: { type: string, filterable: true }, weight: integer }",
  "properties: { parcel: { type: object, properties: { x: { type: string, converted: true } } } }",
];
/** Other files than tickets.yaml. */
const PROJECTS: readonly Texts[] = [
  { "service.yaml": "service: shop\ntitle: 2026-01-01\nversions: { first: draft }\n" },
  { "resources/v1/constructor.yaml": "resource: constructor\nentity: ticket\n" },
  { "resources/v1/tickets.yaml": `resource: tickets\nentity: ${"a".repeat(61)}\n` },
  {
    "resources/v1/tickets.yaml": "resource: tickets\nentity: ticket\nactions: { notes: {} }\n",
    "resources/v1/notes.yaml": "resource: notes\nentity: note\nparent: tickets\n",
  },
  {
    "resources/v1/tickets.yaml": "resource: tickets\nentity: ticket\n",
    "resources/v1/strings.yaml": "resource: strings\nrepresents: tickets\nproperties: []\n",
  },
];

function mistaken(lines: string): Texts {
  return { "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\n${lines}\n` };
}

/** The conditions of a page's aliases as those of a representation. */
function represented(project: Texts): readonly Texts[] {
  const { resource, properties, aliases } = parse(String(project["resources/v1/tickets.yaml"])) as {
    resource?: string;
    properties?: object;
    aliases?: Record<string, { where?: object } | null>;
  };
  return Object.values(aliases ?? {}).map((alias) => ({
    ...project,
    "resources/v1/opentickets.yaml": stringify({
      resource: "opentickets",
      represents: resource,
      properties: Object.keys(properties ?? {}),
      where: alias?.where,
    }),
  }));
}

/** What each check has reported. */
const reported = new Map(ALL.map(({ check }) => [check, new Set<string>()]));

beforeAll(async () => {
  const tell = vi.spyOn(Findings.prototype, "tell");
  for (const [check, codes] of reported) {
    const run = check.run.bind(check) as (...given: unknown[]) => void;
    vi.spyOn(check, "run").mockImplementation((...given: unknown[]) => {
      tell.mockClear();
      run(...given);
      for (const [{ code }] of tell.mock.calls) codes.add(code);
    });
  }
  const shown = PAGE_CODES.map((code) => diagnosticPage(code).wrong ?? {});
  const aliased = shown.filter((one) => one["resources/v1/tickets.yaml"]?.includes("aliases:"));
  const mistakes = [...MISTAKES.map(mistaken), ...PROJECTS];
  for (const project of [...shown, ...aliased.flatMap(represented), ...mistakes]) {
    await diagnosticsOf({ "service.yaml": "service: shop\n", ...project });
  }
});

test.each(ALL)("the check of $check.name ($scope) reports the codes that it lists", ({ check }) => {
  expect([...(reported.get(check) ?? [])].sort()).toEqual(check.codes.split(" ").sort());
});
