import type { Lineage } from "../validate/lineage.js";
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
 * to a state, the entity's decide in every version. States that an older version lists mean what it shows as one of
 * them as well, where the newest version that has the action allows it there.
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
  if (yaml.states === undefined) return allowedStates(yaml, states);
  const newest = lineage.versions.findLast(({ value }) => value.actions?.[name] !== undefined);
  const allowed = allowedStates(newest?.value.actions?.[name] ?? yaml, states);
  const meant = insteadOfStored(states.property, projection)
    .filter(({ stored, shown }) => own.includes(shown) && !own.includes(stored))
    .map(({ stored }) => stored)
    .filter((state) => allowed === null || allowed.includes(state));
  return [...own, ...meant];
}
