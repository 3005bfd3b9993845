import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { rightService } from "../support/right/service.js";
import { SchemaWords } from "../support/schema-words.js";

const PUBLISHED =
  "It needs what `publish` writes: fixtures/versions and fixtures/deprecated have it.";

const FORMER =
  "It needs a former name that another version or a database has: fixtures/versions has it.";

const REMOVED =
  "It needs a resource that one version alone has: unit/validate/removed-resources tries it.";

const TENANT = "It binds all resources of a service: contract/aut-4-tenants has them.";

const CLAIM =
  "Random access is by roles and ties: contract/aut-2-claims compares claims and owners.";

/** Words that random services do not use, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "resource#/properties/tenant": TENANT,
  "resource#/properties/tenant/anyOf/0/properties/claim": TENANT,
  "resource#/properties/tenant/anyOf/0/properties/existing": TENANT,
  "resource#/properties/owner": CLAIM,
  "resource#/definitions/grant/anyOf/1/properties/claim": CLAIM,
  "resource#/definitions/grant/anyOf/1/properties/is": CLAIM,
  "resource#/definitions/grant/anyOf/1/properties/equals": CLAIM,
  "resource#/properties/renamedFrom": FORMER,
  "service#/properties/tenant": TENANT,
  "service#/properties/tenant/properties/claim": TENANT,
  "service#/properties/tenant/properties/existing": TENANT,
  "service#/definitions/version/else=published": PUBLISHED,
  "service#/definitions/version/else=deprecated": PUBLISHED,
  "service#/definitions/version/then/properties/status=published": PUBLISHED,
  "service#/definitions/version/then/properties/status=deprecated": PUBLISHED,
  "service#/definitions/version/then/properties/deprecated": PUBLISHED,
  "service#/definitions/version/then/properties/removed": REMOVED,
  "service#/definitions/version/then/properties/sunset": PUBLISHED,
};

function wordsOf(kind: "resource" | "service"): SchemaWords {
  const text = readFileSync(`schemas/${kind}.schema.json`, "utf8");
  // A JSON Schema is an object.
  return new SchemaWords(kind, JSON.parse(text) as Record<string, unknown>);
}

test("random services use every word of the language, but those that cannot be", () => {
  const schemas = { service: wordsOf("service"), resource: wordsOf("resource") };
  const used = new Set<string>();
  for (const { schemas: files } of fc.sample(rightService, { numRuns: 200, seed: 1 })) {
    for (const [path, text] of Object.entries(files)) {
      schemas[path === "service.yaml" ? "service" : "resource"].use(parse(text), used);
    }
  }
  const all = [...schemas.service.all(), ...schemas.resource.all()];
  expect(all.filter((word) => !used.has(word)).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
