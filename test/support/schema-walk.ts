import fc from "fast-check";
import { stringify } from "yaml";
import type { Texts } from "./render-files.js";

/** The keywords of a property, or of a resource. */
export type Yaml = Readonly<Record<string, unknown>>;

/** The schemas of a service: resources by plural. */
export type Schemas = Readonly<Record<string, Yaml>>;

/** What every walk begins with: something of every kind. */
export const FIRST: Schemas = {
  customers: {
    entity: "customer",
    properties: {
      name: { type: "string", required: true, maxLength: 100 },
      phone: { type: "string", maxLength: 40, filterable: true },
    },
  },
  orders: {
    entity: "order",
    properties: {
      title: { type: "string", maxLength: 80, required: true },
      amount: { type: "integer", filterable: true },
      price: { type: "decimal", scale: 2, sortable: true },
      weight: { type: "number" },
      fragile: { type: "boolean" },
      due: { type: "string", format: "date" },
      sent: { type: "timestamp" },
      status: { enum: ["open", "closed", "onHold"], required: true, filterable: true },
      customer: { reference: "customers", required: true },
      watchers: { type: "array", items: { reference: "customers" } },
      tags: { type: "array", items: { type: "string", maxLength: 30 }, filterable: true },
      address: {
        type: "object",
        properties: {
          street: { type: "string", maxLength: 60 },
          state: { type: "string", maxLength: 20, filterable: true },
          fee: { type: "decimal", scale: 1 },
        },
      },
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: {
            sku: { type: "string", filterable: true },
            count: { type: "integer", filterable: "range" },
          },
        },
      },
    },
  },
};

/** The files of a project. */
export function textsOf(schemas: Schemas): Texts {
  const files = Object.entries(schemas).map(([resource, yaml]) => [
    `resources/v1/${resource}.yaml`,
    stringify({ resource, ...yaml }),
  ]);
  return { "service.yaml": "service: sample\n", ...(Object.fromEntries(files) as Texts) };
}

/** An edit of the schemas; one that cannot be made there leaves them as they are. */
export type Edit = (schemas: Schemas, turn: number) => Schemas;

const NAMES = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];

const ADDED: readonly Yaml[] = [
  { type: "string", maxLength: 50 },
  { type: "string", maxLength: 50, required: true, default: "it's new" },
  { type: "integer", required: true, default: 7, filterable: true },
  { type: "decimal", scale: 3, required: true, default: "1.5", sortable: true },
  { type: "boolean", required: true, default: true },
  { type: "timestamp", sortable: true },
  { enum: ["low", "high"], required: true, default: "low" },
  { type: "array", items: "string", filterable: true },
  { reference: "customers" },
  { type: "array", items: { reference: "customers" } },
  // Nothing says what the rows that exist get.
  { type: "uuid", required: true },
  {
    type: "object",
    properties: { one: { type: "string" }, two: { type: "integer", filterable: true } },
  },
];

/** Edits of the properties of an object: those of a resource, or of something inside it. */
type PropertiesEdit = (properties: Yaml, turn: number) => { properties: Yaml; removed?: string };

const add: PropertiesEdit = (properties, turn) => {
  const name = free(properties, turn);
  return { properties: { ...properties, [name]: ADDED[turn % ADDED.length] } };
};

const addScalar: PropertiesEdit = (properties, turn) => {
  const scalars = ADDED.slice(0, 7);
  const { filterable: _f, sortable: _s, ...yaml } = scalars[turn % scalars.length] ?? {};
  return { properties: { ...properties, [free(properties, turn)]: yaml } };
};

const rename: PropertiesEdit = (properties, turn) => {
  const name = pick(Object.keys(properties), turn);
  const to = free(properties, turn);
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, yaml]) =>
        key === name ? [to, { ...(yaml as Yaml), renamedFrom: name }] : [key, yaml],
      ),
    ),
  };
};

const remove: PropertiesEdit = (properties, turn) => {
  const names = Object.keys(properties);
  if (names.length < 2) return { properties };
  const name = pick(names, turn);
  const { [name]: _gone, ...rest } = properties;
  return { properties: rest, removed: name };
};

/** Without a word of it: refused, unless it is there again by then. */
const forget: PropertiesEdit = (properties, turn) => ({
  properties: remove(properties, turn).properties,
});

function keyword(change: (yaml: Yaml) => Yaml): PropertiesEdit {
  return (properties, turn) => {
    const name = pick(Object.keys(properties), turn);
    const yaml = change(properties[name] as Yaml);
    return { properties: { ...properties, [name]: yaml } };
  };
}

