import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { renderFiles, type Texts } from "../support/render-files.js";
import { cases } from "../support/thorough.js";

// SCH-19: names that are made of two of the schema's own words, next to a name that is the same as a whole.

/** Endings of the names that emitted code and documents make of `order`, its properties and its actions. */
const MADE = [
  ...["Dto", "Page", "PageDto", "Create", "CreateDto", "Replace", "Update", "Query", "Client"],
  ...["Properties", "Hooks", "References", "Actions", "ActionController", "Input"],
  ...[
    "Service",
    "Paths",
    "Access",
    "Aliases",
    "Serializer",
    "Store",
    "Table",
    "Events",
    "Conditions",
  ],
  ...[
    "Names",
    "Reader",
    "Scope",
    "States",
    "Status",
    "StatusDto",
    "Part",
    "PartDto",
    "Like",
    "LikeDto",
  ],
  ...["Lines", "LinesDto", "Cancel", "CancelInput", "CancelInputDto", "CancelInputPart"],
  ...["CancelInputKind", "CancelAnswer", "CancelAnswerDto", "CancelAnswerPart", "CancelRules"],
  ...["BodyReferences", "Row", "Shape", "Conversion", "Reference", "Entity", "Filters", "Sorts"],
];

const ORDER = (properties: string): string => `resource: orders
entity: order
events: [created, updated, deleted]
properties:
  status: { enum: [open, shut], required: true, default: open, filterable: true }
  part: { type: object, properties: { size: integer, sort: { enum: [a, b] } } }
  like: { reference: orders, embed: [status], disclose: true }
  lines: { type: array, items: { type: object, properties: { amount: integer } } }
${properties}
states: { property: status, initial: open, transitions: { open: [shut], shut: [] } }
aliases: { recent: { where: { status: open } } }
actions:
  cancel:
    input: { kind: { enum: [a, b] }, part: { type: object, properties: { size: integer } } }
    answers: { kind: { enum: [a, b] }, part: { type: object, properties: { size: integer } } }
`;

const SERVICE = `service: desk
client: true
rules: { NAM-1: { level: off, reason: tried }, NAM-3: { level: off, reason: tried } }
`;

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** An entity that is called so. */
const entity = (name: string): Texts => ({
  "service.yaml": `${SERVICE}inflections: { ${name}: ${name.toLowerCase()}s }\n`,
  "resources/v1/orders.yaml": ORDER(""),
  [`resources/v1/${name.toLowerCase()}s.yaml`]: `resource: ${name.toLowerCase()}s\nentity: ${name}\nevents: [created]\nproperties: { label: string, order: { reference: orders } }\n`,
});

const property =
  (yaml: string) =>
  (name: string): Texts => ({ "resources/v1/orders.yaml": ORDER(`  ${name}: ${yaml}`) });

/** An action that is called so, with an input and an answer of its own. */
const action = (name: string): Texts => ({
  "resources/v1/orders.yaml": `${ORDER("")}  ${name}: { input: { count: integer }, answers: { count: integer } }\n`,
});

/** A child of orders that is called so. */
const child = (name: string): Texts =>
  Object.fromEntries(
    Object.entries(entity(name)).map(([path, text]) => [
      path,
      text.replace(
        "properties: { label: string, order: { reference: orders } }",
        "parent: orders\nproperties: { label: string }",
      ),
    ]),
  );

const WAYS: readonly (readonly [what: string, of: (ending: string) => Texts])[] = [
  ["entity", (ending) => entity(`order${ending}`)],
  ["child", (ending) => child(`order${ending}`)],
  [
    "object",
    (ending) => property("{ type: object, properties: { x: integer } }")(lowerFirst(ending)),
  ],
  ["enum", (ending) => property("{ enum: [a, b] }")(lowerFirst(ending))],
  ["reference", (ending) => property("{ reference: orders }")(lowerFirst(ending))],
  [
    "list",
    (ending) =>
      property("{ type: array, items: { type: object, properties: { x: integer } } }")(
        lowerFirst(ending),
      ),
  ],
  ["action", (ending) => action(ending.toLowerCase())],
];

const EACH = cases({ usual: 12, long: 1 });
const ALL = WAYS.flatMap(([what, of]) =>
  MADE.map((ending) => ({ name: `${what}${ending}`, files: of(ending) })),
);

test("what is called like a name that is made of others compiles, client and tests included, or is refused", async () => {
  const services: Record<string, Texts> = {};
  const codes = new Set<string>();
  for (const { name, files } of ALL.filter((_, index) => index % EACH === 0)) {
    const rendered = await renderFiles({ "service.yaml": SERVICE, ...files });
    if (rendered.ok) services[name] = await wholeService(rendered.value);
    else for (const { code } of rendered.diagnostics) codes.add(code);
  }
  // Besides the names that are taken: those that mean something else, and a key that is there twice.
  expect(["SCH-19", "SCH-122", "SCH-231", "SCH-5"]).toEqual(expect.arrayContaining([...codes]));
  expect(codes).toContain("SCH-19");
  expect(Object.keys(services).length).toBeGreaterThan(ALL.length / EACH / 3);
  expect(await compilerErrors("made-names", services)).toBe("");
});
