import fc from "fast-check";
import { isReservedType } from "../../src/naming/reserved.js";
import { awkwardNames } from "./emitted-names.js";

/** Names that a property can not have, at the root or anywhere. */
const NO_PROPERTY = new Set([
  ...["sort", "pageSize", "pageNumber", "offset", "then", "oid", "xmin", "xmax", "cmin", "cmax"],
  ...["ctid", "tableoid", "toJSON", "prototype", "properties", "hooks", "controller"],
  ...["input", "call", "reply", "object", "fields", "store", "table", "repository", "stores"],
  ...["runtime", "query"],
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** Names that mean something already, and can be used all the same. */
export const AWKWARD = awkwardNames().filter((name) => !NO_PROPERTY.has(name) && !/Id$/.test(name));

const word = fc.constantFrom("order", "Line", "total", "x", "address", "q2", "Number", "date");
const longWord = fc.constantFrom("veryLongWordInTheMiddle", "Beta", "gammaRay", "Alpha");

const joinedWords = (words: readonly string[]): string => {
  const name = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  return (name.charAt(0).toLowerCase() + name.slice(1)).slice(0, 60);
};

/** camelCase, as people write it, and up to the limit of 60. */
export const plainName = fc.array(word, { minLength: 1, maxLength: 3 }).map(joinedWords);
const longName = fc.array(longWord, { minLength: 1, maxLength: 6 }).map(joinedWords);

/** Of a property. */
export const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...AWKWARD) },
  { weight: 6, arbitrary: plainName },
  { weight: 1, arbitrary: longName },
);

/** The name of an entity, which is that of a type, too. */
export const entityName = name.filter(
  (given) => !isReservedType(given.charAt(0).toUpperCase() + given.slice(1)),
);
