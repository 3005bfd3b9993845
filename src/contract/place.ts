import type { PathStep } from "../load/source-document.js";

/** Where the keyword of a property stands in YAML: `items[].price` is at properties, items, items, properties, price. */
export function propertyPlace(path: string, keyword?: string): readonly PathStep[] {
  const steps = path.split(".").flatMap((name) => {
    const bare = name.replace("[]", "");
    return ["properties", bare, ...(name.endsWith("[]") ? ["items"] : [])];
  });
  return keyword === undefined ? steps : [...steps, keyword];
}
