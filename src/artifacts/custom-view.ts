import { ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `scaffold/custom.ts.hbs` sees: the file of business code of an entity, with no more in it than has to be there. */
export interface CustomView extends NamesView {
  readonly isEmpty: boolean;
  readonly hasMembers: boolean;
  readonly isScoped: boolean;
  readonly isActing: boolean;
  readonly actions: readonly {
    readonly name: TsCode;
    readonly documented: boolean;
    readonly doc: DocComment;
  }[];
}

/** The business code of an entity, as it begins. */
export function customView({ name, isScoped, actions }: EntityModel): CustomView {
  const isActing = actions.length > 0;
  const hasMembers = isScoped || isActing;
  return {
    ...namesView(name),
    isEmpty: !hasMembers,
    hasMembers,
    isScoped,
    isActing,
    actions: actions.map((action) => {
      const comment = doc(action.description, 4);
      return { name: word(action.name), documented: comment !== "", doc: comment };
    }),
  };
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
