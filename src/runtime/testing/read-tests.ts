import assert from "node:assert/strict";
import { test } from "node:test";

import { isWithheld, newEntity } from "./allowed-by-code.js";
import { assertInvalid, assertStatus } from "./assertions.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of a collection. */
export function listTests({ facts, client }: Suite): void {
  const { path } = facts;

  test("COL-1, COL-2: a list is an envelope", async () => {
    const answer = await client().get(`${path}?pageSize=1`);
    if (isWithheld(facts, answer)) return;
    assertStatus(answer, 200);
    assert.ok(Array.isArray(answer.body["results"]));
    assert.equal(answer.body["pageNumber"], 1);
    assert.equal(answer.body["pageSize"], 1);
  });

  test("QRY-5: a page past the end is empty and still 200", async () => {
    const answer = await client().get(`${path}?pageNumber=1000000`);
    if (isWithheld(facts, answer)) return;
    assertStatus(answer, 200);
    assert.deepEqual(answer.body["results"], []);
  });

  test("QRY-6: a parameter that is unknown, empty or wrong is refused", async () => {
    for (const [search, field] of [
      ["noSuchParameter=1", "noSuchParameter"],
      ["pageSize=0", "pageSize"],
      ["pageSize=", "pageSize"],
      ["pageNumber=0", "pageNumber"],
      ["sort=", "sort"],
      ["sort=noSuchProperty", "sort"],
    ] as const) {
      assertInvalid(await client().get(`${path}?${search}`), field);
    }
  });

  for (const { path: property, bound, wrong } of facts.ranges ?? []) {
    test(`QRY-3: the list can be filtered by bounds of ${property}`, async () => {
      const search = (name: string, text: string): string =>
        `${path}?${property}.${name}=${encodeURIComponent(text)}`;
      for (const name of ["atLeast", "moreThan", "atMost", "lessThan"]) {
        const found = await client().get(search(name, String(bound)));
        if (!isWithheld(facts, found)) assertStatus(found, 200);
        for (const text of [wrong, ""]) {
          assertInvalid(await client().get(search(name, text)), `${property}.${name}`);
        }
      }
    });
  }

  sortTests({ facts, client });
}

function sortTests({ facts, client }: Pick<Suite, "facts" | "client">): void {
  for (const sort of [...facts.sorts, "createdDate", "lastModifiedDate"]) {
    test(`QRY-4: the list can be sorted by ${sort}, both ways`, async () => {
      for (const order of [sort, `-${sort}`]) {
        const answer = await client().get(`${facts.path}?sort=${order}`);
        if (!isWithheld(facts, answer)) assertStatus(answer, 200);
      }
    });
  }
}

/** Tests of reading one entity. */
export function readTests(suite: Suite): void {
  const { facts, pretty, client } = suite;

  test("OPS-3: a GET answers the entity as it was created", async () => {
    const created = await newEntity(suite, "read");
    if (created === null) return;
    const answer = await client().get(client().pathOf(created));
    assertStatus(answer, 200);
    assert.equal(answer.text, created.text);
  });

  test(`REP-5: a body is ${pretty ? "pretty, two spaces" : "compact"}`, async () => {
    const answer = await client().get(`${facts.path}/${NOBODY}`);
    assert.equal(answer.text, JSON.stringify(answer.body, null, pretty ? 2 : 0));
  });
}
