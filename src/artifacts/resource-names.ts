import { pathText, word } from "../naming/code.js";
import { constantName } from "../naming/constant-name.js";
import type { TsCode } from "../naming/encoders.js";
import type { ParentModel, ResourceModel } from "../model/resource-model.js";

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
  /** Where a new one is sent to: under its parent, where it has one (CHD-1). */
  readonly createPath: TsCode;
  /** `{ticketId}` */
  readonly pathParameter: TsCode;
}

/** Takes them from the model. */
export function resourceNames(resource: ResourceModel): ResourceNamesView {
  const { name, path, parent } = resource;
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
    createPath: pathText(parent === null ? path : `${parentPath(parent)}/${name.plural}`),
    pathParameter: pathText(`{${name.idProperty}}`),
  };
}

/** `/api/v1/orders/{orderId}` */
export function parentPath({ path, name }: ParentModel): string {
  return `${path}/{${name.idProperty}}`;
}

/** Where the types of a resource's entities are; a representation has none of its own (REP-7). */
export function dtoModule({ name, entity }: Pick<ResourceModel, "name" | "entity">): string {
  const { plural } = entity.name;
  const folder = name.plural === plural ? "." : `../${plural}`;
  return `${folder}/${plural}.dto.js`;
}

/** Words of a name, each of them plain. */
function sentence(words: string): TsCode {
  // Plain names with spaces between them can stand in a comment.
  return words.split(" ").map(word).join(" ") as TsCode;
}
