import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";

/** A property and what it holds, at the path that they have in a resource whose type is `typeName`. */
export function renamedProperty(
  property: PropertyModel,
  path: string,
  typeName: string,
): PropertyModel {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return { ...property, name, path, type: renamedType(property.type, path, typeName) };
}

function renamedType<T extends PropertyType>(type: T, path: string, typeName: string): T {
  const inner = (member: PropertyModel): PropertyModel =>
    renamedProperty(member, `${path}.${member.name}`, typeName);
  switch (type.kind) {
    case "array":
      return { ...type, items: renamedType(type.items, path, typeName) };
    case "object":
      return { ...type, ...localName(type, typeName), properties: type.properties.map(inner) };
    case "reference": {
      const { identifier, embedded } = type;
      const members = { identifier: inner(identifier), embedded: embedded.map(inner) };
      // A parent is a reference like any other here: no path names it.
      const isNamed = { isParent: false, isPath: false };
      return { ...type, ...localName(type, typeName), ...members, ...isNamed };
    }
    default:
      return type;
  }
}

/** The functions of a nested object are not called like those of the representation itself. */
function localName(
  type: { readonly localName: string; readonly typeName: string },
  typeName: string,
): { readonly localName: string } {
  return { localName: type.localName === typeName ? type.typeName : type.localName };
}
