import type { ResourceName } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import type { StatesModel } from "./states-model.js";

/** The resource that another one is a child of (CHD). */
export interface ParentModel {
  readonly name: ResourceName;
  /** `/api/v1/orders` */
  readonly path: string;
  /** The reference to it, among the properties of the child: `order`. */
  readonly property: string;
  readonly access: AccessModel;
  /** AUT-2: whoever may delete it may delete its children (`delete: [parent]`). */
  readonly takesAlong: boolean;
}

/** A resource that is a child of another. */
export interface ChildModel {
  readonly name: ResourceName;
  /** Its reference to the parent. */
  readonly property: string;
  readonly states: StatesModel | null;
  readonly access: AccessModel;
  /** AUT-2: whoever may delete the parent may delete it. */
  readonly goesAlong: boolean;
  /** Who refers to its entities. */
  readonly referrers: readonly ReferrerModel[];
}

/** A resource that refers to another. */
export interface ReferrerModel {
  readonly name: ResourceName;
  readonly access: AccessModel;
  readonly property: string;
  readonly isList: boolean;
  /** It is never null: nothing can let go of what it leads to. */
  readonly isRequired: boolean;
  readonly onDelete: "refuse" | "setNull";
  /** Its reference to its own parent, and whose children it is among; null where it has none. */
  readonly parent: { readonly property: string; readonly plural: string } | null;
}
