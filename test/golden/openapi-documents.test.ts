import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectSuccess } from "../support/expect-success.js";
import { MemoryProject } from "../support/memory-project.js";
import { list, object } from "../contract/support/openapi-parts.js";
import type { Json, JsonObject } from "../contract/support/client.js";

const STATES = `
  status: { enum: [draft, placed, shipped] }
states:
  property: status
  initial: [draft, placed]
  transitions: { draft: [placed], placed: [shipped], shipped: [] }`;

const project = new MemoryProject({
  "service.yaml": "service: shop\ntitle: Shop\nversions: { v1: draft }\n",
  "resources/v1/customers.yaml":
    "resource: customers\nentity: customer\nproperties:\n  name: { type: string }\n",
  "resources/v1/orders.yaml": `resource: orders
entity: order
properties:
  customer: { reference: customers, required: true, listedUnder: true }${STATES}
`,
  "resources/v1/parcels.yaml": `resource: parcels
entity: parcel
parent: customers
properties:${STATES}
`,
  "resources/v1/notes.yaml": `resource: notes
entity: note
parent: customers
properties:${STATES}
operations: [create, read, list]
`,
});
expectSuccess(await project.generate());
const document = JSON.parse(project.read("openapi/v1.json")) as JsonObject;
const schemas = object(object(document["components"])["schemas"]);

/** What a schema and those that it extends allow `status` to be, together. */
function statesOf(schema: JsonObject): readonly Json[] {
  const { $ref: reference, allOf, properties } = schema;
  if (typeof reference === "string") {
    return statesOf(object(schemas[reference.replace("#/components/schemas/", "")]));
  }
  const own = object(object(properties)["status"] ?? {})["enum"];
  const all = [
    ...(own === undefined ? [] : [list(own)]),
    ...list(allOf ?? []).map((one) => statesOf(object(one))),
  ];
  return (all[0] ?? []).filter((state) => all.every((states) => states.includes(state)));
}

test.each([
  "/orders",
  "/customers/{customerId}/orders",
  "/customers/{customerId}/parcels",
  "/customers/{customerId}/notes",
])("STA-1: a create at %s takes the initial states alone", (path) => {
  const { content } = object(
    object(object(object(document["paths"])[path])["post"])["requestBody"],
  );
  const { schema } = object(object(content)["application/json"]);
  expect(statesOf(object(schema))).toEqual(["draft", "placed"]);
});

const GOLDEN = "fixtures/golden";
const documents = readdirSync(GOLDEN)
  .map((name) => join(GOLDEN, name, "expected/openapi"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

/** The parameters of a part of a document, at every depth. */
function parametersIn(part: Json): readonly { readonly [name: string]: Json }[] {
  if (typeof part !== "object" || part === null) return [];
  // Array.isArray does not narrow readonly lists.
  if (Array.isArray(part)) return (part as readonly Json[]).flatMap(parametersIn);
  const own = object(part);
  const isParameter = typeof own["name"] === "string" && typeof own["in"] === "string";
  return isParameter ? [own] : Object.values(own).flatMap(parametersIn);
}

test.each(documents)("every parameter of %s has a description", (path) => {
  const parameters = parametersIn(JSON.parse(readFileSync(path, "utf8")) as Json);
  expect(parameters.length).toBeGreaterThan(2);
  const silent = parameters.filter(({ description }) => !/^[A-Z].*\.$/.test(String(description)));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
