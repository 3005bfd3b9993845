import assert from "node:assert/strict";
import { test } from "node:test";

import { newEntity } from "./allowed-by-code.js";
import { assertError, assertInvalid, assertStatus } from "./assertions.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of PUT. */
export function replaceTests(suite: Suite): void {
  const { facts, client } = suite;

  test("OPS-4: a PUT of what was read changes nothing (ENT-4)", async () => {
    const created = await newEntity(suite, "update");
    if (created === null) return;
    const answer = await client().send("PUT", client().pathOf(created), created.text);
    assertStatus(answer, 200);
    assert.equal(answer.text, created.text);
  });

  test("OPS-4: a PUT that leaves a property out is refused on it, or keeps what was added later", async () => {
    const created = await newEntity(suite, "update");
    if (created === null) return;
    for (const name of client().replaced()) {
      const { [name]: _left, ...rest } = created.body;
      const answer = await client().send("PUT", client().pathOf(created), JSON.stringify(rest));
      if (facts.addedLater?.includes(name) === true) assert.equal(answer.text, created.text);
      else assertInvalid(answer, name);
    }
  });

  test("OPS-4: a PUT of an unknown entity is 404", async () => {
    const body = JSON.stringify(facts.valid);
    const answer = await client().send("PUT", `${facts.path}/${NOBODY}`, body);
    assertError(answer, 404, `${facts.entityType}NotFoundMessage`);
  });
}

/** Tests of PATCH. */
export function updateTests(suite: Suite): void {
  const { client } = suite;

  test("OPS-5: a PATCH that changes nothing leaves the entity as it was (ENT-4)", async () => {
    const created = await newEntity(suite, "update");
    if (created === null) return;
    const answer = await client().send("PATCH", client().pathOf(created), "{}");
    assertStatus(answer, 200);
    assert.equal(answer.text, created.text);
  });

  test("OPS-5: every property can be patched alone, with the other ones kept", async () => {
    const created = await newEntity(suite, "update");
    if (created === null) return;
    for (const name of client().replaced()) {
      const body = JSON.stringify({ [name]: created.body[name] });
      const answer = await client().send("PATCH", client().pathOf(created), body);
      assert.equal(answer.text, created.text);
    }
  });
}

/** Tests of DELETE. */
export function deleteTests(suite: Suite): void {
  const { facts, client } = suite;

  if (!facts.deletable) {
    test("STA-3: a new entity cannot be deleted in its state", async () => {
      const created = await newEntity(suite, "delete");
      if (created === null) return;
      const answer = await client().send("DELETE", client().pathOf(created));
      assertError(answer, 409, `Invalid${facts.entityType}StateMessage`);
    });
    return;
  }

  test("OPS-6: a DELETE answers 204, and then the entity is gone", async () => {
    const created = await newEntity(suite, "delete");
    if (created === null) return;
    const answer = await client().send("DELETE", client().pathOf(created));
    assertStatus(answer, 204);
    assert.equal(answer.text, "");
    const again = await client().send("DELETE", client().pathOf(created));
    assertError(again, 404, `${facts.entityType}NotFoundMessage`);
  });
}
