import type { EarlierShape } from "../model/earlier-shape.js";
import { lostInState } from "../validate/lost-in-state.js";
import { changeOf, type ContractChange } from "./change.js";
import type { ResourceContract } from "./resource-contract.js";

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
    const after = `${state} without ${lost.join(", ")}`;
    const at = ["properties", path, "inOlderVersions", state];
    const concerned = { resource, operations: null, isSent: true };
    return [changeOf("shown-state-allows-less", { path, before: shown, after, at }, concerned)];
  });
}
