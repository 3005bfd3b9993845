import { pathText, word } from "../naming/code.js";
import { constantName } from "../naming/constant-name.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/service-model.js";

/** The names that templates of a resource print. */
export interface ResourceNamesView {
  readonly plural: TsCode;
  readonly typeName: TsCode;
  /** What exported constants begin with: `ticket` in `ticketTable`. */
  readonly singular: TsCode;
  /** The variable that holds one. */
  readonly variable: TsCode;
  /** The property and the variable that stand for all of them: `tickets`. */
  readonly collection: TsCode;
  readonly constant: TsCode;
  readonly idProperty: TsCode;
  readonly words: TsCode;
  readonly article: TsCode;
  readonly path: TsCode;
  /** `{ticketId}` */
  readonly pathParameter: TsCode;
}

/** Takes them from the model. */
export function resourceNames({ name, path }: ResourceModel): ResourceNamesView {
  return {
    plural: word(name.plural),
    typeName: word(name.typeName),
    singular: word(name.singular),
    variable: word(name.variable),
    collection: word(name.collection),
    constant: word(constantName(name.typeName)),
    idProperty: word(name.idProperty),
    words: sentence(name.words),
    article: word(name.article),
    path: pathText(path),
    pathParameter: pathText(`{${name.idProperty}}`),
  };
}

/** Words of a name, each of them plain. */
function sentence(words: string): TsCode {
  // Plain names with spaces between them can stand in a comment.
  return words.split(" ").map(word).join(" ") as TsCode;
}
