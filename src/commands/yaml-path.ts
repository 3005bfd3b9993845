import type { PathStep } from "../load/source-document.js";

/** The place of a property in a schema file; of `lines[].price`: `properties`, `lines`, `items`, `properties`, `price`. */
export function yamlPath(path: string): readonly PathStep[] {
  if (path === "") return [];
  return path
    .split(".")
    .flatMap((step) =>
      step.endsWith("[]") ? ["properties", step.slice(0, -2), "items"] : ["properties", step],
    );
}
