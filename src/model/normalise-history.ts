import { longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { ResourceYaml } from "../validate/resource-document.js";
import type { EntityHistory } from "./entity-model.js";

/** What a schema file says of the earlier shapes of its entity. */
export function normaliseHistory({
  properties,
  removed = {},
  renamedFrom,
}: ResourceYaml): EntityHistory {
  return {
    formerPlurals: renamedFrom === undefined ? [] : [renamedFrom],
    renamed: Object.fromEntries(renamedIn(properties, "")),
    removed: Object.keys(removed).sort(),
    converted: [],
  };
}

type Renamed = readonly [path: string, from: readonly string[]];

function renamedIn(properties: Readonly<Record<string, PropertyYaml>>, parent: string): Renamed[] {
  return Object.entries(properties).flatMap(([name, short]): Renamed[] => {
    const { renamedFrom, properties: own, items } = longForm(short);
    const path = parent + name;
    const inner = own ?? (items === undefined ? {} : (longForm(items).properties ?? {}));
    const itself: Renamed[] = renamedFrom === undefined ? [] : [[path, [renamedFrom]]];
    return [...itself, ...renamedIn(inner, `${path}.`)];
  });
}
