import { pathText, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import type { PathModel, ResourceModel } from "../model/resource-model.js";

/** The names that templates of an entity print, and those of a resource. */
export interface NamesView {
  readonly plural: TsCode;
  readonly typeName: TsCode;
  /** What exported constants begin with: `ticket` in `ticketTable`. */
  readonly singular: TsCode;
  /** The variable that holds one. */
  readonly variable: TsCode;
  /** The property and the variable that stand for all of them: `tickets`. */
  readonly collection: TsCode;
  readonly idProperty: TsCode;
  readonly words: TsCode;
  readonly article: TsCode;
}

/** What templates of a resource print beside that. */
export interface ResourceNamesView extends NamesView {
  readonly path: TsCode;
}

/** The names of an entity, or of a resource. */
export function namesView(name: ResourceName): NamesView {
  return {
    plural: word(name.plural),
    typeName: word(name.typeName),
    singular: word(name.singular),
    variable: word(name.variable),
    collection: word(name.collection),
    idProperty: word(name.idProperty),
    words: sentence(name.words),
    article: word(name.article),
  };
}

/** The names of a resource, and its paths. */
export function resourceNames({ name, path }: ResourceModel): ResourceNamesView {
  return {
    ...namesView(name),
    path: pathText(path),
  };
}

/** `/api/v1/orders/{orderId}` */
export function parentPath({ path, name }: PathModel): string {
  return `${path}/{${name.idProperty}}`;
}

/** Words of a name, each of them plain. */
function sentence(words: string): TsCode {
  // Plain names with spaces between them can stand in a comment.
  return words.split(" ").map(word).join(" ") as TsCode;
}
