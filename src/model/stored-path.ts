import type { PropertyModel } from "../kinds/property-model.js";

/** Where the value at a path of these properties is stored: a representation has names of its own (REP-7). */
export function storedPathOf(path: string, properties: readonly PropertyModel[]): string {
  const [name, ...rest] = path.split(".");
  const root = properties.find((property) => property.name === name);
  return root === undefined ? path : [root.storedPath, ...rest].join(".");
}
