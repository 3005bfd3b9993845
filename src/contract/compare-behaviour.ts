import { tieOf, type AccessModel } from "../kinds/access-model.js";
import type { EarlierShape } from "../model/earlier-shape.js";
import { lostInState } from "../validate/lost-in-state.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import {
  about,
  byName,
  choice,
  compareFacts,
  inner,
  members,
  named,
  placed,
  value,
  within,
  type Compared,
  type Fact,
  type Facts,
} from "./facts.js";
import type {
  AliasContract,
  ConditionContract,
  ResourceContract,
  StatesContract,
  TakenAlong,
} from "./resource-contract.js";
import { conditionWords, isSameCondition, words } from "./words.js";

/** Access, states and aliases of a resource. */
export const BEHAVIOUR_FACTS: Facts<ResourceContract> = {
  access: compareAccess,
  // Who may read and delete what a deletion takes along, as far as those who could delete before are concerned.
  takesAlong: placed(
    ["access", "delete"],
    members(
      { come: "deletion-narrowed", gone: "deletion-widened" },
      {
        covers: (clause, _, other) => isMetBy(clause, other),
        says: ({ access }) => words(access),
        found: ({ resource: path }) => ({ path }),
      },
    ),
  ),
  states: compareStates,
  aliases: compareAliases,
};

/** Of a role that is replaced by another, both are told: some lose the access, others gain it. */
function compareAccess(compared: Compared<AccessModel, ResourceContract>): readonly Difference[] {
  const read = named(choice("read-access-narrowed", "read-access-widened", { covers: isGranted }));
  const write = named(
    choice("write-access-narrowed", "write-access-widened", { covers: isGranted }),
  );
  return inner<AccessModel>({ read, create: write, update: write, delete: write })(compared);
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
  return tieOf(grant) !== null;
}

/** AUT-2: everybody holds `anyone`, and whoever holds another grant has a name. */
export function isGranted(grant: string, grants: readonly string[]): boolean {
  if (grants.includes("anyone") || grants.includes(grant)) return true;
  return grant !== "anyone" && grants.includes("authenticated");
}

const STATE_FACTS: Facts<StatesContract> = {
  initial: about(({ before }) => before.property, value("initial-state-changed")),
  alsoInitial: about(
    ({ before }) => before.property,
    placed(
      ["initial"],
      members(
        { gone: "initial-state-removed", come: "initial-state-added" },
        { covers: (state, others, { initial }) => state === initial || others.includes(state) },
      ),
    ),
  ),
  transitions: compareTransitions,
  updatableIn: choice("update-states-narrowed", "update-states-widened", { isMissed: isState }),
  deletableIn: choice("delete-states-narrowed", "delete-states-widened", { isMissed: isState }),
};

/** Compares the states of one property; those of another property are new. */
function compareStates(
  compared: Compared<StatesContract, ResourceContract>,
): readonly Difference[] {
  const { was, is } = compared;
  if (was?.property === is?.property) return inner(STATE_FACTS)(compared);
  return [
    ...(was === undefined ? [] : [{ kind: "states-removed" as const, path: was.property }]),
    ...(is === undefined ? [] : [{ kind: "states-added" as const, path: is.property }]),
  ];
}

/** A state that there is no more cannot be missed. */
function isState(state: string, { transitions }: StatesContract): boolean {
  return state in transitions;
}

/** A state that comes or goes is told as a value. */
function compareTransitions(
  compared: Compared<StatesContract["transitions"], StatesContract>,
): readonly Difference[] {
  const { before, after } = compared;
  const isKnown = (state: string): boolean => isState(state, before) && isState(state, after);
  const pairs = ({ transitions }: StatesContract): string[] =>
    Object.entries(transitions)
      .filter(([from]) => isKnown(from))
      .flatMap(([from, to]) => to.filter(isKnown).map((next) => `${from} -> ${next}`));
  return TRANSITIONS({ ...compared, was: pairs(before), is: pairs(after) });
}

const TRANSITIONS = members<string, unknown>(
  { come: "transition-added", gone: "transition-removed" },
  { found: (pair) => ({ at: ["transitions", pair.split(" ")[0] ?? ""] }) },
);

const ALIAS_FACTS: Facts<AliasContract> = {
  where: conditions("alias-condition-changed"),
  sort: value("alias-sort-changed", {
    says: (keys = []) => (keys.length === 0 ? "the identifier" : keys.join(", ")),
  }),
};

function compareAliases({
  key,
  was: were = {},
  is: are = {},
}: Compared<Readonly<Record<string, AliasContract>>, ResourceContract>): Difference[] {
  return byName(were, are, (path, was, is): Difference[] => {
    const at = [key, path];
    if (was === undefined) return [{ kind: "alias-added", path, at }];
    if (is === undefined) return [{ kind: "alias-removed", path, at }];
    return within(at, compareFacts(ALIAS_FACTS, was, is)).map((one) => ({ ...one, path }));
  });
}

/** Compares conditions, whatever their order. */
export function conditions(kind: ChangeKindId): Fact<readonly ConditionContract[], unknown> {
  return value(kind, {
    isSame: (were = [], are = []) => isSameCondition(were, are),
    says: (all = []) => conditionWords(all),
  });
}

/** New states that allow less than those that the version before shows instead (VER-2). */
export function compareShownStates(
  before: ResourceContract,
  { resource, states, actions, properties }: ResourceContract,
  { instead }: EarlierShape,
): ContractChange[] {
  const path = states?.property ?? "";
  const { values: were = [] } = before.properties[path] ?? {};
  const { values: are = [] } = properties[path] ?? {};
  if (states === undefined || were.length === 0) return [];
  const offered = { older: before.actions, newer: actions };
  const isKnown = (state: string): boolean => were.includes(state);
  return are.flatMap((state) => {
    const shown = instead[path]?.[state];
    if (shown === undefined || isKnown(state)) return [];
    const lost = lostInState(states, offered, { state, shown, isKnown });
    if (lost.length === 0) return [];
    const found = { before: shown, after: `${state} without ${lost.join(", ")}` };
    const at = ["properties", path, "inOlderVersions", state];
    const concerned = { resource, operations: null, path, at };
    return [changeOf({ kind: "shown-state-allows-less", ...found }, concerned)];
  });
}
