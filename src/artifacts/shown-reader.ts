import { ts, word } from "../naming/code.js";
import { objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { call } from "../kinds/expression.js";
// First: the kinds know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";

/** `callMinutes: nullable(integer({ minimum: 0 }))`: how own code's value of a property is read before it is shown (REP-9). */
export function shownReaderDoc(property: PropertyModel): Doc {
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
