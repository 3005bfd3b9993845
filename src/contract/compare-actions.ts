import { NOTHING_EARLIER } from "../model/earlier-shape.js";
import { changeOf, sentOnly, type ContractChange } from "./change.js";
import { isGranted } from "./compare-behaviour.js";
import { compareProperties } from "./compare-properties.js";
import { byName, choice, compareFacts, value, type Facts } from "./facts.js";
import type { ActionContract, ResourceContract } from "./resource-contract.js";
import { words } from "./words.js";

const ACTION_FACTS: Facts<ActionContract> = {
  on: value("action-moved"),
  answers: value("action-answer-changed", {
    says: (answers) => (answers === "object" ? "an object of its own" : words(answers)),
  }),
  leadsTo: value("action-leads-elsewhere", { says: (state = "no certain state") => state }),
  states: choice("action-states-narrowed", "action-states-widened", {
    says: (states) => (states === undefined ? "every state" : words(states)),
  }),
  access: choice("action-access-narrowed", "action-access-widened", { covers: isGranted }),
};

/** What has become of the actions of a resource (OPS-11). */
export function compareActions(
  before: ResourceContract,
  after: ResourceContract,
): ContractChange[] {
  const { resource } = before;
  return byName(before.actions ?? {}, after.actions ?? {}, (path, was, is) => {
    const action = { resource, operations: null, path, at: ["actions", path] };
    if (was === undefined) return [changeOf({ kind: "action-added" }, action)];
    if (is === undefined) return [changeOf({ kind: "action-removed" }, action)];
    return [
      ...compareFacts(ACTION_FACTS, was, is).map((one) => changeOf(one, action)),
      ...compareBodies(path, [was, is], [before, after]),
    ];
  });
}

/** What is sent is a body like that of a create, and what is answered is read. */
function compareBodies(
  path: string,
  [was, is]: readonly [ActionContract, ActionContract],
  [before, after]: readonly [ResourceContract, ResourceContract],
): ContractChange[] {
  const bodies = [
    { key: "input", operations: ["create"] },
    { key: "answer", operations: ["read"] },
  ] as const;
  return bodies.flatMap(({ key, operations }) => {
    const changes = compareProperties(
      { ...before, operations, properties: was[key] },
      { ...after, operations, properties: is[key] },
      NOTHING_EARLIER,
    );
    const place = key === "input" ? "input" : "answers";
    return changes.map((change) => ({
      ...(key === "input" ? sentOnly(change) : change),
      path: `${path}: ${change.path}`,
      // They stand under the action, and not among the properties of the resource.
      at: ["actions", path, place, ...change.at.slice(1)],
    }));
  });
}
