import { variableName } from "./variable-name.js";

/** Every name of a resource that appears in the output, computed once. */
export interface ResourceName {
  /** `shippingfees` */
  readonly plural: string;
  /** `shippingFee` */
  readonly singular: string;
  /** `ShippingFee` */
  readonly typeName: string;
  /** `shippingFeeId` (IDN-2) */
  readonly idProperty: string;
  /** The variable that holds one: `shippingFee`. */
  readonly variable: string;
  /** The variable that stands for all of them: `shippingfees`. */
  readonly collection: string;
  /** The table in the database. */
  readonly table: string;
  /** `shipping fee`, for sentences. */
  readonly words: string;
  /** `a` or `an`, for sentences. */
  readonly article: string;
}

/** The names of the resource `plural` whose entity is `entity`; both have been checked by `validate`. */
export function resourceName(plural: string, entity: string): ResourceName {
  const words = sentenceWords(entity);
  return {
    plural,
    singular: entity,
    typeName: upperFirst(entity),
    idProperty: `${entity}Id`,
    variable: variableName(entity, "Entity"),
    collection: variableName(plural, "Resource"),
    table: plural,
    words,
    article: articleOf(words),
  };
}

/** The names of the resource `plural` that represents the objects of `entity` (REP-7): those keep their own. */
export function representationName(
  plural: string,
  singular: string,
  entity: ResourceName,
): ResourceName {
  const { idProperty, variable, table } = entity;
  return { ...resourceName(plural, singular), idProperty, variable, table };
}

/**
 * The singular of a representation: `openOrder` for `openorders` of `orders`, since the entity of the original shows
 * the word boundary; for `purchases` of `orders`, the result of `singularOf`.
 */
export function representationSingular(
  plural: string,
  original: { readonly plural: string; readonly singular: string },
  singularOf: (plural: string) => string,
): string {
  const prefix = plural.slice(0, -original.plural.length);
  return prefix !== "" && plural === prefix + original.plural
    ? prefix + upperFirst(original.singular)
    : singularOf(plural);
}

/** `deliveryAddress` -> `DeliveryAddress`. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A camelCase name as words for a sentence: `shippingFee` -> `shipping fee`. */
export function sentenceWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase();
}

/** `a` or `an`, by how the first word sounds: a user, an hour, an order. */
export function articleOf(words: string): "a" | "an" {
  if (/^(?:hour|honest|honou?r|heir)/.test(words)) return "an";
  if (/^(?:uni(?!n|m)|use|usu|uti|ubi|ura|eu|ewe|one(?:\b|-)|once)/.test(words)) return "a";
  return /^[aeiou]/.test(words) ? "an" : "a";
}
