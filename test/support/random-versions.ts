import fc from "fast-check";
import { stringify } from "yaml";
import { nextVersion, type Deed, type Resources, type Step, type Yaml } from "./next-version.js";
import type { Texts } from "./render-files.js";

const STATES = ["placed", "packed", "shipped"];

/** Something of everything that a version can call or show otherwise, in every place where it can stand. */
const FIRST: Resources = {
  people: {
    entity: "person",
    properties: {
      name: { type: "string", required: true, maxLength: 40, filterable: true },
      standing: { enum: ["good", "blocked"], filterable: true, sortable: true },
      ranks: { type: "array", items: { enum: ["gold", "silver"] } },
      hours: { type: "integer" },
    },
  },
  orders: {
    entity: "order",
    properties: {
      title: { type: "string", required: true, maxLength: 80 },
      status: { enum: STATES, filterable: true, sortable: true },
      buyer: { reference: "people", required: true, embed: ["name", "standing"] },
      seller: { reference: "people", embed: ["standing"], filterable: true },
      level: { enum: ["low", "high"], required: true, filterable: true },
      channels: { type: "array", items: { enum: ["mail", "phone"] }, uniqueItems: true },
      address: {
        type: "object",
        required: true,
        properties: {
          street: { type: "string", required: true },
          zone: { enum: ["north", "south"], filterable: true },
          keeper: { reference: "people", embed: ["name", "standing"] },
          entrance: { type: "object", properties: { side: { enum: ["left", "right"] } } },
        },
      },
      place: { type: "object", properties: { floor: { type: "integer" } } },
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: {
            article: { type: "string", required: true, filterable: true },
            colour: { enum: ["red", "blue"], filterable: true },
            maker: { reference: "people", required: true, embed: ["standing"] },
          },
        },
      },
      watchers: { type: "array", items: { reference: "people", embed: ["standing"] } },
      weight: { type: "decimal", scale: 2 },
      sentDate: { type: "timestamp", readOnly: true },
      code: { type: "string", required: true, immutable: true },
    },
    states: {
      property: "status",
      initial: "placed",
      transitions: { placed: ["packed"], packed: ["shipped"], shipped: [] },
    },
    aliases: { settled: { where: { status: { not: "placed" } }, sort: ["-status"] } },
  },
  shipments: {
    entity: "shipment",
    parent: "orders",
    properties: {
      order: { reference: "orders", embed: ["title", "status", "level"] },
      carrier: { type: "string" },
    },
  },
  openorders: {
    represents: "orders",
    where: { status: ["placed", "packed"] },
    properties: { step: "status", what: "title", where: "address", parts: "lines" },
    operations: ["list", "read", "update"],
  },
};

/** What is shown of orders under other names, and what can be done with it: a create needs all that is required. */
const REPRESENTATIONS: readonly Yaml[] = [
  FIRST["openorders"] ?? {},
  {
    properties: { parts: "lines", note: "weight", number: "code" },
    operations: ["read", "replace"],
  },
  {
    properties: { people: "watchers", by: "seller", number: "code" },
    operations: ["list", "read", "delete"],
  },
  {
    properties: {
      what: "title",
      level: "level",
      payer: "buyer",
      to: "address",
      number: "code",
      ways: "channels",
    },
    operations: ["create", "list", "read", "update"],
  },
];

const steps: fc.Arbitrary<Step> = fc.record({
  deeds: fc.array(
    fc.constantFrom<Deed>("keep", "keep", "rename", "rename", "remove", "convert", "more", "more"),
    { minLength: 1, maxLength: 11 },
  ),
  adds: fc.nat(20),
});

/** Projects of three versions, each of which edits the one before at random, and in every place. */
export const versionedProjects: fc.Arbitrary<Texts> = fc
  .tuple(fc.array(steps, { minLength: 1, maxLength: 2 }), fc.constantFrom(...REPRESENTATIONS))
  .map(([made, representation]) => {
    const first = { ...FIRST, openorders: { represents: "orders", ...representation } };
    const versions: Resources[] = [first];
    for (const [index, step] of made.entries()) {
      versions.push(nextVersion(versions[index] ?? first, step, index + 2));
    }
    return textsOf(versions);
  });

function textsOf(versions: readonly Resources[]): Texts {
  const files = versions.flatMap((resources, index) =>
    Object.entries(resources).map(([resource, yaml]) => [
      `resources/v${index + 1}/${resource}.yaml`,
      stringify({ resource, ...yaml }, { aliasDuplicateObjects: false }),
    ]),
  );
  const names = versions.map((_, index) => `v${index + 1}: draft`).join(", ");
  return {
    "service.yaml": `service: shop\nversions: { ${names} }\n`,
    ...(Object.fromEntries(files) as Texts),
  };
}
