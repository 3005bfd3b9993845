import { ts, word } from "../naming/code.js";
import type { ArrayType, Value } from "../model/service-model.js";
import { call, options, plain, type Expression } from "./expression.js";
import { jsonColumn } from "./json-column.js";
import { kindOf } from "./kinds.js";
import type { JsonSchema, PropertyKind, Samples, SchemaUse } from "./property-kind.js";
import { notBlank } from "./property-schema.js";
import { decodeIdentifiers, encodeIdentifiers } from "./reference-kind.js";
import { storedLeaf } from "./stored-value.js";

/** Any number of values of one kind; never null, `[]` when empty (REP-3). */
export const arrayKind: PropertyKind<ArrayType> = {
  ...jsonColumn,
  encoding: ({ items }) => ({ form: "array", items: storedLeaf(items) }),
  tsType: ({ items }) => ts`${kindOf(items).tsType(items)}[]`,
  jsonSchema: arraySchema,
  reader: (type) => listReader(kindOf(type.items).reader(type.items), type),
  describe: describeList,
  filter: ({ items }) => {
    const filter = kindOf(items).filter(items);
    return filter === null ? null : call("contains", [filter]);
  },
  encode: (value, { items }) =>
    items.kind === "reference"
      ? encodeIdentifiers(value, items)
      : plain(ts`JSON.stringify(${value})`),
  decode: (value, { items }) =>
    items.kind === "reference"
      ? decodeIdentifiers(value, items)
      : { code: ts`jsonOf<${kindOf(items).tsType(items)}[]>(${value})`, uses: ["jsonOf"] },
  write: (value, { items }) => {
    const writer = itemWriter(items);
    return {
      code: ts`jsonItems(${value}, ${writer.code}, inner)`,
      uses: ["jsonItems", ...writer.uses],
    };
  },
  samples: arraySamples,
};

/** Reads a list whose items `item` reads. */
export function listReader(
  item: Expression,
  { minItems, maxItems, uniqueItems }: ArrayType,
): Expression {
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
function itemWriter(items: ArrayType["items"]): Expression {
  if (items.kind === "object" || items.kind === "reference")
    return plain(word(`write${items.localName}`));
  const written = kindOf(items).write(ts`item`, items, false);
  const name = written.uses[0];
  return name === undefined ? plain(ts`String`) : { code: word(name), uses: written.uses };
}

function arraySamples({ items, minItems, maxItems }: ArrayType): Samples {
  const [item] = kindOf(items).samples(items).valid;
  if (item === undefined) return { valid: [], invalid: ["text", { a: 1 }] };
  const invalid: Value[] = ["text", { a: 1 }, [[]]];
  if (maxItems < 1000) invalid.push(Array.from({ length: maxItems + 1 }, () => item));
  return { valid: minItems <= 1 ? [[item]] : [], invalid };
}

function describeList({ items, minItems, maxItems, uniqueItems }: ArrayType): string {
  const count = minItems > 0 ? `${minItems} to ${maxItems}` : `at most ${maxItems}`;
  const what = kindOf(items).describe(items);
  return `list of ${count}${uniqueItems ? " different" : ""}; each: ${what}`;
}
