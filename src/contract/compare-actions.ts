import { NOTHING_EARLIER } from "../model/earlier-shape.js";
import { changeOf, sentOnly, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { isGranted } from "./compare-behaviour.js";
import { compareProperties } from "./compare-properties.js";
import type { ActionContract, ResourceContract } from "./resource-contract.js";
import { words } from "./words.js";

type Tell = (kind: ChangeKindId, found: Found) => ContractChange;

/** What has become of the actions of a resource (OPS-11). */
export function compareActions(
  before: ResourceContract,
  after: ResourceContract,
): ContractChange[] {
  const { resource } = before;
  const tell: Tell = (kind, found) =>
    changeOf(kind, found, { resource, operations: null, isSent: true });
  const [were, are] = [before.actions ?? {}, after.actions ?? {}];
  const names = [...new Set([...Object.keys(were), ...Object.keys(are)])].sort();
  return names.flatMap((path) => {
    const [was, is] = [were[path], are[path]];
    const at = ["actions", path];
    if (was === undefined) return [tell("action-added", { path, at })];
    if (is === undefined) return [tell("action-removed", { path, at })];
    return [
      ...compareAction(path, [was, is], tell),
      ...compareBodies(path, [was, is], [before, after]),
    ];
  });
}

function compareAction(
  path: string,
  [was, is]: readonly [ActionContract, ActionContract],
  tell: Tell,
): ContractChange[] {
  const differing = (
    kind: ChangeKindId,
    [from, to]: readonly [string, string],
    key: string,
  ): ContractChange[] =>
    from === to ? [] : [tell(kind, { path, before: from, after: to, at: ["actions", path, key] })];
  return [
    ...differing("action-moved", [was.on, is.on], "on"),
    ...differing("action-answer-changed", [answerWords(was), answerWords(is)], "answers"),
    ...differing("action-leads-elsewhere", [leadWords(was), leadWords(is)], "leadsTo"),
    ...compareStates(path, [was, is], tell),
    ...compareAccess(path, [was, is], tell),
  ];
}

function answerWords({ answers }: ActionContract): string {
  return answers === "object" ? "an object of its own" : answers;
}

function leadWords({ leadsTo }: ActionContract): string {
  return leadsTo ?? "no certain state";
}

/** Without `states`, all of them allow it. */
function compareStates(
  path: string,
  [{ states: were }, { states: are }]: readonly [ActionContract, ActionContract],
  tell: Tell,
): ContractChange[] {
  const isLost =
    are !== undefined && (were === undefined || were.some((one) => !are.includes(one)));
  const isGained =
    were !== undefined && (are === undefined || are.some((one) => !were.includes(one)));
  const told = (states: readonly string[] | undefined): string =>
    states === undefined ? "every state" : words(states);
  const found = { path, before: told(were), after: told(are), at: ["actions", path, "states"] };
  return [
    ...(isLost ? [tell("action-states-narrowed", found)] : []),
    ...(isGained ? [tell("action-states-widened", found)] : []),
  ];
}

function compareAccess(
  path: string,
  [{ access: were }, { access: are }]: readonly [ActionContract, ActionContract],
  tell: Tell,
): ContractChange[] {
  const found = { path, before: words(were), after: words(are), at: ["actions", path, "access"] };
  const isLost = !were.every((grant) => isGranted(grant, are));
  const isGained = !are.every((grant) => isGranted(grant, were));
  return [
    ...(isLost ? [tell("action-access-narrowed", found)] : []),
    ...(isGained ? [tell("action-access-widened", found)] : []),
  ];
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
