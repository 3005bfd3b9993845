import type { Lineage } from "../validate/lineage.js";
import type { ActionYaml } from "../validate/resource-document.js";
import type { ActionModel } from "./action-model.js";
import { allowedStates } from "./normalise-actions.js";
import { insteadOfStored, type Projection } from "./projection.js";
import type { StatesModel } from "./states-model.js";

/** An entity's states, the versions of its resource, and what one of them shows. */
export interface ShownStates {
  /** Of the entity: those of the newest version. */
  readonly states: StatesModel | null;
  readonly lineage: Lineage;
  readonly version: string;
  readonly projection: Projection;
}

/**
 * Actions of a version with the stored states in which they are allowed (OPS-11, VER-2). Where a transition has to lead
 * to a state, the entity's decide in every version, and those that the newest version's action makes by itself. States
 * that an older version lists mean what it shows as one of them as well, where the newest version that has the action
 * allows it there.
 */
export function withStoredStates(
  actions: readonly ActionModel[],
  shown: ShownStates,
): ActionModel[] {
  return actions.map((action) => ({ ...action, states: storedStates(action, shown) }));
}

function storedStates(
  { name, states: own }: ActionModel,
  { states, lineage, version, projection }: ShownStates,
): readonly string[] | null {
  const yaml = lineage.versions.find((one) => one.version === version)?.value.actions?.[name];
  if (own === null || states === null || yaml === undefined) return own;
  const found = lineage.versions.findLast(({ value }) => value.actions?.[name] !== undefined);
  const newest = found?.value.actions?.[name] ?? yaml;
  if (yaml.states === undefined) return ledFrom([yaml, newest], states);
  const allowed = allowedStates(newest, states);
  const meant = insteadOfStored(states.property, projection)
    .filter(({ stored, shown }) => own.includes(shown) && !own.includes(stored))
    .map(({ stored }) => stored)
    .filter((state) => allowed === null || allowed.includes(state));
  return [...own, ...meant];
}

/** Where a transition leads to the state of an action that lists none, in the order of the states. */
function ledFrom(
  [action, newest]: readonly [ActionYaml, ActionYaml],
  states: StatesModel,
): readonly string[] {
  const own = newest.leadsTo === action.leadsTo ? (newest.states ?? []) : [];
  const led = [...(allowedStates(action, states) ?? []), ...own];
  return states.transitions.map(({ from }) => from).filter((from) => led.includes(from));
}
