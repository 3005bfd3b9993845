import fc from "fast-check";
import type { Texts } from "../../support/render-files.js";

/** Properties with few values, by their YAML without its braces. */
const FEW = [
  "enum: [north, south]",
  "enum: [red, green, blue]",
  "type: boolean",
  "type: integer, minimum: 1, maximum: 5",
  "type: number, multipleOf: 0.5, minimum: 0, maximum: 1",
  "type: string, format: date",
];

/** A property, which its flags make required, immutable, sortable and filterable. */
const property = fc
  .tuple(
    fc.constantFrom(...FEW),
    fc.subarray(["required: true", "immutable: true", "sortable: true", "filterable: true"]),
  )
  .map(([type, flags]) => [type, ...flags].join(", "));

/** Where entities belong, or what they refer to. */
const relation = fc.constantFrom("none", "parent", "reference", "itself");

/** The YAML of one resource: two or three properties that are unique in one way or another. */
const resource = fc.record({
  properties: fc.array(property, { minLength: 2, maxLength: 3 }),
  relation,
  isRelated: fc.boolean(),
  hasStates: fc.boolean(),
  isStateUnique: fc.boolean(),
  isSingle: fc.boolean(),
  isCode: fc.boolean(),
});

type Drawn = typeof resource extends fc.Arbitrary<infer One> ? One : never;

/** Small services whose unique lists can hold few entities. */
export const smallService: fc.Arbitrary<Texts> = fc
  .tuple(resource, resource, fc.boolean())
  .map(([first, second, isTwice]) => ({
    "service.yaml": `service: desk\n${isTwice ? "versions: { v1: draft, v2: draft }\n" : ""}`,
    "resources/v1/desks.yaml": yamlOf("desk", {
      ...first,
      relation: first.relation === "itself" ? "itself" : "none",
    }),
    "resources/v1/seats.yaml": yamlOf("seat", second),
    ...(isTwice && {
      "resources/v2/desks.yaml": "resource: desks\nsameAs: v1\n",
      "resources/v2/seats.yaml": "resource: seats\nsameAs: v1\n",
    }),
  }));

function yamlOf(name: string, drawn: Drawn): string {
  const { relation: related, isRelated, hasStates, isStateUnique, isSingle, isCode } = drawn;
  const own = drawn.properties.map((text, index) => {
    const isAlone = isSingle && index === 0 && !/boolean/.test(text);
    return `  p${"abc"[index]}: { ${text}${isAlone ? ", unique: true" : ""} }`;
  });
  const names = drawn.properties.map((_, index) => `p${"abc"[index]}`).slice(isSingle ? 1 : 0);
  const references = {
    none: [],
    parent: ["  desk: { reference: desks }"],
    reference: ["  desk: { reference: desks, required: true }"],
    itself: [`  next: { reference: ${name}s, onDelete: setNull }`],
  }[related];
  const key = { none: [], parent: ["desk"], reference: ["desk"], itself: ["next"] }[related];
  const unique = [
    ...names,
    ...(isRelated ? key : []),
    ...(hasStates && isStateUnique ? ["status"] : []),
  ];
  return [
    `resource: ${name}s`,
    `entity: ${name}`,
    ...(related === "parent" ? ["parent: desks"] : []),
    "properties:",
    ...own,
    ...references,
    ...(isCode ? ["  code: { type: string, maxLength: 20, unique: true }"] : []),
    "  title: { type: string, sortable: true, filterable: true }",
    ...(hasStates ? ["  status: { enum: [draft, placed, shipped], filterable: true }"] : []),
    ...(hasStates
      ? [
          "states: { property: status, initial: draft, transitions: { draft: [placed], placed: [shipped], shipped: [] } }",
        ]
      : []),
    ...(unique.length > 1 ? [`unique: [[${unique.join(", ")}]]`] : []),
    "",
  ].join("\n");
}
