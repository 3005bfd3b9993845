import type { EntityModel } from "../model/entity-model.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `scaffold/custom.ts.hbs` sees: the empty file of business code of an entity. */
export function customView({ name }: EntityModel): NamesView {
  return namesView(name);
}

/** What templates see that have no gaps: the same in every service. */
export interface PlainView {}

/** Nothing of the model is in the file. */
export function plainView(): PlainView {
  return {};
}
