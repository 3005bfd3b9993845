import assert from "node:assert/strict";
import { test } from "node:test";

import { assertError, assertInvalid } from "./assertions.js";
import type { Parent } from "./resource-facts.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of what stands under a parent (CHD). */
export function childTests({ facts, client }: Suite, parent: Parent): void {
  const { idProperty, entityType } = parent.facts;

  test("CHD-1: a child is created under its parent, and listed there", async () => {
    const path = await client().createPath();
    const { body } = await client().send("POST", path, JSON.stringify(await client().body()));
    const listed = await client().get(path);
    if (facts.operations.includes("list")) assert.deepEqual(listed.body["results"], [body]);
    else assertError(listed, 405, "MethodNotAllowedMessage");
    assertError(await client().send("POST", facts.path, "{}"), 405, "MethodNotAllowedMessage");
  });

  test("CHD-1: nothing is created under a parent that there is not", async () => {
    const path = `${parent.facts.path}/${NOBODY}${parent.rest}`;
    const answer = await client().send("POST", path, JSON.stringify(await client().body()));
    assertError(answer, 404, `${entityType}NotFoundMessage`);
  });

  test("CHD-2: another parent than the one in the path is refused", async () => {
    const property = facts.immutable.find((name) => `${name}Id` === idProperty) ?? "";
    const answer = await client().create({ [property]: { [idProperty]: NOBODY } });
    assertInvalid(answer, `${property}.${idProperty}`);
  });
}
