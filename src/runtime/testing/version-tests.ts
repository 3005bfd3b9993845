import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, type Answer, type JsonBody } from "./client.js";
import { headersWith } from "./credentials.js";
import type { TestParts } from "./parts.js";
import { canCreate } from "./resource-facts.js";
import { CREATOR } from "./suite.js";
import { startTestApp, type TestSetup } from "./test-app.js";
import { unlimited } from "./unlimited.js";
import {
  changedItems,
  knownPart,
  sentPart,
  shownValue,
  unseenChange,
  type VersionFacts,
  type VersionSide,
} from "./version-facts.js";
import { withSamplesOfSide } from "./version-samples.js";
import { Version } from "./version-writer.js";

/** The laws of two versions of a resource: 200 objects, real HTTP, a real database (VER-2). */
export function versionTests<Provided extends object, OwnContext extends object>(
  setup: TestSetup<Provided, OwnContext>,
  generated: VersionFacts,
  { bearer }: Pick<TestParts, "bearer"> = {},
): void {
  const facts = {
    ...generated,
    older: withSamplesOfSide(generated.older, setup.samples),
    newer: withSamplesOfSide(generated.newer, setup.samples),
  };
  if (
    ![facts.older, facts.newer].every(({ facts: { operations } }) => operations.includes("read"))
  ) {
    return;
  }
  const law = (name: string, run: Law): void => {
    test(`VER-2: ${name}`, () =>
      withVersions(setup, facts, bearer, (older, newer) => run(older, newer, facts)));
  };
  if (canCreate(facts.newer.facts)) {
    law("an older version shows what the newer one has written, and takes it back", shownAndTaken);
  }
  for (const state of facts.newer.state?.apart ?? []) {
    const reason = "only an action leads there, which can refuse what these tests send";
    test(`VER-2: the laws of what is ${state}`, { skip: reason });
  }
  if (canCreate(facts.older.facts)) {
    law("what an older version has written is whole in the newer one, and comes back", whole);
  }
}

interface Versions {
  readonly older: Version;
  readonly newer: Version;
}

/** What holds of two versions of one service. */
type Law = (older: Version, newer: Version, facts: VersionFacts) => Promise<void>;

/** A PUT of what an older version shows changes nothing, and any other PUT nothing that it cannot see. */
async function shownAndTaken(older: Version, newer: Version, facts: VersionFacts): Promise<void> {
  await newer.eachObject(async (index) => {
    const made = await newer.create(index);
    const shown = await older.read(made);
    assertShown(shown.body, made.body, facts);
    if (older.canReplace) {
      assertSame(await older.replace(shown), shown);
      assertSame(await newer.read(made), made);
    }
    if (older.canReplace && newer.way(index).isUpdatable) {
      const sent = await older.changes(index + 2);
      await itemsInPlace({ older, newer }, { made, shown, sent }, facts);
      await unseenStays({ older, newer }, made, await older.changes(index + 1), facts);
    }
    await newer.remove(made, index);
  });
}

/** A PUT of other values changes nothing that the older version cannot see. */
async function unseenStays(
  { older, newer }: Versions,
  made: Answer,
  sent: JsonBody,
  facts: VersionFacts,
): Promise<void> {
  const before = await newer.read(made);
  const changed = await older.replace(await older.read(made), sent);
  assertWritten(changed.body, sent);
  const { body } = await newer.read(made);
  assertShown(changed.body, body, facts);
  for (const name of facts.unseen) assert.deepEqual(body[name], before.body[name], name);
  for (const fact of facts.shown) {
    const { newer: name } = fact;
    assert.equal(unseenChange(before.body[name], body[name], fact), null);
  }
}

/** A change of one part of each item of a list leaves all else of the item as it was. */
async function itemsInPlace(
  { older, newer }: Versions,
  { made, shown, sent }: { readonly made: Answer; readonly shown: Answer; readonly sent: JsonBody },
  facts: VersionFacts,
): Promise<void> {
  for (const fact of facts.shown) {
    const change = changedItems({ made: made.body, shown: shown.body, sent }, fact);
    if (change === null) continue;
    await older.replace(shown, { [fact.older]: change.older });
    const { body } = await newer.read(made);
    assert.deepEqual(body[fact.newer], change.newer, fact.newer);
  }
}

/** What is written through an older version is read there as it was written, also after the newer one has sent it back. */
async function whole(older: Version, newer: Version, facts: VersionFacts): Promise<void> {
  await older.eachObject(async (index) => {
    const made = await older.create(index);
    assertWritten(made.body, older.body(index));
    assertSame(await older.read(made), made);
    const next = await newer.read(made);
    assertShown(made.body, next.body, facts);
    if (newer.canReplace) {
      assertSame(await newer.replace(next), next);
      assertSame(await older.read(made), made);
    }
    await older.remove(made, index);
  });
}

/** Runs a service with an empty database: what is unique in one law is none in the other. */
async function withVersions<Provided extends object, OwnContext extends object>(
  { app, samples: _, roles: given = [], ...setup }: TestSetup<Provided, OwnContext>,
  facts: VersionFacts,
  bearer: TestParts["bearer"],
  run: (older: Version, newer: Version) => Promise<void>,
): Promise<void> {
  const service = await startTestApp({ app: unlimited(app), ...setup });
  // Both make what they refer to in one database.
  const turns = new Map<string, number>();
  try {
    const versionOf = async (side: VersionSide): Promise<Version> => {
      const roles = bearer?.rolesOf(side.facts) ?? [];
      const headersOf = headersWith(service.headersOf, given, roles);
      const headers = await headersOf({ subject: CREATOR, roles });
      return new Version(new Client(service.url, side.facts, headers, turns), side);
    };
    await run(await versionOf(facts.older), await versionOf(facts.newer));
  } finally {
    await service.close();
  }
}

function assertShown(shown: JsonBody, newer: JsonBody, facts: VersionFacts): void {
  for (const fact of facts.shown) {
    const known = knownPart(shown[fact.older], fact);
    assert.deepEqual(known, shownValue(newer[fact.newer], fact), fact.older);
  }
}

/** What was sent is what is there; a reference shows more of what it leads to. */
function assertWritten(written: JsonBody, sent: JsonBody): void {
  for (const [name, value] of Object.entries(sent)) {
    assert.deepEqual(sentPart(written[name], value), value, name);
  }
}

function assertSame(answer: Answer, expected: Answer): void {
  assert.deepEqual(answer.body, expected.body);
}
