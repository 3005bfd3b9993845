import { markdownName } from "../../naming/markdown.js";
import type { ResourceModel } from "../../model/resource-model.js";
import type { StatesModel } from "../../model/states-model.js";
import type { OpenApi } from "./document.js";

/** STA-1: which state can follow which, for people and for programs. */
export function transitionsOf({ transitions }: StatesModel, description = ""): OpenApi {
  const ways = transitions.map(({ from, to }) =>
    to.length === 0
      ? `nothing can follow ${markdownName(from)}`
      : `${oneOf(to)} can follow ${markdownName(from)}`,
  );
  const said = [description, sentence(ways.join("; "))].filter((text) => text !== "");
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
  return `Other properties than ${property} can be changed ${needed}.`;
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
