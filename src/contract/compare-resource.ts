import { NOTHING_EARLIER, type EarlierShape } from "../model/earlier-shape.js";
import type { Operation } from "../model/resource-model.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { compareActions } from "./compare-actions.js";
import { BEHAVIOUR_FACTS, compareShownStates, conditions } from "./compare-behaviour.js";
import { compareProperties } from "./compare-properties.js";
import {
  amount,
  compareFacts,
  flag,
  inner,
  members,
  placed,
  value,
  type Compared,
  type Facts,
} from "./facts.js";
import { perhapsRenamed } from "./perhaps-renamed.js";
import { propertyPlace } from "./place.js";
import type { ResourceContract } from "./resource-contract.js";
import { underNewNames, type Renaming } from "./under-new-names.js";
import { words } from "./words.js";

/** The identity, paths and operations of a resource. */
const RESOURCE_FACTS: Facts<ResourceContract> = {
  identifier: placed(["entity"], value("identifier-renamed")),
  entity: value("entity-renamed"),
  represents: value("original-changed", { says: (original, { resource }) => original ?? resource }),
  where: conditions("condition-changed"),
  parent: value("parent-changed", {
    added: "parent-added",
    removed: "parent-removed",
    isSame: (was, is) => was?.resource === is?.resource,
    says: (parent) => words(parent?.resource),
  }),
  listedUnder: comparePaths,
  operations: members({ gone: goneKind, come: "operation-added" }),
  heldBy: placed(
    ["operations"],
    members({ come: "deletion-held", gone: "deletion-freed" }, { found: (path) => ({ path }) }),
  ),
  count: flag("count-removed", "count-added"),
  search: compareSearch,
  tenant: flag("tenant-added", "tenant-removed"),
  ifMatch: flag("if-match-required", "if-match-optional"),
  events: members({ gone: "event-removed", come: "event-added" }),
  paging: inner<ResourceContract["paging"]>({
    defaultSize: value("default-page-size-changed"),
    next: flag("next-added", "next-removed"),
    maximumSize: amount("maximum-page-size-raised", "maximum-page-size-lowered"),
  }),
};

/** Lists that a representation shares with its original. */
const LIST_FACTS: Facts<ResourceContract> = {
  commonFilters: members(
    { come: "common-filter-added", gone: "common-filter-removed" },
    { says: null, found: (path) => ({ path }) },
  ),
  // What is unique by itself is unique together with anything else: only what does not follow is told.
  unique: members(
    { come: "unique-list-added", gone: "unique-list-removed" },
    { covers: (list, _, other) => isUnique(list, other), says: together },
  ),
};

/**
 * What has become of one resource, for its clients; what could be a new name is guessed where its file was read. Of a
 * representation, `original` is what the file of the original says.
 */
export function compareResources(
  promised: ResourceContract,
  after: ResourceContract,
  said: EarlierShape | null,
  original: EarlierShape = NOTHING_EARLIER,
): ContractChange[] {
  const { resource, operations } = promised;
  const earlier = said ?? NOTHING_EARLIER;
  const guessed = said === null ? {} : perhapsRenamed(promised, after, said);
  const renamed = { ...earlier.renamed, ...guessed };
  const { before, renamings } = underNewNames(promised, after, { renamed });
  const told = (differences: readonly Difference[]): ContractChange[] =>
    differences.map((one) => changeOf(one, { resource, operations }));
  const follows = after.represents;
  const lists = compareFacts(LIST_FACTS, before, after);
  const tokens = tokensGone(before, after);
  return [
    ...told(compareFacts(RESOURCE_FACTS, before, after)),
    ...told(renamings.map((one) => renaming(one, one.path in guessed))),
    ...compareProperties(before, after, earlier),
    ...told(compareOrigins(promised, after, { renamings, original })),
    ...told(tokens),
    ...told(lists.map((one) => (follows === undefined ? one : { ...one, follows }))),
    ...told(compareFacts(BEHAVIOUR_FACTS, before, after)),
    ...compareActions(before, after),
    ...compareShownStates(before, after, earlier),
  ];
}

