import type { ActionModel } from "./action-model.js";
import type { StatesModel } from "./states-model.js";

/** The transitions that an action makes and no update does (OPS-11). */
export interface ActionWay {
  readonly action: ActionModel;
  readonly from: readonly string[];
  readonly to: string;
}

/** Actions that make transitions of their own, with those of them that updates do not make. */
export function actionWays(
  { transitions }: StatesModel,
  actions: readonly ActionModel[],
): ActionWay[] {
  return actions.flatMap((action) => {
    const { leadsTo: to, states } = action;
    if (to === null || states === null) return [];
    const from = transitions
      .filter((one) => states.includes(one.from) && one.from !== to && !one.to.includes(to))
      .map((one) => one.from);
    return from.length === 0 ? [] : [{ action, from, to }];
  });
}
