import assert from "node:assert/strict";
import { test } from "node:test";

import { newEntity } from "./allowed-by-code.js";
import { assertError, assertStatus } from "./assertions.js";
import type { Suite } from "./suite.js";

const CHANGES: Readonly<Record<string, readonly [method: string, body?: string]>> = {
  replace: ["PUT", "{}"],
  update: ["PATCH", "{}"],
  delete: ["DELETE"],
};

/** Tests of the tag of an entity, and of requests that name it (OPS-10). */
export function preconditionTests(suite: Suite): void {
  const { facts, client } = suite;
  const changes = facts.operations.flatMap((operation) => {
    const change = CHANGES[operation];
    return change === undefined ? [] : [change];
  });

  if (facts.operations.includes("read")) {
    test("OPS-10: an entity has a strong ETag, and 304 tells who names it that nothing has changed", async () => {
      const created = await newEntity(suite, "read");
      if (created === null) return;
      const path = client().pathOf(created);
      const tag = (await client().get(path)).headers.get("etag") ?? "";
      assert.match(tag, /^"[^"]+"$/);
      assert.equal(created.headers.get("etag"), tag);
      const again = await client().get(path, { "if-none-match": `"another", W/${tag}` });
      assertStatus(again, 304);
      assert.equal(again.text, "");
      assert.equal(again.headers.get("etag"), tag);
      assertStatus(await client().get(path, { "if-none-match": '"another"' }), 200);
    });
  }

  for (const [method, body] of changes) {
    test(`OPS-10: a ${method} of another revision than the stored one is 412`, async () => {
      const created = await newEntity(suite, method === "DELETE" ? "delete" : "update");
      if (created === null) return;
      const path = client().pathOf(created);
      const tag = created.headers.get("etag") ?? "";
      for (const match of ['"another"', `W/${tag}`]) {
        const answer = await client().send(method, path, body, { "if-match": match });
        assertError(answer, 412, "PreconditionFailedMessage");
      }
    });

    if (facts.isMatchRequired !== true) continue;
    test(`OPS-10: a ${method} without If-Match is 428`, async () => {
      const created = await newEntity(suite, method === "DELETE" ? "delete" : "update");
      if (created === null) return;
      const answer = await client().unconditional().send(method, client().pathOf(created), body);
      assertError(answer, 428, "PreconditionRequiredMessage");
    });
  }
}
