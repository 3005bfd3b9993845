import { join } from "node:path";
import { expect, test } from "vitest";
import { readModel } from "../../../src/commands/read-model.js";
import { nodeFiles } from "../../../src/files/node-files.js";
import type { ResourceModel } from "../../../src/model/resource-model.js";
import { seenBy } from "../../../src/model/seen-by.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import { shownFacts, unseen, versionPairs } from "../../../src/model/shown-facts.js";
import { expectSuccess } from "../../support/expect-success.js";

async function modelOf(name: string): Promise<ServiceModel> {
  return expectSuccess(await readModel(nodeFiles, join("fixtures", name))).model;
}

const three = await modelOf("three-versions");
const two = await modelOf("versions");

function resourceIn({ versions }: ServiceModel, version: string, plural: string): ResourceModel {
  const found = versions
    .find(({ name }) => name === version)
    ?.resources.find(({ name }) => name.plural === plural);
  if (found === undefined) throw new Error(`${version} has no ${plural}`);
  return found;
}

test("what is stored has the newest shape, and what an older version shows beside that", () => {
  const entity = three.entities.find(({ name }) => name.plural === "orders");
  const names = entity?.properties.map(({ name }) => name) ?? [];
  expect(names.slice(0, 4)).toEqual(["headline", "customer", "assistants", "mood"]);
  expect(names.slice(-2)).toEqual(["fax", "size"]);
  const customer = entity?.properties.find(({ name }) => name === "customer")?.type;
  const embedded = customer?.kind === "reference" ? customer.embedded : [];
  expect(embedded.map(({ name }) => name)).toEqual(["wholeName", "mood"]);
});

test.each([
  { version: "v1", path: "label", storedPath: "headline", instead: [] },
  { version: "v2", path: "title", storedPath: "headline", instead: [] },
  { version: "v1", path: "buyer.name", storedPath: "customer.wholeName", instead: [] },
  { version: "v1", path: "box.w", storedPath: "box.wide", instead: [] },
  {
    version: "v1",
    path: "mood",
    storedPath: "mood",
    instead: [
      { stored: "angry", shown: "sad" },
      { stored: "furious", shown: "sad" },
    ],
  },
  {
    version: "v2",
    path: "mood",
    storedPath: "mood",
    instead: [{ stored: "furious", shown: "angry" }],
  },
  {
    version: "v1",
    path: "buyer.mood",
    storedPath: "customer.mood",
    instead: [{ stored: "calm", shown: "glad" }],
  },
])("$path of $version is stored at $storedPath", ({ version, path, storedPath, instead }) => {
  const { projection } = resourceIn(three, version, "orders");
  expect(projection.find(({ property }) => property === path)).toEqual({
    property: path,
    storedPath,
    instead,
  });
});

test("only a version that differs in more than names at the top level is converted", () => {
  const converted = three.versions.flatMap(({ name, resources }) =>
    resources.flatMap(({ conversion, name: { plural } }) =>
      conversion === null ? [] : [`${name} ${plural}`],
    ),
  );
  // What the third has removed from within an object is stored there, and kept when that is written.
  expect(converted).toEqual(["v1 orders", "v1 people", "v2 orders", "v3 orders"]);
});

test("a version is seen in its own words", () => {
  const [v1] = two.versions.map(seenBy);
  const orders = v1?.resources.find(({ name }) => name.plural === "orders");
  expect(orders?.entity.states).toMatchObject({
    property: "status",
    initial: "placed",
    transitions: [
      { from: "placed", to: ["packed"] },
      { from: "packed", to: ["placed", "shipped"] },
      { from: "shipped", to: [] },
    ],
  });
  const shown = v1?.resources.find(({ name }) => name.plural === "openorders");
  expect(shown?.conditions).toMatchObject([{ path: "status", values: ["placed", "packed"] }]);
  expect(shown?.projection).toContainEqual({
    property: "shipTo",
    storedPath: "deliveryAddress",
    instead: [],
  });
  expect(shown?.entity).toBe(orders?.entity);
});

test("a version with everything as it is stored is seen as it is", () => {
  const newest = two.versions.at(-1);
  const products = newest?.resources.find(({ name }) => name.plural === "products");
  expect(newest && seenBy(newest).resources).toContain(products);
});

test("what an older version shows of the next one is known in the words of both", () => {
  const pair = versionPairs(two.versions).find(({ older }) => older.name.plural === "orders");
  if (pair === undefined) throw new Error("orders have no versions");
  const facts = shownFacts(pair);
  expect(facts.map(({ older, newer }) => [older, newer])).toContainEqual(["remark", "note"]);
  expect(facts.find(({ older }) => older === "lines")).toMatchObject({
    members: [
      { older: "sku", newer: "article" },
      { older: "quantity", newer: "quantity" },
      { older: "colour", newer: "colour", instead: [{ stored: "green", shown: "blue" }] },
    ],
    unseen: ["engraving"],
  });
  expect(unseen(pair)).toEqual(["priority"]);
});
