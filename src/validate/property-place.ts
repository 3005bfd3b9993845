import type { KindName } from "../kinds/kinds.js";
import { kindNameOf, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import { isMapping, mapping, own } from "./plain.js";
import type { Pruned } from "./prune.js";

/** A property of a resource file, or the items of an array, and where it stands. */
export interface PropertyPlace {
  readonly name: string;
  /** To the value in the YAML: `properties`, `deliveryAddress`, `properties`, `state`. */
  readonly path: readonly PathStep[];
  readonly yaml: PropertyObjectYaml;
  /** Null if the keywords are invalid, which has already been reported. */
  readonly kind: KindName | null;
  /** The properties that contain it, outermost first; the items of an array are in the array. */
  readonly holders: readonly PropertyPlace[];
  /** Says whether this is what the items of an array are, rather than a property with a name of its own. */
  readonly isItem: boolean;
}

/** Every property at every depth of a resource file, in the order of the file. */
export function propertiesOf(pruned: Pruned): PropertyPlace[] {
  return placesIn(pruned, pruned.value["properties"], ["properties"]);
}

/** What actions are sent, and what they answer of their own (OPS-11). */
export function actionProperties(pruned: Pruned): PropertyPlace[] {
  return Object.entries(mapping(pruned.value["actions"])).flatMap(([name, action]) =>
    ["input", "answers"].flatMap((key) =>
      placesIn(pruned, own(action, key), ["actions", name, key]),
    ),
  );
}

function placesIn(
  { isCut }: Pruned,
  properties: unknown,
  root: readonly PathStep[],
): PropertyPlace[] {
  const found: PropertyPlace[] = [];

  const visit = (short: unknown, place: Omit<PropertyPlace, "yaml" | "kind">): void => {
    // What remains after `prune` has the shape of the JSON Schema.
    const yaml = (
      typeof short === "string" ? { type: short } : mapping(short)
    ) as PropertyObjectYaml;
    const kind = isCut(place.path) ? null : kindNameOf(yaml);
    const property = { ...place, yaml, kind };
    found.push(property);
    const holders = [...place.holders, property];
    visitAll(yaml.properties, [...place.path, "properties"], holders);
    if (yaml.items !== undefined) {
      visit(yaml.items, {
        name: place.name,
        path: [...place.path, "items"],
        holders,
        isItem: true,
      });
    }
  };
  const visitAll = (
    properties: unknown,
    path: readonly PathStep[],
    holders: readonly PropertyPlace[],
  ): void => {
    if (!isMapping(properties)) return;
    for (const [name, short] of Object.entries(properties)) {
      visit(short, { name, path: [...path, name], holders, isItem: false });
    }
  };

  visitAll(properties, root, []);
  return found;
}

/** Says whether a property stands in an array, at any depth. */
export function isInItems({ holders }: PropertyPlace): boolean {
  return holders.some(({ kind }) => kind === "array");
}
