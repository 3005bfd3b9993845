import assert from "node:assert/strict";
import { test } from "node:test";

import { assertError } from "./assertions.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of requests that are refused before they reach a resource. */
export function refusalTests({ facts, client }: Suite): void {
  test("OPS-7, OPS-9: a method that is not offered is 405 with Allow", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await client().send(method, facts.path, "{}");
      assertError(answer, 405, "MethodNotAllowedMessage");
      assert.ok(answer.headers.get("allow")?.includes("OPTIONS"));
    }
    assertError(
      await client().send("POST", `${facts.path}/${NOBODY}`, "{}"),
      405,
      "MethodNotAllowedMessage",
    );
  });

  test("VER-1: without its version the path is 404, naming the versions served", async () => {
    const answer = await client().get(facts.path.replace(/\/v\d+\//, "/"));
    assertError(answer, 404, "VersionNotFoundMessage");
  });

  test("REP-8: an Accept that excludes JSON is 406", async () => {
    const answer = await client().get(facts.path, { accept: "text/html" });
    if (facts.operations.includes("list")) assertError(answer, 406, "NotAcceptableMessage");
    else assertError(answer, 405, "MethodNotAllowedMessage");
  });
}
