import assert from "node:assert/strict";
import { test } from "node:test";

import { assertError, assertInvalid, assertStatus } from "./assertions.js";
import type { Client, JsonBody } from "./client.js";
import type { PathFacts, ResourceFacts } from "./resource-facts.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of what stands under entities that it refers to, and does not belong to (CHD-1). */
export function pathTests({ facts, client }: Suite, above: PathFacts): void {
  const { property, rest } = above;
  const others = above.facts();
  const { idProperty, entityType, path: paths } = others;

  test(`CHD-1: one is created and listed under its ${property}`, async () => {
    const { body: named } = await client().createOther(others);
    const path = `${paths}/${String(named[idProperty])}${rest}`;
    const body = await bodyWithout(client(), facts, property);
    const made = await client().send("POST", path, JSON.stringify(body));
    assertStatus(made, 201);
    assert.equal(Reflect.get(Object(made.body[property]), idProperty), named[idProperty]);
    if (!facts.operations.includes("list")) return;
    const listed = await client().get(path);
    assert.deepEqual(listed.body["results"], [made.body]);
  });

  test(`CHD-1: another ${property} than the one in the path is refused`, async () => {
    const { body: named } = await client().createOther(others);
    const path = `${paths}/${String(named[idProperty])}${rest}`;
    const { body: other } = await client().createOther(others);
    const body = await bodyWithout(client(), facts, property);
    const sent = { ...body, [property]: { [idProperty]: other[idProperty] ?? null } };
    const answer = await client().send("POST", path, JSON.stringify(sent));
    assertInvalid(answer, `${property}.${idProperty}`);
  });

  test(`CHD-1: nothing is created under a ${property} that there is not`, async () => {
    const body = await bodyWithout(client(), facts, property);
    const path = `${paths}/${NOBODY}${rest}`;
    const answer = await client().send("POST", path, JSON.stringify(body));
    assertError(answer, 404, `${entityType}NotFoundMessage`);
  });
}

/** A body without what the path says, and with its parent, which this path does not name. */
async function bodyWithout(
  client: Client,
  { parent }: ResourceFacts,
  property: string,
): Promise<JsonBody> {
  const { [property]: _named, ...body } = await client.body();
  if (parent === null) return body;
  const { idProperty } = parent.facts;
  const { body: own } = await client.createOther(parent.facts);
  return { ...body, [parent.property]: { [idProperty]: own[idProperty] ?? null } };
}
