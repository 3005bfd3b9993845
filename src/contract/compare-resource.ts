import { changeOf, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { compareActions } from "./compare-actions.js";
import { compareBehaviour } from "./compare-behaviour.js";
import { compareLists } from "./compare-lists.js";
import { compareProperties } from "./compare-properties.js";
import { compareShownStates } from "./compare-shown-states.js";
import { NOTHING_EARLIER, type EarlierShape } from "../model/earlier-shape.js";
import { perhapsRenamed } from "./perhaps-renamed.js";
import { propertyPlace } from "./place.js";
import type { ResourceContract } from "./resource-contract.js";
import { underNewNames, type Renaming } from "./under-new-names.js";
import { conditionWords, isSameCondition, words } from "./words.js";

type Tell = (kind: ChangeKindId, found: Found) => ContractChange;

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
  const tell: Tell = (kind, found) => changeOf(kind, found, { resource, operations, isSent: true });
  return [
    ...compareNames(before, after, tell),
    ...compareParents(before, after, tell),
    ...comparePaths(before, after, tell),
    ...compareOperations(before, after, tell),
    ...comparePages(before, after, tell),
    ...renamings.map(({ path, former }) =>
      path in guessed
        ? tell("property-perhaps-renamed", { path, before: former, at: propertyPlace(path) })
        : tell("property-renamed", {
            path,
            before: former,
            at: propertyPlace(path, "renamedFrom"),
          }),
    ),
    ...compareProperties(before, after, earlier),
    ...compareOrigins(promised, after, { renamings, original, tell }),
    ...compareLists(before, after),
    ...compareBehaviour(before, after),
    ...compareActions(before, after),
    ...compareShownStates(before, after, earlier),
  ];
}

function compareNames(
  before: ResourceContract,
  after: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const changes: ContractChange[] = [];
  if (before.identifier !== after.identifier) {
    const names = { before: before.identifier, after: after.identifier, at: ["entity"] };
    changes.push(tell("identifier-renamed", names));
  }
  if (before.entity !== after.entity) {
    const names = { before: before.entity, after: after.entity, at: ["entity"] };
    changes.push(tell("entity-renamed", names));
  }
  if (before.represents !== after.represents) {
    const { resource } = before;
    const found = { before: before.represents ?? resource, after: after.represents ?? resource };
    changes.push(tell("original-changed", { ...found, at: ["represents"] }));
  }
  const [were, are] = [before.where ?? [], after.where ?? []];
  if (!isSameCondition(were, are)) {
    const found = { before: conditionWords(were), after: conditionWords(are), at: ["where"] };
    changes.push(tell("condition-changed", found));
  }
  return changes;
}

/** REP-7: which properties of the original a representation shows, under the names that those have now. */
function compareOrigins(
  { represents, properties: were }: ResourceContract,
  { represents: now, properties: are }: ResourceContract,
  {
    renamings,
    original,
    tell,
  }: {
    readonly renamings: readonly Renaming[];
    readonly original: EarlierShape;
    readonly tell: Tell;
  },
): ContractChange[] {
  if (represents === undefined || now === undefined) return [];
  const originals = Object.entries(original.renamed);
  return Object.entries(were).flatMap(([former, was]) => {
    const path = renamings.find((one) => one.former === former)?.path ?? former;
    const is = are[path];
    if (is === undefined || /[.[]/.test(path)) return [];
    const shown = was.shows ?? former;
    const before = originals.find(([, old]) => old === shown)?.[0] ?? shown;
    const after = is.shows ?? path;
    if (before === after) return [];
    const at = propertyPlace(path);
    return [tell("property-shows-another", { path, before, after, at })];
  });
}

function compareParents(
  { parent: was }: ResourceContract,
  { parent: is }: ResourceContract,
  tell: Tell,
): ContractChange[] {
  if (was?.resource === is?.resource) return [];
  const found = { before: words(was?.resource), after: words(is?.resource), at: ["parent"] };
  if (was === undefined) return [tell("parent-added", found)];
  return [tell(is === undefined ? "parent-removed" : "parent-changed", found)];
}

/** CHD-1: where else entities are listed and created. */
function comparePaths(
  { listedUnder: were = [] }: ResourceContract,
  { listedUnder: are = [] }: ResourceContract,
  tell: Tell,
): ContractChange[] {
  type Paths = NonNullable<ResourceContract["listedUnder"]>;
  const only = (some: Paths, others: Paths): Paths =>
    some.filter(({ resource }) => !others.some((other) => other.resource === resource));
  const moved = were.flatMap(({ resource, property }) => {
    const now = are.find((one) => one.resource === resource);
    if (now === undefined || now.property === property) return [];
    const at = ["properties", now.property, "listedUnder"];
    return [tell("path-changed", { path: resource, before: property, after: now.property, at })];
  });
  return [
    ...moved,
    ...only(were, are).map(({ resource, property }) =>
      tell("path-removed", { before: resource, at: ["properties", property] }),
    ),
    ...only(are, were).map(({ resource, property }) =>
      tell("path-added", { after: resource, at: ["properties", property, "listedUnder"] }),
    ),
  ];
}

function compareOperations(
  before: ResourceContract,
  after: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const at = ["operations"];
  const gone = before.operations.filter((operation) => !after.operations.includes(operation));
  const come = after.operations.filter((operation) => !before.operations.includes(operation));
  return [
    ...gone.map((operation) => {
      const reads = operation === "list" || operation === "read";
      return tell(reads ? "read-operation-removed" : "write-operation-removed", {
        before: operation,
        at,
      });
    }),
    ...come.map((operation) => tell("operation-added", { after: operation, at })),
  ];
}

function comparePages(
  before: ResourceContract,
  after: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const changes: ContractChange[] = [];
  if (before.count !== after.count) {
    changes.push(tell(after.count === "none" ? "count-removed" : "count-added", { at: ["count"] }));
  }
  if (before.ifMatch !== after.ifMatch) {
    const kind = after.ifMatch === "required" ? "if-match-required" : "if-match-optional";
    changes.push(tell(kind, { at: ["ifMatch"] }));
  }
  const [was, is] = [before.paging, after.paging];
  if (was.defaultSize !== is.defaultSize) {
    const found = { before: String(was.defaultSize), after: String(is.defaultSize) };
    const at = ["paging", "defaultSize"];
    changes.push(tell("default-page-size-changed", { ...found, at }));
  }
  if (was.maximumSize !== is.maximumSize) {
    const found = { before: String(was.maximumSize), after: String(is.maximumSize) };
    const isLower = is.maximumSize < was.maximumSize;
    const kind = isLower ? "maximum-page-size-lowered" : "maximum-page-size-raised";
    changes.push(tell(kind, { ...found, at: ["paging", "maximumSize"] }));
  }
  return changes;
}
