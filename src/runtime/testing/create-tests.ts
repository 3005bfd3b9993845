import assert from "node:assert/strict";
import { test } from "node:test";

import { assertEntity, assertError, assertInvalid, assertStatus } from "./assertions.js";
import { createdBy, type Answer, type JsonBody } from "./client.js";
import { withLostReference } from "./lost-reference.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of POST. */
export function createTests(suite: Suite): void {
  const { facts, client } = suite;
  const { idProperty, path } = facts;

  test("OPS-1: a POST answers 201 with the whole entity and its Location", async () => {
    const answer = createdBy(await client().create());
    const id = answer.body[idProperty];
    assert.equal(answer.headers.get("location"), `${client().url}${path}/${String(id)}`);
    assertEntity(answer, facts);
  });

  test("OPS-12: a POST that is sent again with its key gives the first answer again", async () => {
    const path = await client().createPath();
    const body = JSON.stringify(await client().body());
    const headers = { "idempotency-key": "sent-twice" };
    const first = await client().send("POST", path, body, headers);
    assertStatus(first, 201);
    const again = await client().send("POST", path, body, headers);
    assert.equal(again.status, 201);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("location"), first.headers.get("location"));
    const other = await client().send("POST", path, `${body} `, headers);
    assertError(other, 409, "IdempotencyKeyReusedMessage");
  });

  test("REP-2, REP-3: what was sent is returned, and nothing is left out", async () => {
    const { body } = await client().create();
    const expected = [...client().replaced(), ...facts.immutable];
    for (const name of expected) assert.ok(name in body, `${name} is missing`);
    for (const name of facts.readOnly) assert.ok(name in body, `${name} is missing`);
  });

  beginningTests(suite);

  test("ENT-3: what the service writes itself is ignored in a body", async () => {
    const answer = await client().create({
      createdDate: "1999-01-01T00:00:00.000Z",
      [idProperty]: NOBODY,
    });
    assertStatus(answer, 201);
    assert.notEqual(answer.body[idProperty], NOBODY);
    assert.notEqual(answer.body["createdDate"], "1999-01-01T00:00:00.000Z");
  });
}

/** STA-1: a create may name each initial state. */
function beginningTests({ facts, client }: Suite): void {
  const { property = "", alsoInitial = [] } = facts.states ?? {};
  for (const state of alsoInitial) {
    test(`STA-1: a POST may name ${state}`, async (context) => {
      const answer = await client().create({ [property]: state });
      if (answer.status === 400) return context.skip(`own rules refuse it: ${answer.text}`);
      assertStatus(answer, 201);
      assert.equal(answer.body[property], state);
    });
  }
}

/** Tests of what a body may hold. */
export function bodyTests({ facts, client }: Suite): void {
  test("OPS-8: an unknown property is refused", async () => {
    const answer = await client().create({ noSuchProperty: 1 });
    assertInvalid(answer, "noSuchProperty");
  });

  for (const { field, value } of facts.invalid) {
    test(`ERR-4: ${field} is not ${JSON.stringify(value)}`, async () => {
      assertInvalid(await client().create({ [field]: value }), field);
    });
  }

  for (const need of facts.needs) {
    test(`REP-4: ${need.property} points to something that exists`, async () => {
      const { body, field } = withLostReference(await client().body(), need, need.facts);
      assertInvalid(await client().create(body), field);
    });
  }

  test("ERR-2: a body that is not a JSON object is malformed", async () => {
    const path = await client().createPath();
    for (const text of ["", "{", "[]", "null", '"text"', '{"a":1,"a":2}']) {
      assertError(await client().send("POST", path, text), 400, "MalformedRequestMessage");
    }
  });

  test("REP-8: a body that is not JSON is refused", async () => {
    const headers = { "content-type": "text/plain" };
    const answer = await client().send("POST", await client().createPath(), "{}", headers);
    assertError(answer, 415, "UnsupportedMediaTypeMessage");
  });
}

/** Tests of values that no two entities have. */
export function uniqueTests({ facts, client }: Suite): void {
  for (const field of facts.unique) {
    test(`a second entity with the same ${field} is refused`, async () => {
      const first = await client().create();
      const answer = await client().create({ [field]: first.body[field] ?? null });
      assertError(answer, 409, `${facts.entityType}AlreadyExistsMessage`);
    });
  }

  for (const names of facts.uniqueTogether ?? []) {
    test(`a second entity with the same ${names.join(" and ")} is refused`, async () => {
      const path = await client().createPath();
      const send = async (body: JsonBody): Promise<Answer> =>
        client().send("POST", path, JSON.stringify(body));
      const first = await send(await client().body());
      assertStatus(first, 201);
      const same = Object.fromEntries(names.map((name) => [name, first.body[name] ?? null]));
      const answer = await send({ ...(await client().body()), ...same });
      assertError(answer, 409, `${facts.entityType}AlreadyExistsMessage`);
    });
  }
}
