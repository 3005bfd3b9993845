import type { EntityModel } from "../model/entity-model.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `scaffold/custom.ts.hbs` sees: the file of business code of an entity, with no more in it than has to be there. */
export interface CustomView extends NamesView {
  readonly isEmpty: boolean;
  readonly hasMembers: boolean;
  readonly isScoped: boolean;
}

/** The business code of an entity, as it begins. */
export function customView({ name, isScoped }: EntityModel): CustomView {
  return { ...namesView(name), isEmpty: !isScoped, hasMembers: isScoped, isScoped };
}
