import { markdownName } from "../../naming/markdown.js";
import type { ActionModel } from "../../model/action-model.js";
import { actionWays } from "../../model/action-ways.js";
import type { ResourceModel } from "../../model/resource-model.js";
import type { StatesModel } from "../../model/states-model.js";
import type { OpenApi } from "./document.js";

/** STA-1: which state can follow which in an update, for people and for programs; and what only actions do, for people. */
export function transitionsOf(
  states: StatesModel,
  actions: readonly ActionModel[],
  description = "",
): OpenApi {
  const { transitions } = states;
  const own = actionWays(states, actions);
  const isLeft = (state: string): boolean => own.some(({ from }) => from.includes(state));
  const ways = transitions.map(({ from, to }) => {
    if (to.length > 0) return `${oneOf(to)} can follow ${markdownName(from)}`;
    return `${isLeft(from) ? "no update leads from" : "nothing can follow"} ${markdownName(from)}`;
  });
  const led = own.map(
    ({ action, from, to }) =>
      `The action ${markdownName(action.name)} leads from ${oneOf(from)} to ${markdownName(to)}.`,
  );
  const text = [sentence(ways.join("; ")), ...led].join(" ");
  const said = [description, text].filter((one) => one !== "");
  return {
    description: said.join("\n\n"),
    "x-transitions": Object.fromEntries(transitions.map(({ from, to }) => [from, to])),
  };
}

/** STA-3: in which states an operation is carried out, as a sentence; empty where it is in all. */
export function stateText(resource: ResourceModel, operation: string): string {
  const { states } = resource.entity;
  if (states === null) return "";
  const allowed = operation === "delete" ? states.deletableIn : states.updatableIn;
  if (operation === "read" || allowed.length === states.transitions.length) return "";
  const property = markdownName(stateProperty(resource) ?? states.property);
  const needed = allowed.length === 0 ? "never" : `only while ${property} is ${oneOf(allowed)}`;
  if (operation === "delete") return sentence(`allowed ${needed}`);
  return `Properties other than ${property} can be changed ${needed}.`;
}

/** What a resource calls the property that holds the state; null where it shows none (REP-7). */
export function stateProperty({ entity, projection }: ResourceModel): string | null {
  const stored = entity.states?.property;
  return projection.find(({ storedPath }) => storedPath === stored)?.property ?? null;
}

/** Values in words, with "or" between them. */
export function oneOf(values: readonly string[]): string {
  return values.map(markdownName).join(" or ");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
