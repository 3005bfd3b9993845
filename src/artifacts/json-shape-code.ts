import { ts } from "../naming/code.js";
import { arrayDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { innerType } from "../model/leaves.js";
import { objectCode } from "./layout.js";

/** The columns that hold objects, with their members: `lines: [{ price: null }]`. */
export function jsonColumnsCode({ properties }: EntityModel): TsCode {
  const columns = properties
    .filter(holdsObjects)
    .map(({ name, type }) => prefixed(ts`${key(name)}: `, shapeDoc(type)));
  return objectCode(columns, { indent: 2, expanded: true });
}

/** Says whether a property is an object, or a list of objects. */
export function holdsObjects({ type }: PropertyModel): boolean {
  return innerType(type).kind === "object";
}

/** As `JsonShape` says it. */
function shapeDoc(type: PropertyType): Doc {
  switch (type.kind) {
    case "array":
      return arrayDoc(type.items.kind === "object" ? [shapeDoc(type.items)] : []);
    case "object":
      return objectDoc(
        type.properties.map(({ name, type: held }) => prefixed(ts`${key(name)}: `, shapeDoc(held))),
      );
    default:
      return ts`null`;
  }
}
