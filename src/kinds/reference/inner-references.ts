import { ts, word } from "../../naming/code.js";
import type { TsCode } from "../../naming/encoders.js";
import type { PropertyType } from "../kinds.js";
import type { PropertyModel } from "../property-model.js";
import type { ReferenceType } from "./reference-type.js";

/** What the code for a value has to know of it. */
export type InnerValue = Pick<PropertyModel, "type" | "nullable">;

/** Says whether a value is a reference, or holds one: inside JSON its identifier stands for it. */
export function holdsReferences(type: PropertyType): boolean {
  return someReference(type, () => true);
}

/** Says whether a body names other entities in one of these: what is read only is the service's own, with all that is in it. */
export function takeReferences(properties: readonly PropertyModel[]): boolean {
  return properties.some(({ readOnly, type }) => !readOnly && takesReferences(type));
}

/** Likewise, in a value. */
export function takesReferences(type: PropertyType): boolean {
  if (type.kind === "array") return takesReferences(type.items);
  return type.kind === "object" ? takeReferences(type.properties) : type.kind === "reference";
}

/** Says whether a value shows properties of other entities, which are read in a statement of their own. */
export function showsLinked(type: PropertyType): boolean {
  return someReference(type, ({ target, embedded }) => target !== null && embedded.length > 0);
}

function someReference(type: PropertyType, holds: (type: ReferenceType) => boolean): boolean {
  switch (type.kind) {
    case "reference":
      return holds(type);
    case "array":
      return someReference(type.items, holds);
    case "object":
      return type.properties.some((property) => someReference(property.type, holds));
    default:
      return false;
  }
}

/** What stands for a value inside JSON; the value itself where it holds no reference. */
export function encodedInside(value: TsCode, { type, nullable }: InnerValue): TsCode {
  if (type.kind === "reference") {
    const id = word(type.identifier.name);
    return nullable ? ts`${value}?.${id} ?? null` : ts`${value}.${id}`;
  }
  if (!holdsReferences(type)) return value;
  if (type.kind === "array") return encodedItems(value, type.items);
  if (type.kind !== "object") return value;
  const encoded = ts`encode${word(type.localName)}(${value})`;
  return nullable ? ts`${value} && ${encoded}` : encoded;
}

function encodedItems(value: TsCode, items: PropertyType): TsCode {
  if (items.kind === "object") return ts`${value}.map(encode${word(items.localName)})`;
  if (items.kind !== "reference") return value;
  const id = word(items.identifier.name);
  return ts`${value}.map(({ ${id} }) => ${id})`;
}

/** The value that was encoded; the variable `linked` holds what is shown of other entities. */
export function decodedInside(value: TsCode, { type, nullable }: InnerValue): TsCode {
  if (!holdsReferences(type)) return value;
  switch (type.kind) {
    case "array":
      return decodedItems(value, type.items);
    case "object":
      return nullable ? ts`${value} && ${decoded(value, type)}` : decoded(value, type);
    case "reference":
      return nullable
        ? ts`${value} === null ? null : ${decoded(value, type)}`
        : unlessLacking(value, type);
    default:
      return value;
  }
}

function decodedItems(value: TsCode, items: PropertyType): TsCode {
  if (items.kind === "object") return ts`${value}.map((item) => ${decoded(ts`item`, items)})`;
  if (items.kind !== "reference") return value;
  const id = word(items.identifier.name);
  if (items.embedded.length === 0) return ts`${value}.map((${id}) => ({ ${id} }))`;
  return ts`${value}.map((${id}) => ${decoded(id, items)})`;
}

/** What is never null can be missing in a text. */
function unlessLacking(value: TsCode, type: ReferenceType): TsCode {
  const more = showsLinked(type) ? ts`, linked` : ts``;
  return ts`@unlessLacking(${value}, decode${word(type.localName)}${more})`;
}

function decoded(value: TsCode, type: PropertyType & { readonly localName: string }): TsCode {
  const given = showsLinked(type) ? ts`${value}, linked` : value;
  return ts`decode${word(type.localName)}(${given})`;
}
