import { joined, ts, word } from "../naming/code.js";
import { callDoc, objectDoc, printed, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { PairModel } from "../model/conversion-model.js";
import { ownPairs, pairExport } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { pairFile } from "./shaped.js";
import { call } from "../kinds/expression.js";
// Before the other kinds, which know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { imported } from "../naming/imported.js";

/** The file of what custom code converts from a version of a resource to the next, and how what it shows is read (VER-2, REP-9). */
export function pairsCode(resource: ResourceModel): TsCode {
  const pairs = ownPairs(resource).map((pair) => pairCode(resource, pair));
  return fileCode(resourceHeader(resource), pairs);
}

function pairCode(resource: ResourceModel, pair: PairModel): TsCode {
  const { inOlder, older, newer, name } = pair;
  const file = pairFile(resource, pair);
  const names = joined(
    inOlder.map(({ property }) => ts`\`${property.path as TsCode}\``),
    ", ",
  );
  const converted = callDoc(ts`@convertedPair`, [
    imported(file, pairExport(resource, pair)),
    literal(file),
    objectDoc(inOlder.map(({ property }) => shownReaderDoc(property))),
  ]);
  const head = ts`export const ${word(name)} = `;
  return ts`/** ${names}: custom conversions from ${word(older.version)} to ${word(newer.version)} and back; their results are checked before they are shown (REP-9). */
${head}${printed(converted, { before: head, after: ";" })};`;
}

/** `callMinutes: nullable(integer({ minimum: 0 }))`: how own code's value of a property is read before it is shown (REP-9). */
function shownReaderDoc(property: PropertyModel): Doc {
  return prefixed(ts`${word(property.name)}: `, shownReader(property));
}

/** What is left out has no default: nobody sent it. */
function shownReader({ type, nullable }: PropertyModel): Doc {
  const reader = typeReader(type);
  return type.kind === "array" ? reader : call(nullable ? "nullable" : "required", [reader]);
}

/** SCH-310: none of it refers to others. */
function typeReader(type: PropertyType): Doc {
  if (type.kind === "array") return listReader(typeReader(type.items), type);
  if (type.kind !== "object") return kindOf(type).reader(type);
  return call("shape", [objectDoc(type.properties.map(shownReaderDoc))]);
}
