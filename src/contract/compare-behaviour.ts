import type { AccessModel } from "../kinds/access-model.js";
import { isEqual, type Json } from "../samples/json.js";
import { changeOf, type Concerned, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import type {
  AliasContract,
  ResourceContract,
  StatesContract,
  TakenAlong,
} from "./resource-contract.js";
import { conditionWords, isSameCondition, words } from "./words.js";

type Tell = (kind: ChangeKindId, found: Found) => ContractChange;

/** What has become of the access, the states and the aliases of a resource. */
export function compareBehaviour(
  before: ResourceContract,
  after: ResourceContract,
): ContractChange[] {
  const { resource, operations } = before;
  const concerned: Concerned = { resource, operations, isSent: true };
  const tell: Tell = (kind, found) => changeOf(kind, found, concerned);
  return [
    ...compareAccess(before.access, after.access, tell),
    ...compareTaken(before, after, tell),
    ...compareStates(before.states, after.states, tell),
    ...compareAliases(before.aliases ?? {}, after.aliases ?? {}, tell),
  ];
}

const DOINGS = ["read", "create", "update", "delete"] as const;

/** Of a role that is replaced by another, both are told: some lose the access, others gain it. */
function compareAccess(before: AccessModel, after: AccessModel, tell: Tell): ContractChange[] {
  return DOINGS.flatMap((doing) => {
    const [was, is] = [before[doing], after[doing]];
    const group = doing === "read" ? "read-access" : "write-access";
    const found = { path: doing, before: words(was), after: words(is), at: ["access", doing] };
    return [
      ...(was.every((grant) => isGranted(grant, is))
        ? []
        : [tell(`${group}-narrowed` as const, found)]),
      ...(is.every((grant) => isGranted(grant, was))
        ? []
        : [tell(`${group}-widened` as const, found)]),
    ];
  });
}

/** Who may read and delete what a deletion takes along, as far as those who could delete before are concerned. */
function compareTaken(
  before: ResourceContract,
  after: ResourceContract,
  tell: Tell,
): ContractChange[] {
  const asked = (one: ResourceContract, other: ResourceContract): readonly TakenAlong[] =>
    (one.takesAlong ?? []).filter((clause) => !isMetBy(clause, other));
  const at = ["access", "delete"];
  return [
    ...asked(after, before).map(({ resource: path, access }) =>
      tell("deletion-narrowed", { path, after: words(access), at }),
    ),
    ...asked(before, after).map(({ resource: path, access }) =>
      tell("deletion-widened", { path, before: words(access), at }),
    ),
  ];
}

/** Whether everybody who may delete by a contract is among those whom a clause asks for. */
function isMetBy(clause: TakenAlong, { access, takesAlong = [] }: ResourceContract): boolean {
  // What an entity's owner is to it, the owner of its parent is to a child; and whoever is one has a name.
  const isTiedIn = (grant: string): boolean =>
    isGranted("authenticated", clause.access) ||
    clause.access.some((one) => one.endsWith(`:${grant}`));
  const own = [access.delete, access.read].some((grants) =>
    grants.every((grant) => (isTied(grant) ? isTiedIn(grant) : isGranted(grant, clause.access))),
  );
  const others = takesAlong.some((other) =>
    other.access.every(
      (grant) =>
        isGranted(grant, clause.access) && (other.resource === clause.resource || !isTied(grant)),
    ),
  );
  return own || others;
}

/** Whether a grant says who somebody is to an entity. */
function isTied(grant: string): boolean {
  return /^(?:parent:)*(?:owner|custom)$/.test(grant);
}

/** AUT-2: everybody holds `anyone`, and whoever holds another grant has a name. */
export function isGranted(grant: string, grants: readonly string[]): boolean {
  if (grants.includes("anyone") || grants.includes(grant)) return true;
  return grant !== "anyone" && grants.includes("authenticated");
}

function compareStates(
  before: StatesContract | undefined,
  after: StatesContract | undefined,
  tell: Tell,
): ContractChange[] {
  const at = ["states"];
  if (before === undefined || after === undefined || before.property !== after.property) {
    return [
      ...(before === undefined || before === after
        ? []
        : [tell("states-removed", { path: before.property, at })]),
      ...(after === undefined || before === after
        ? []
        : [tell("states-added", { path: after.property, at })]),
    ];
  }
  return [
    ...compareInitial(before, after, tell),
    ...compareTransitions(before, after, tell),
    ...compareAllowed("update", before.updatableIn, after, tell),
    ...compareAllowed("delete", before.deletableIn, after, tell),
  ];
}

/** The state that an entity begins in by itself, and those that a create may name as well. */
function compareInitial(
  before: StatesContract,
  after: StatesContract,
  tell: Tell,
): ContractChange[] {
  const at = ["states", "initial"];
  const path = before.property;
  const [was, is] = [before.initial, after.initial];
  const [were, are] = [initialsOf(before), initialsOf(after)];
  const gone = were.filter((state) => !are.includes(state));
  const come = are.filter((state) => !were.includes(state));
  return [
    ...(was === is ? [] : [tell("initial-state-changed", { path, before: was, after: is, at })]),
    ...gone
      .filter((state) => state !== was)
      .map((state) => tell("initial-state-removed", { path, before: state, at })),
    ...come
      .filter((state) => state !== is)
      .map((state) => tell("initial-state-added", { path, after: state, at })),
  ];
}

function initialsOf({ initial, alsoInitial = [] }: StatesContract): readonly string[] {
  return [initial, ...alsoInitial];
}

/** A state that comes or goes is told as a value. */
function compareTransitions(
  before: StatesContract,
  after: StatesContract,
  tell: Tell,
): ContractChange[] {
  const known = (state: string): boolean =>
    state in before.transitions && state in after.transitions;
  const pairsOf = ({ transitions }: StatesContract): string[] =>
    Object.entries(transitions).flatMap(([from, to]) =>
      [from, ...to].every(known) ? to.map((next) => `${from} -> ${next}`) : inKnown(from, to),
    );
  const inKnown = (from: string, to: readonly string[]): string[] =>
    known(from) ? to.filter(known).map((next) => `${from} -> ${next}`) : [];
  const [were, are] = [pairsOf(before), pairsOf(after)];
  const at = (pair: string): readonly string[] => [
    "states",
    "transitions",
    pair.split(" ")[0] ?? "",
  ];
  return [
    ...are
      .filter((pair) => !were.includes(pair))
      .map((pair) => tell("transition-added", { after: pair, at: at(pair) })),
    ...were
      .filter((pair) => !are.includes(pair))
      .map((pair) => tell("transition-removed", { before: pair, at: at(pair) })),
  ];
}

function compareAllowed(
  doing: "update" | "delete",
  were: readonly string[],
  after: StatesContract,
  tell: Tell,
): ContractChange[] {
  const keyword = doing === "update" ? "updatableIn" : "deletableIn";
  const are = after[keyword];
  const found = { before: words(were), after: words(are), at: ["states", keyword] };
  // A state that there is no more cannot be missed.
  const lost = were.filter((state) => state in after.transitions && !are.includes(state));
  const gained = are.filter((state) => !were.includes(state));
  return [
    ...(lost.length > 0 ? [tell(`${doing}-states-narrowed`, found)] : []),
    ...(gained.length > 0 ? [tell(`${doing}-states-widened`, found)] : []),
  ];
}

type Aliases = Readonly<Record<string, AliasContract>>;

function compareAliases(before: Aliases, after: Aliases, tell: Tell): ContractChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((path) => {
    const [was, is] = [before[path], after[path]];
    const at = ["aliases", path];
    if (was === undefined) return [tell("alias-added", { path, at })];
    if (is === undefined) return [tell("alias-removed", { path, at })];
    return compareAlias(path, [was, is], tell);
  });
}

function compareAlias(
  path: string,
  [was, is]: readonly [AliasContract, AliasContract],
  tell: Tell,
): ContractChange[] {
  const conditions = { before: conditionWords(was.where), after: conditionWords(is.where) };
  const sort = { before: sortWords(was), after: sortWords(is) };
  return [
    ...(isSameCondition(was.where, is.where)
      ? []
      : [tell("alias-condition-changed", { path, ...conditions, at: ["aliases", path, "where"] })]),
    ...(isSameList(was.sort, is.sort)
      ? []
      : [tell("alias-sort-changed", { path, ...sort, at: ["aliases", path, "sort"] })]),
  ];
}

function sortWords({ sort }: AliasContract): string {
  return sort.length === 0 ? "the identifier" : sort.join(", ");
}

/** Contracts hold JSON alone. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return isEqual(one as readonly Json[], other as readonly Json[]);
}
