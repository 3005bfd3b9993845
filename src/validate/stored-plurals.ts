import { longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import { byNumber } from "./lineage.js";
import type { PropertiesYaml } from "./object-step.js";
import type { ActionYaml, ResourceYaml } from "./resource-document.js";

/** A resource of a version, and what it says that it was called. */
export interface NamedResource {
  readonly version: string;
  readonly plural: string;
  /** Null: it says nothing. */
  readonly renamedFrom: string | null;
}

/** What a resource of a version is called in the newest one that has it: `purchases` for the `orders` of v1 (VER-2). */
export type StoredPlural = (version: string, plural: string) => string;

/** Follows each resource through the versions after its own. */
export function storedPlurals(resources: readonly NamedResource[]): StoredPlural {
  const versions = [...new Set(resources.map(({ version }) => version))].sort(byNumber);
  const named = new Map<string, NamedResource[]>();
  for (const one of resources) named.set(one.version, [...(named.get(one.version) ?? []), one]);
  return (version, plural) => {
    let name = plural;
    for (const later of versions.filter((one) => byNumber(one, version) > 0)) {
      const own = named.get(later) ?? [];
      if (own.some((one) => one.plural === name)) continue;
      name = own.find(({ renamedFrom }) => renamedFrom === name)?.plural ?? name;
    }
    return name;
  };
}

/** What a resource says, with all others under the names that they are stored by. */
export function underStoredNames(
  value: ResourceYaml,
  version: string,
  stored: StoredPlural,
): ResourceYaml {
  const { parent, properties, actions } = value;
  const named = (plural: string): string => stored(version, plural);
  return {
    ...value,
    ...(parent !== undefined && { parent: named(parent) }),
    properties: referring(properties, named),
    ...(actions !== undefined && { actions: acting(actions, named) }),
  };
}

function acting(
  actions: Readonly<Record<string, ActionYaml>>,
  named: (plural: string) => string,
): Readonly<Record<string, ActionYaml>> {
  const all = Object.entries(actions).map(([name, action]): [string, ActionYaml] => {
    const { input, answers } = action;
    const isOwn = typeof answers === "object";
    return [
      name,
      {
        ...action,
        ...(input !== undefined && { input: referring(input, named) }),
        ...(isOwn && { answers: referring(answers, named) }),
      },
    ];
  });
  return Object.fromEntries(all);
}

function referring(properties: PropertiesYaml, named: (plural: string) => string): PropertiesYaml {
  return Object.fromEntries(
    Object.entries(properties).map(([name, short]) => [name, referringIn(short, named)]),
  );
}

function referringIn(short: PropertyYaml, named: (plural: string) => string): PropertyYaml {
  if (typeof short === "string") return short;
  const { reference, external, properties, items } = longForm(short);
  const isOwn = typeof reference === "string" && external !== true;
  if (!isOwn && properties === undefined && items === undefined) return short;
  return {
    ...short,
    ...(isOwn && { reference: named(reference) }),
    ...(properties !== undefined && { properties: referring(properties, named) }),
    ...(items !== undefined && { items: referringIn(items, named) }),
  };
}
