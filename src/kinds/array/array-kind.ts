import { callDoc, flat, type Doc } from "../../naming/doc.js";
import { ts, word } from "../../naming/code.js";
import type { TsCode } from "../../naming/encoders.js";
import { jsonColumn } from "../columns/json-column.js";
import { call, options } from "../expression.js";
import type { JsonSchema } from "../json-schema.js";
import type { SchemaUse } from "../kind-code.js";
import { kindOf } from "../kinds.js";
import type { PropertyKind } from "../property-kind.js";
import type { Value } from "../property-model.js";
import { notBlank } from "../property-schema.js";
import { decodedInside, encodedInside, holdsReferences } from "../reference/inner-references.js";
import { storedLeaf } from "../stored-value.js";
import { arrayKeywords } from "./array-keywords.js";
import { arraySamples } from "./array-samples.js";
import type { ArrayType, ArrayYaml } from "./array-type.js";

/** Any number of values of one kind; never null, `[]` when empty (REP-3). */
export const arrayKind: PropertyKind<ArrayType, ArrayYaml> = {
  ...arrayKeywords,

  normalise: ({ items = "string", minItems = 0, maxItems, uniqueItems = false }, scope) => ({
    kind: "array",
    // An array of arrays has been refused by `validate`.
    items: scope.items(items) as ArrayType["items"],
    minItems,
    maxItems: maxItems ?? scope.limits.arrayItems,
    uniqueItems,
  }),
  normaliseValue: (value, { items }) =>
    // What the check has let pass is a list of items.
    (value as readonly Value[]).map((item) => kindOf(items).normaliseValue(item, items)),
  facts: ({ items, minItems, maxItems, uniqueItems }) => ({
    items: items.kind,
    ...(minItems > 0 && { minItems }),
    maxItems,
    ...(uniqueItems && { uniqueItems }),
  }),

  ...jsonColumn,
  encoding: ({ items }) => ({ form: "array", items: storedLeaf(items) }),
  bounds: ({ minItems, maxItems, uniqueItems }) => ({
    maxItems,
    ...(minItems > 0 && { minItems }),
    ...(uniqueItems && { uniqueItems }),
  }),
  encode: (value, type) => ts`JSON.stringify(${encodedInside(value, { type, nullable: false })})`,
  decode: (value, type, _nullable, json = ts`null`) => {
    const read = type.items.kind === "object" ? [value, json] : [value];
    const stored = callDoc(ts`@jsonOf<${storedItem(type.items)}[]>`, read);
    const code = decodedInside(flat(stored), { type, nullable: false });
    return code === flat(stored) ? stored : code;
  },

  tsType: ({ items }) => ts`${kindOf(items).tsType(items)}[]`,
  jsonSchema: arraySchema,
  describe: describeList,
  reader: (type) => listReader(kindOf(type.items).reader(type.items), type),
  filter: ({ items }) => {
    const filter = kindOf(items).filter(items);
    return filter === null ? null : call("contains", [filter]);
  },
  write: (value, { items }) => {
    return ts`@jsonItems(${value}, ${itemWriter(items)}, inner)`;
  },

  ...arraySamples,
};

/** The type of an item as its column holds it. */
function storedItem(items: ArrayType["items"]): TsCode {
  if (items.kind === "reference") return ts`string`;
  const isEncoded = items.kind === "object" && holdsReferences(items);
  return isEncoded
    ? ts`ReturnType<typeof encode${word(items.localName)}>`
    : kindOf(items).tsType(items);
}

/** Reads a list whose items `item` reads. */
export function listReader(item: Doc, { minItems, maxItems, uniqueItems }: ArrayType): Doc {
  return call("list", [
    item,
    ...options({
      minItems: minItems > 0 ? minItems : null,
      maxItems,
      uniqueItems: uniqueItems ? true : null,
    }),
  ]);
}

/** REP-3: null sent for a list is an empty one. */
function arraySchema(type: ArrayType, use: SchemaUse): JsonSchema {
  const { items, minItems, maxItems, uniqueItems } = type;
  // The items of a list are always whole, also in a PATCH (OPS-5).
  const itemUse = use === "answer" ? "answer" : "whole";
  return {
    type: use === "answer" || minItems > 0 ? "array" : ["array", "null"],
    items: notBlank(kindOf(items).jsonSchema(items, itemUse), itemUse),
    ...(minItems > 0 && { minItems }),
    maxItems,
    ...(uniqueItems && { uniqueItems }),
  };
}

/** The function that writes an item: `quote`, or `writeTicketLine`. */
function itemWriter(items: ArrayType["items"]): TsCode {
  if (items.kind === "object" || items.kind === "reference") return word(`write${items.localName}`);
  const code = flat(kindOf(items).write(ts`item`, items, false));
  const end = code.indexOf("(");
  // The name of a function is code, too.
  return end === -1 ? ts`String` : (code.slice(0, end) as TsCode);
}

function describeList({ items, minItems, maxItems, uniqueItems }: ArrayType): string {
  const count = minItems > 0 ? `${minItems} to ${maxItems}` : `at most ${maxItems}`;
  const what = kindOf(items).describe(items);
  return `list of ${count}${uniqueItems ? " different" : ""}; each: ${what}`;
}
