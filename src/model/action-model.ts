import type { ObjectType } from "../kinds/object/object-type.js";
import type { Projection } from "./projection.js";
import { referencesOf } from "./references.js";

/** What can be done beside the six operations (OPS-11). */
export interface ActionModel {
  /** `cancel` */
  readonly name: string;
  readonly description: string;
  /** On one entity, or on the collection. */
  readonly on: "entity" | "collection";
  /** `/api/v1/orders/{orderId}/cancel` */
  readonly path: string;
  /** What a body holds; no properties: it need not be there. */
  readonly input: ObjectType;
  readonly answers: "entity" | "nothing" | "object";
  /** What it answers of its own; no properties where it does not. */
  readonly answer: ObjectType;
  /** What the references of each embed under another name, or with other values, than it is stored (VER-2). */
  readonly embeds: { readonly input: Projection; readonly answer: Projection };
  /** STA: the states in which it is allowed; null: in all of them. */
  readonly states: readonly string[] | null;
  /** STA: the state that an entity is in afterwards; null: its code may say. */
  readonly leadsTo: string | null;
  /** AUT-2 */
  readonly access: readonly string[];
  /** EVT-1: the name of the event that it emits; null: it emits none. */
  readonly emits: string | null;
}

/** Whether something can be done with one entity beside the six operations. */
export function isActedOn({ actions }: { readonly actions: readonly ActionModel[] }): boolean {
  return actions.some(({ on }) => on === "entity");
}

/** AUT-2: the operation that an action counts as where access is asked about: a change, or a creation. */
export function operationLike({ on }: ActionModel): "update" | "create" {
  return on === "entity" ? "update" : "create";
}

/** Whether a request needs a body. */
export function hasInput({ input }: ActionModel): boolean {
  return input.properties.length > 0;
}

/** What is sent and what is answered, each where there is something. */
export function bodiesOf(action: ActionModel): ObjectType[] {
  return [
    ...(hasInput(action) ? [action.input] : []),
    ...(action.answers === "object" ? [action.answer] : []),
  ];
}

/** Those of the bodies of some actions that hold references (REP-4). */
export function referringBodiesOf({
  actions,
}: {
  readonly actions: readonly ActionModel[];
}): ObjectType[] {
  return actions.flatMap(bodiesOf).filter((body) => referencesOf(body).length > 0);
}

/** Whether what an action is sent, or what it answers, holds references. */
export function refers(action: ActionModel): boolean {
  return referringBodiesOf({ actions: [action] }).length > 0;
}

/** Whether references of actions lead to something of this service. */
export function leadsToEntities(acting: { readonly actions: readonly ActionModel[] }): boolean {
  return referringBodiesOf(acting).some(leadsInside);
}

/** Likewise, those of one body. */
export function leadsInside(body: ObjectType): boolean {
  return referencesOf(body).some(({ type }) => type.target !== null);
}
