import type { AccessModel } from "../kinds/access-model.js";
import type { EarlierShape } from "../model/earlier-shape.js";
import { lostInState } from "../validate/lost-in-state.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import {
  about,
  choice,
  inner,
  members,
  named,
  placed,
  value,
  type Compared,
  type Fact,
  type Facts,
} from "./facts.js";
import type { ResourceContract, StatesContract, TakenAlong } from "./resource-contract.js";
import { words } from "./words.js";

/** Of a role that is replaced by another, both are told: some lose the access, others gain it. */
const READ = named(choice("read-access-narrowed", "read-access-widened", { covers: isGranted }));
const WRITE = named(choice("write-access-narrowed", "write-access-widened", { covers: isGranted }));

/** Who may do what. */
export const ACCESS = inner<AccessModel>({
  read: READ,
  create: WRITE,
  update: WRITE,
  delete: WRITE,
});

/** Who may read and delete what a deletion takes along, as far as those who could delete before are concerned. */
export const TAKEN_ALONG: Fact<readonly TakenAlong[], ResourceContract> = placed(
  ["access", "delete"],
  members(
    { come: "deletion-narrowed", gone: "deletion-widened" },
    {
      covers: (clause, _, other) => isMetBy(clause, other),
      says: ({ access }) => words(access),
      found: ({ resource: path }) => ({ path }),
    },
  ),
);

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

/** The states of one property; another property has all its own. */
export function compareStates(
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