/** QRY-9: a list with a filter called `after` has no tokens. */
function tokensGone(before: ResourceContract, after: ResourceContract): readonly Difference[] {
  const isTaken = ({ properties }: ResourceContract): boolean =>
    properties["after"]?.filterable === true;
  if (isTaken(before) || !isTaken(after)) return [];
  return [{ kind: "page-tokens-removed", at: ["properties", "after", "filterable"] }];
}

/** QRY-8: what is found by a further property comes after what was found before. */
function compareSearch(
  compared: Compared<readonly string[], ResourceContract>,
): readonly Difference[] {
  const { was = [], is } = compared;
  const isWidened = was.every((path, index) => is?.[index] === path);
  const changed = isWidened ? "search-parameter-widened" : "search-parameter-changed";
  const kinds = { added: "search-parameter-added", removed: "search-parameter-removed" } as const;
  return value<readonly string[], unknown>(changed, kinds)(compared);
}

function goneKind(operation: Operation): ChangeKindId {
  const isRead = operation === "list" || operation === "read";
  return isRead ? "read-operation-removed" : "write-operation-removed";
}

function renaming({ path, former }: Renaming, isGuessed: boolean): Difference {
  const found = { path, before: former };
  return isGuessed
    ? { kind: "property-perhaps-renamed", ...found, at: propertyPlace(path) }
    : { kind: "property-renamed", ...found, at: propertyPlace(path, "renamedFrom") };
}

/** REP-7: which properties of the original a representation shows, under the names that those have now. */
function compareOrigins(
  { represents, properties: were }: ResourceContract,
  { represents: now, properties: are }: ResourceContract,
  said: { readonly renamings: readonly Renaming[]; readonly original: EarlierShape },
): Difference[] {
  if (represents === undefined || now === undefined) return [];
  const originals = Object.entries(said.original.renamed);
  return Object.entries(were).flatMap(([former, was]): Difference[] => {
    const path = said.renamings.find((one) => one.former === former)?.path ?? former;
    const is = are[path];
    if (is === undefined || /[.[]/.test(path)) return [];
    const shown = was.shows ?? former;
    const before = originals.find(([, old]) => old === shown)?.[0] ?? shown;
    const after = is.shows ?? path;
    if (before === after) return [];
    return [{ kind: "property-shows-another", path, before, after, at: propertyPlace(path) }];
  });
}

type Paths = NonNullable<ResourceContract["listedUnder"]>;

/** CHD-1: where else entities are listed and created. */
function comparePaths(compared: Compared<Paths, ResourceContract>): Difference[] {
  const { was = [], is = [] } = compared;
  const moved = was.flatMap(({ resource: path, property: before }): Difference[] => {
    const after = is.find((one) => one.resource === path)?.property;
    if (after === undefined || after === before) return [];
    const at = ["properties", after, "listedUnder"];
    return [{ kind: "path-changed", path, before, after, at }];
  });
  return [...moved, ...PATHS(compared)];
}

const PATHS = members<Paths[number], unknown>(
  { gone: "path-removed", come: "path-added" },
  {
    covers: ({ resource }, others) => others.some((other) => other.resource === resource),
    says: ({ resource }) => resource,
    found: ({ property }, direction) => ({
      at: ["properties", property, ...(direction === "come" ? ["listedUnder"] : [])],
    }),
  },
);

function isUnique(list: readonly string[], { unique = [], properties }: ResourceContract): boolean {
  const alone = Object.keys(properties).filter((path) => properties[path]?.unique === true);
  return [...unique, ...alone.map((path) => [path])].some((other) =>
    other.every((name) => list.includes(name)),
  );
}

/** `merchant and number` */
function together(list: readonly string[]): string {
  return [list.slice(0, -1).join(", "), list.at(-1)].join(" and ");
}
