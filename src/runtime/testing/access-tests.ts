import assert from "node:assert/strict";
import { test } from "node:test";

import { actionAccessTests } from "./action-access-tests.js";
import { assertError } from "./assertions.js";
import { valueAt } from "./at-path.js";
import { childAccessTests } from "./child-access-tests.js";
import type { Answer, Client } from "./client.js";
import {
  allCallers,
  entityStatuses,
  isVisible,
  may,
  MADE_BY_CREATOR,
  mayAny,
  type Caller,
  type EntityOperation,
} from "./reach.js";
import { representedAccessTests } from "./represented-access-tests.js";
import { isAskingCode, type ResourceFacts } from "./resource-facts.js";
import { assertStatusAmong } from "./status-among.js";
import type { Suite } from "./suite.js";

/** Of what a list shows, so many are read by themselves. */
const MOST_READ = 3;

/** A request for each operation, about an entity that somebody else may have created. */
const REQUESTS: Readonly<
  Record<EntityOperation, (client: Client, made: Answer) => Promise<Answer>>
> = {
  read: (client, made) => client.get(client.pathOf(made)),
  replace: (client, made) => client.send("PUT", client.pathOf(made), client.bodyOf(made)),
  update: (client, made) => client.send("PATCH", client.pathOf(made), "{}"),
  delete: (client, made) => client.send("DELETE", client.pathOf(made)),
};

/** AUT-1, AUT-2: what each caller may do, for each operation, with what the caller has created and what not. */
export function accessTests(suite: Suite): void {
  const { facts, client, headersOf } = suite;
  for (const [name, caller] of Object.entries(allCallers(facts))) {
    test(`AUT-2: what ${name} may do`, async () => {
      const headers = caller === null ? {} : await headersOf(caller);
      await tryOperations({ facts, caller }, client(), client().as(headers));
    });
  }
  if (facts.parent !== null) childAccessTests(suite, facts.parent);
  actionAccessTests(suite);
  if (facts.original !== undefined) representedAccessTests(suite, facts.original);

  test("AUT-1: a token that is not valid is 401, also where none is needed", async () => {
    if (!facts.operations.includes("list")) return;
    const answer = await client().get(facts.path, { authorization: "Bearer no.such.token" });
    assertError(answer, 401, "UnauthorizedMessage");
  });
}

interface Cell {
  readonly facts: ResourceFacts;
  readonly caller: Caller;
}

async function tryOperations(cell: Cell, creator: Client, asking: Client): Promise<void> {
  const { facts, caller } = cell;
  for (const operation of facts.operations) {
    if (operation === "list") {
      await tryLists(cell, creator, asking);
      continue;
    }
    const made = await creator.createIfOffered();
    if (made === null) continue;
    if (operation === "create") {
      const path = await creator.createPath();
      const answer = await asking.send("POST", path, JSON.stringify(await creator.body()));
      assertStatusAmong(answer, createStatuses(cell), "create");
      continue;
    }
    // The schema has no other operations.
    const asked = operation as EntityOperation;
    const answer = await REQUESTS[asked](asking, made);
    assertStatusAmong(answer, entityStatuses(facts, asked, caller), operation);
    if (answer.status === 200) await tryEmbedded(facts, asking, answer);
  }
}

/** A list, and each alias, shows what its caller may read, and nothing else. */
async function tryLists({ facts, caller }: Cell, creator: Client, asking: Client): Promise<void> {
  const made = await creator.createIfOffered();
  const listed = await asking.get(`${facts.path}?sort=-createdDate`);
  assertStatusAmong(listed, collectionStatuses({ facts, caller }, "read", 200), "list");
  for (const alias of facts.aliases ?? []) {
    const answer = await asking.get(`${facts.path}/${alias}`);
    assert.equal(answer.status, listed.status, alias);
    await tryShown(facts, asking, answer);
  }
  if (made === null || listed.status !== 200) return;
  const seen = isVisible(facts, caller);
  if (seen !== "perhaps") assert.equal(asking.lists(listed, made), seen === "yes", "the list");
  else if (facts.operations.includes("read")) {
    const { status } = await asking.get(asking.pathOf(made));
    assert.equal(asking.lists(listed, made), status === 200, "the list, as a single read");
  }
}

/** What a list shows can be read by itself. */
async function tryShown(facts: ResourceFacts, asking: Client, { body }: Answer): Promise<void> {
  if (!facts.operations.includes("read")) return;
  for (const shown of [body["results"] ?? []].flat().slice(0, MOST_READ)) {
    const id = String(Reflect.get(Object(shown), facts.idProperty));
    assert.equal((await asking.get(`${facts.path}/${id}`)).status, 200, "what a list shows");
  }
}

/** What is embedded can be read where it comes from, unless the schema discloses it. */
async function tryEmbedded(facts: ResourceFacts, asking: Client, { body }: Answer): Promise<void> {
  for (const { embeds = false, property, facts: other } of [
    ...facts.needs,
    facts.parent ?? [],
  ].flat()) {
    if (!embeds || !other.operations.includes("read")) continue;
    const value = [valueAt(body, property)].flat()[0];
    const id = Object(value) === value ? Reflect.get(Object(value), other.idProperty) : undefined;
    if (id === undefined) continue;
    assert.equal(
      (await asking.get(`${other.path}/${String(id)}`)).status,
      200,
      `what is embedded in ${property}`,
    );
  }
}

function collectionStatuses(
  { facts, caller }: Cell,
  operation: "read" | "create",
  success: number,
): readonly number[] {
  const grants = facts.access[operation];
  if (!mayAny(grants, caller)) return [caller === null ? 401 : 403];
  // The service's own code may give nothing at all.
  const isGiven = may(grants, caller, MADE_BY_CREATOR) !== "perhaps" || grants.includes("owner");
  return isGiven || !isAskingCode(grants) ? [success] : [success, 403];
}

/** What the caller may not read can neither be a parent nor be referred to. */
function createStatuses(cell: Cell): readonly number[] {
  const { facts, caller } = cell;
  const [status = 201] = collectionStatuses(cell, "create", 201);
  if (status !== 201) return [status];
  const above = facts.parent === null ? "yes" : isVisible(facts.parent.facts, caller);
  if (above === "no") return [404];
  const allowed = facts.parent === null ? "yes" : may(facts.access.create, caller, MADE_BY_CREATOR);
  const statuses: number[] = above === "yes" ? [] : [404];
  if (allowed !== "yes") statuses.push(403);
  if (allowed === "no") return statuses;
  const needed = facts.needs.map((need) => isVisible(need.facts, caller));
  if (needed.some((seen) => seen !== "yes")) statuses.push(400);
  return needed.includes("no") ? statuses : [...statuses, 201];
}
