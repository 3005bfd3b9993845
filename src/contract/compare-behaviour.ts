import type { AccessModel } from "../kinds/access-model.js";
import type { EarlierShape } from "../model/earlier-shape.js";
import { lostInState } from "../validate/lost-in-state.js";
import { changeOf, type ContractChange } from "./change.js";
import {
  choice,
  compareFacts,
  inner,
  members,
  onSide,
  value,
  within,
  type Compared,
  type Fact,
  type Facts,
} from "./facts.js";
import type { ResourceContract, StatesContract, TakenAlong } from "./resource-contract.js";
import { words } from "./words.js";
import type { Difference } from "./change.js";

const READ = { narrowed: "read-access-narrowed", widened: "read-access-widened" } as const;
const WRITE = { narrowed: "write-access-narrowed", widened: "write-access-widened" } as const;

const ACCESS_FACTS: Facts<AccessModel> = {
  read: choice({ ...READ, covers: isGranted }),
  create: choice({ ...WRITE, covers: isGranted }),
  update: choice({ ...WRITE, covers: isGranted }),
  delete: choice({ ...WRITE, covers: isGranted }),
};

/** Of a role that is replaced by another, both are told: some lose the access, others gain it. */
export const ACCESS = inner(ACCESS_FACTS, true);

/** Who may read and delete what a deletion takes along, as far as those who could delete before are concerned. */
export const TAKEN_ALONG: Fact<readonly TakenAlong[], ResourceContract> = members({
  come: "deletion-narrowed",
  gone: "deletion-widened",
  at: ["access", "delete"],
  covers: (clause, _, other) => isMetBy(clause, other),
  says: ({ resource: path, access }, side) => ({ path, ...onSide(side, words(access)) }),
});

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

const STATE_FACTS: Facts<StatesContract> = {
  initial: value({ changed: "initial-state-changed", path: ({ property }) => property }),
  alsoInitial: members({
    gone: "initial-state-removed",
    come: "initial-state-added",
    at: ["initial"],
    covers: (state, others, { initial }) => state === initial || others.includes(state),
    says: (state, side, { property: path }) => ({ path, ...onSide(side, state) }),
  }),
  transitions: compareTransitions,
  updatableIn: choice({
    narrowed: "update-states-narrowed",
    widened: "update-states-widened",
    isMissed: isState,
  }),
  deletableIn: choice({
    narrowed: "delete-states-narrowed",
    widened: "delete-states-widened",
    isMissed: isState,
  }),
};

/** The states of one property; another property has all its own. */
export function compareStates({
  key,
  was,
  is,
}: Compared<StatesContract, ResourceContract>): readonly Difference[] {
  if (was !== undefined && was.property === is?.property) {
    return within([key], compareFacts(STATE_FACTS, was, is));
  }
  return [
    ...(was === undefined
      ? []
      : [{ kind: "states-removed" as const, path: was.property, at: [key] }]),
    ...(is === undefined ? [] : [{ kind: "states-added" as const, path: is.property, at: [key] }]),
  ];
}

/** A state that there is no more cannot be missed. */
function isState(state: string, { transitions }: StatesContract): boolean {
  return state in transitions;
}

/** A state that comes or goes is told as a value. */
function compareTransitions({
  before,
  after,
}: Compared<StatesContract["transitions"], StatesContract>): readonly Difference[] {
  const isKnown = (state: string): boolean => isState(state, before) && isState(state, after);
  const pairs = ({ transitions }: StatesContract): string[] =>
    Object.entries(transitions)
      .filter(([from]) => isKnown(from))
      .flatMap(([from, to]) => to.filter(isKnown).map((next) => `${from} -> ${next}`));
  const [were, are] = [{ pairs: pairs(before) }, { pairs: pairs(after) }];
  return compareFacts({ pairs: PAIRS }, were, are);
}

const PAIRS = members<string, unknown>({
  come: "transition-added",
  gone: "transition-removed",
  says: (pair, side) => ({
    ...onSide(side, pair),
    at: ["transitions", pair.split(" ")[0] ?? ""],
  }),
});

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
