import { changeOf, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import type { ResourceContract } from "./resource-contract.js";

type Tell = (kind: ChangeKindId, found: Found) => ContractChange;

/** What has become of what a resource lists beside its properties: common filters, and what is unique together. */
export function compareLists(before: ResourceContract, after: ResourceContract): ContractChange[] {
  const { resource, operations } = before;
  const follows = after.represents;
  const tell: Tell = (kind, found) => {
    const about = { ...found, ...(follows !== undefined && { follows }) };
    return changeOf(kind, about, { resource, operations, isSent: true });
  };
  return [
    ...compareCommonFilters(before, after, tell),
    ...compareEvents(before, after, tell),
    ...compareUnique(before, after, tell),
  ];
}

/** EVT-1 */
function compareEvents(
  { events: were = [] }: ResourceContract,
  { events: are = [] }: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const at = ["events"];
  return [
    ...without(are, were).map((kind) => tell("event-added", { after: kind, at })),
    ...without(were, are).map((kind) => tell("event-removed", { before: kind, at })),
  ];
}

function compareCommonFilters(
  { commonFilters: were = [] }: ResourceContract,
  { commonFilters: are = [] }: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const at = ["commonFilters"];
  return [
    ...without(are, were).map((path) => tell("common-filter-added", { path, at })),
    ...without(were, are).map((path) => tell("common-filter-removed", { path, at })),
  ];
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  return paths.filter((path) => !others.includes(path));
}

type Lists = readonly (readonly string[])[];

/** What is unique by itself is unique together with anything else: only what does not follow is told. */
function compareUnique(
  before: ResourceContract,
  after: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const [were, are] = [listsOf(before), listsOf(after)];
  const at = ["unique"];
  return [
    ...(after.unique ?? [])
      .filter((list) => !followsFrom(list, were))
      .map((list) => tell("unique-list-added", { after: together(list), at })),
    ...(before.unique ?? [])
      .filter((list) => !followsFrom(list, are))
      .map((list) => tell("unique-list-removed", { before: together(list), at })),
  ];
}

function listsOf({ unique = [], properties }: ResourceContract): Lists {
  const alone = Object.entries(properties).flatMap(([path, property]) =>
    property.unique === true ? [[path]] : [],
  );
  return [...unique, ...alone];
}

function followsFrom(list: readonly string[], known: Lists): boolean {
  return known.some((other) => other.every((name) => list.includes(name)));
}

/** `merchant and number` */
function together(list: readonly string[]): string {
  return [list.slice(0, -1).join(", "), list.at(-1)].join(" and ");
}
