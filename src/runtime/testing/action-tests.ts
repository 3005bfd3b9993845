import assert from "node:assert/strict";
import { test } from "node:test";

import { newEntity } from "./allowed-by-code.js";
import { assertEntity, assertError, assertInvalid, assertStatus } from "./assertions.js";
import type { Answer, JsonBody } from "./client.js";
import { withLostReference } from "./lost-reference.js";
import { reservedTransition } from "./reserved-transition.js";
import type { ActionFacts } from "./resource-facts.js";
import { NOBODY, type Suite } from "./suite.js";

/** Tests of what every action keeps, whatever its own code does (OPS-11). */
export function actionTests(suite: Suite, actions: readonly ActionFacts[]): void {
  for (const action of actions) {
    testAction(suite, action);
    testReferences(suite, action);
    testReserved(suite, action);
  }
}

function testAction(suite: Suite, action: ActionFacts): void {
  const { facts, client } = suite;
  const { name, invalid } = action;

  test(`OPS-11: ${name} answers what the schema says, or refuses`, async (context) => {
    const asked = await askable(suite, action);
    if (asked === null) return;
    const { path, valid } = asked;
    const answer = await client().send("POST", path, JSON.stringify(valid));
    if (answer.status === 501) return context.skip("its code is not written yet");
    if (!action.isAllowedAtFirst) {
      assertError(answer, 409, `Invalid${facts.entityType}StateMessage`);
    } else if (answer.status < 300) assertAnswer(answer, action);
    else {
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}: ${answer.text}`);
      assert.match(answer.text, /"type": ?"\w+Message"/);
    }
    if (action.answers === "entity" && answer.status === 200) assertEntity(answer, facts);
  });

  test(`OPS-11: ${name} reads its input like a body`, async () => {
    const asked = await askable(suite, action);
    if (asked === null) return;
    const { path, valid } = asked;
    for (const { field, value } of invalid) {
      const body = JSON.stringify({ ...valid, [field]: value });
      const answer = await client().send("POST", path, body);
      assert.equal(answer.status, 400, `${field}: ${JSON.stringify(value)}`);
    }
    const unknown = JSON.stringify({ ...valid, noSuchProperty: 1 });
    assertInvalid(await client().send("POST", path, unknown), "noSuchProperty");
    assertError(await client().send("POST", path, "[]"), 400, "MalformedRequestMessage");
    const headers = { "content-type": "text/plain" };
    const text = await client().send("POST", path, "{}", headers);
    assertError(text, 415, "UnsupportedMediaTypeMessage");
  });

  test(`OPS-11: ${name} is a POST, of something that there is`, async () => {
    const asked = await askable(suite, action);
    if (asked === null) return;
    const { path, valid } = asked;
    assertError(await client().get(path), 405, "MethodNotAllowedMessage");
    if (action.on === "collection") return;
    const nobody = `${facts.path}/${NOBODY}/${name}`;
    const answer = await client().send("POST", nobody, JSON.stringify(valid));
    assertError(answer, 404, `${facts.entityType}NotFoundMessage`);
  });
}

function testReferences(suite: Suite, action: ActionFacts): void {
  const { name, needs = [] } = action;
  for (const need of needs) {
    test(`REP-4: ${name} refuses a reference to nothing: ${need.property}`, async () => {
      const asked = await askable(suite, action);
      if (asked === null) return;
      const { body, field } = withLostReference(asked.valid, need, need.facts());
      const answer = await suite.client().send("POST", asked.path, JSON.stringify(body));
      assertInvalid(answer, field);
    });
  }
}

/** Where an action is done, and a body that it accepts; null where there is nothing to do it to, or to refer to. */
async function askable(
  suite: Suite,
  action: ActionFacts,
): Promise<{ readonly path: string; readonly valid: JsonBody } | null> {
  const path = await pathOf(suite, action);
  const valid = await suite.client().actionBody(action);
  return path === null || valid === null ? null : { path, valid };
}

/** STA-1: no PATCH does what only the action may. */
function testReserved(suite: Suite, action: ActionFacts): void {
  const { facts, client } = suite;
  const { name } = action;
  const reserved = reservedTransition(facts, action);
  if (reserved === null || !facts.operations.includes("update")) return;
  const { property, way, to } = reserved;
  test(`STA-1: only ${name} leads from ${way.at(-1) ?? "the initial state"} to ${to}`, async (context) => {
    const made = await newEntity(suite, "update");
    if (made === null) return;
    const path = client().pathOf(made);
    const patch = async (state: string): Promise<Answer> =>
      client().send("PATCH", path, JSON.stringify({ [property]: state }));
    for (const state of way) {
      const { status } = await patch(state);
      if (status !== 200) return context.skip(`no PATCH leads to ${state}: ${status}`);
    }
    const answer = await patch(to);
    if (answer.status === 400) return context.skip(`own rules refuse it already: ${answer.text}`);
    assertError(answer, 409, `Invalid${facts.entityType}StateMessage`);
  });
}

/** Where an action is done: to a new entity, which null says that there cannot be. */
async function pathOf(suite: Suite, { name, on }: ActionFacts): Promise<string | null> {
  const { facts, client } = suite;
  if (on === "collection") return `${facts.path}/${name}`;
  const made = await newEntity(suite, "read");
  return made === null ? null : `${client().pathOf(made)}/${name}`;
}

function assertAnswer(answer: Answer, { answers }: ActionFacts): void {
  assertStatus(answer, answers === "nothing" ? 204 : 200);
  if (answers === "nothing") assert.equal(answer.text, "");
}
