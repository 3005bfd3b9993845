import { ts } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `scaffold/custom.ts.hbs` sees: the empty file of business code of an entity. */
export function customView({ name }: EntityModel): NamesView {
  return namesView(name);
}

/** What templates see of files that are the same in every service, and the user's. */
export interface PlainView {
  /** Whose it is. */
  readonly ownership: TsCode;
}

/** Nothing of the model is in the file. */
export function plainView(): PlainView {
  return {
    ownership: ts`// This file is yours: it was created once, and the generator never changes it again.`,
  };
}
