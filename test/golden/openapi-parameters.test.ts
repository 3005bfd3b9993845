import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../contract/support/client.js";
import { object } from "../contract/support/openapi-parts.js";

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
