import assert from "node:assert/strict";
import { test } from "node:test";

import type { Answer, Client } from "./client.js";
import {
  allCallers,
  allRoles,
  entityStatuses,
  isVisible,
  may,
  type Caller,
  type Makers,
} from "./reach.js";
import { canCreate, type Parent, type ResourceFacts } from "./resource-facts.js";
import { assertStatusAmong } from "./status-among.js";
import { CREATOR, type Suite } from "./suite.js";

const FILER = "filer";

/** A child that somebody else has made under the creator's parent. */
const FILED: Makers = { entity: FILER, parent: CREATOR };

/** What stands between the parts of one test. */
interface Scene {
  readonly facts: ResourceFacts;
  readonly parent: Parent;
  readonly caller: Caller;
  readonly creator: Client;
  readonly filer: Client;
  readonly asking: Client;
}

/** AUT-2: children whose parent is somebody else's, and parents with children that are somebody else's. */
export function childAccessTests({ facts, client, headersOf }: Suite, parent: Parent): void {
  if (!canCreate(facts)) return;
  const filing = { subject: FILER, roles: allRoles(facts) };
  const callers = { ...allCallers(facts), "who made the child": { subject: FILER, roles: [] } };
  for (const [name, caller] of Object.entries(callers)) {
    const scene = async (): Promise<Scene> => ({
      facts,
      parent,
      caller,
      creator: client(),
      filer: client().as(await headersOf(filing)),
      asking: client().as(caller === null ? {} : await headersOf(caller)),
    });
    test(`AUT-2: what ${name} may do with another's child of a parent`, async () => {
      await tryFiled(await scene());
    });
    test(`AUT-2: whether ${name} may delete a parent with another's child`, async () => {
      await tryParent(await scene());
    });
  }
}

/** A child of the filer's in the path of a new parent; null where the filer may make none. */
async function filed({ creator, filer }: Scene): Promise<{ path: string; made: Answer } | null> {
  const path = await creator.createPath();
  const made = await filer.send("POST", path, JSON.stringify(await creator.body()));
  return made.status === 201 ? { path, made } : null;
}

async function tryFiled(scene: Scene): Promise<void> {
  const { facts, parent, caller, asking } = scene;
  const found = await filed(scene);
  if (found === null || facts.isFiltered === true) return;
  const { path, made } = found;
  const isSeen = await sees(scene, made);
  if (facts.operations.includes("list")) {
    const everywhere = await asking.get(`${facts.path}?sort=-createdDate`);
    if (everywhere.status === 200) assert.equal(asking.lists(everywhere, made), isSeen, "the list");
    for (const place of [path, ...(facts.aliases ?? []).map((alias) => `${path}/${alias}`)]) {
      const under = await asking.get(place);
      if (isVisible(parent.facts, caller) === "no")
        assertStatusAmong(under, [401, 403, 404], place);
      else if (under.status === 200 && place === path)
        assert.equal(asking.lists(under, made), isSeen, place);
    }
  }
  const requests = { read: "GET", update: "PATCH", delete: "DELETE" } as const;
  for (const operation of ["read", "update", "delete"] as const) {
    if (!facts.operations.includes(operation)) continue;
    const body = operation === "update" ? "{}" : undefined;
    const answer = await asking.send(requests[operation], asking.pathOf(made), body);
    assertStatusAmong(answer, entityStatuses(facts, operation, caller, FILED), operation);
  }
}

/** Where the service's own code decides, a single read tells what it has decided. */
async function sees({ facts, caller, asking }: Scene, made: Answer): Promise<boolean> {
  const seen = isVisible(facts, caller, FILED);
  if (seen !== "perhaps") return seen === "yes";
  return (await asking.get(asking.pathOf(made))).status === 200;
}

async function tryParent(scene: Scene): Promise<void> {
  const { parent, asking } = scene;
  if (!parent.facts.operations.includes("delete")) return;
  const found = await filed(scene);
  if (found === null) return;
  const path = found.path.slice(0, -parent.rest.length);
  const answer = await asking.send("DELETE", path, undefined, { "if-match": "*" });
  assertStatusAmong(answer, parentStatuses(scene), "the parent");
}

function parentStatuses({ facts, parent, caller }: Scene): readonly number[] {
  const refused = caller === null ? 401 : 403;
  return entityStatuses(parent.facts, "delete", caller).flatMap((status) => {
    if (status !== 204 && status !== 409) return status;
    const { takesAlong = false } = parent;
    const { read, delete: deleting } = facts.access;
    const rights = [read, deleting].map((grants) => may(grants, caller, FILED));
    const done = facts.deletable ? status : 409;
    if (takesAlong || rights.every((right) => right === "yes")) return done;
    return rights.includes("no") ? refused : [refused, done];
  });
}