const EDITS: readonly PropertiesEdit[] = [
  add,
  add,
  rename,
  rename,
  remove,
  forget,
  keyword((yaml) => ({ ...yaml, required: yaml["required"] !== true })),
  keyword((yaml) => {
    const isText = yaml["type"] === "string" && yaml["filterable"] === true;
    return { ...yaml, filterable: isText ? "search" : yaml["filterable"] !== true };
  }),
  keyword((yaml) => ({ ...yaml, unique: yaml["unique"] !== true })),
  keyword((yaml) => ("scale" in yaml ? { ...yaml, scale: Number(yaml["scale"]) + 1 } : yaml)),
  keyword((yaml) => ("scale" in yaml ? { ...yaml, scale: Number(yaml["scale"]) - 1 } : yaml)),
  keyword((yaml) => (yaml["type"] === "integer" ? { ...yaml, type: "decimal", scale: 1 } : yaml)),
  keyword((yaml) => (yaml["type"] === "integer" ? { ...yaml, type: "number" } : yaml)),
  keyword((yaml) => (yaml["type"] === "boolean" ? { ...yaml, type: "integer" } : yaml)),
  keyword((yaml) => (yaml["format"] === "date" ? { type: "timestamp" } : yaml)),
  keyword((yaml) => ("enum" in yaml ? { type: "string", maxLength: 40 } : yaml)),
  keyword((yaml) =>
    "enum" in yaml ? { ...yaml, enum: [...(yaml["enum"] as string[]), "more"] } : yaml,
  ),
  keyword((yaml) =>
    "enum" in yaml ? { ...yaml, enum: (yaml["enum"] as string[]).slice(0, -1) } : yaml,
  ),
  keyword((yaml) =>
    "maxLength" in yaml ? { ...yaml, maxLength: Number(yaml["maxLength"]) * 2 } : yaml,
  ),
  keyword((yaml) =>
    "maxLength" in yaml ? { ...yaml, maxLength: Math.ceil(Number(yaml["maxLength"]) / 3) } : yaml,
  ),
  keyword((yaml) => (yaml["type"] === "integer" ? { ...yaml, minimum: 2 } : yaml)),
  keyword((yaml) => (yaml["type"] === "array" ? { ...yaml, maxItems: 5 } : yaml)),
  keyword((yaml) => (yaml["reference"] ? { ...yaml, onDelete: "setNull" } : yaml)),
];

const INNER: readonly PropertiesEdit[] = [
  addScalar,
  rename,
  remove,
  keyword((yaml) => ({ ...yaml, required: yaml["required"] !== true })),
  keyword((yaml) => ("scale" in yaml ? { ...yaml, scale: Number(yaml["scale"]) + 1 } : yaml)),
  keyword((yaml) =>
    "maxLength" in yaml ? { ...yaml, maxLength: Math.ceil(Number(yaml["maxLength"]) / 3) } : yaml,
  ),
];

function inResource(edit: PropertiesEdit): Edit {
  return (schemas, turn) => {
    const resource = pick(Object.keys(schemas), turn);
    const yaml = schemas[resource] ?? {};
    const { properties, removed } = edit(yaml["properties"] as Yaml, turn);
    return { ...schemas, [resource]: { ...yaml, properties, ...noted(yaml, properties, removed) } };
  };
}

/** Edits what is in an object, or in the objects of a list. */
function inObject(edit: PropertiesEdit): Edit {
  return (schemas, turn) => {
    const resource = pick(Object.keys(schemas), turn);
    const yaml = schemas[resource] ?? {};
    const all = yaml["properties"] as Yaml;
    const name = Object.keys(all).filter((key) => innerOf(all[key] as Yaml) !== null)[turn % 2];
    const inner = name === undefined ? null : innerOf(all[name] as Yaml);
    if (name === undefined || inner === null) return schemas;
    const { properties, removed } = edit(inner, turn);
    const now = { ...all, [name]: withInner(all[name] as Yaml, properties) };
    const path = removed && `${name}.${removed}`;
    return { ...schemas, [resource]: { ...yaml, properties: now, ...noted(yaml, now, path) } };
  };
}

function innerOf(yaml: Yaml): Yaml | null {
  const items = yaml["items"] as Yaml | string | undefined;
  const inner = yaml["properties"] ?? (typeof items === "object" ? items["properties"] : undefined);
  return (inner as Yaml | undefined) ?? null;
}

function withInner(yaml: Yaml, properties: Yaml): Yaml {
  return yaml["type"] === "array"
    ? { ...yaml, items: { ...(yaml["items"] as Yaml), properties } }
    : { ...yaml, properties };
}

/** What was removed stays noted, unless it is there again. */
function noted(yaml: Yaml, properties: Yaml, removed: string | undefined): Yaml {
  const before = Object.keys((yaml["removed"] as Yaml | undefined) ?? {});
  const all = [...before, ...(removed === undefined ? [] : [removed])];
  const kept = all.filter((path) => {
    const [first = "", second] = path.split(".");
    const yaml = properties[first] as Yaml | undefined;
    return yaml === undefined || (second !== undefined && innerOf(yaml)?.[second] === undefined);
  });
  return kept.length === 0
    ? { removed: undefined }
    : { removed: Object.fromEntries(kept.map((path) => [path, "gone"])) };
}

const addResource: Edit = (schemas, turn) => ({
  ...schemas,
  shipments: {
    entity: "shipment",
    properties: { order: { reference: "orders" }, weight: ADDED[turn % ADDED.length] },
  },
});

const removeResource: Edit = ({ shipments: _gone, ...schemas }) => schemas;

function pick(names: readonly string[], turn: number): string {
  return names[turn % names.length] ?? "";
}

function free(properties: Yaml, turn: number): string {
  const taken = new Set(
    Object.entries(properties).flatMap(([name, yaml]) => [name, (yaml as Yaml)["renamedFrom"]]),
  );
  const names = [...NAMES.slice(turn % NAMES.length), ...NAMES];
  return names.find((name) => !taken.has(name)) ?? `omega${turn}`;
}

/** One edit of a walk. */
export const edits: fc.Arbitrary<{ readonly edit: Edit; readonly turn: number }> = fc.record({
  edit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...EDITS.map(inResource)) },
    { weight: 4, arbitrary: fc.constantFrom(...INNER.map(inObject)) },
    { weight: 1, arbitrary: fc.constantFrom(addResource, removeResource) },
  ),
  turn: fc.nat(1000),
});
