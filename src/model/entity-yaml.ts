import { longForm, type PropertyObjectYaml, type PropertyYaml } from "../kinds/property-yaml.js";
import type { Lineage } from "../validate/lineage.js";
import { withParent } from "../validate/lineage.js";
import { innerYaml, type ObjectStep, type PropertiesYaml } from "../validate/object-step.js";
import type { ResourceYaml } from "../validate/resource-document.js";

/** What a version embeds of another resource, by the names under which that is stored. */
export type EmbeddedNames = (version: string, yaml: PropertyObjectYaml) => readonly string[];

/**
 * What is stored of a resource: the properties of its newest version, those that it has removed and an older version
 * still shows, and everything that some version embeds of others.
 */
export function entityYaml(
  { versions, steps }: Lineage,
  embeddedNames: EmbeddedNames,
): ResourceYaml {
  const newest = versions.at(-1);
  if (newest === undefined) throw new RangeError("a lineage has a version");
  const levels = versions.map(withParent);
  const names = versions.map(({ version }) => version);
  const embedded = (level: number, yaml: PropertyObjectYaml): readonly string[] =>
    embeddedNames(names[level] ?? "", yaml);
  const all = merged({ levels, steps, embedded });
  const { properties } = newest.value;
  // The reference to the parent is declared where the file declares it.
  const own = Object.entries(all).filter(
    ([name]) => name !== newest.parentProperty || Object.hasOwn(properties, name),
  );
  // An older version's state that is converted is never null, as in that version.
  const states = new Set(versions.map(({ value }) => value.states?.property));
  const whole = own.map(([name, short]) => {
    const isState = states.has(name) && !Object.hasOwn(properties, name);
    return [name, isState ? { ...longForm(short), required: true } : short] as const;
  });
  return { ...newest.value, properties: Object.fromEntries(whole) };
}

/** An object through the versions that have it. */
interface Levels {
  readonly levels: readonly PropertiesYaml[];
  readonly steps: readonly ObjectStep[];
  readonly embedded: (level: number, yaml: PropertyObjectYaml) => readonly string[];
}

function merged(all: Levels): PropertiesYaml {
  const { levels, steps } = all;
  const newest = levels.at(-1) ?? {};
  const own = Object.keys(newest).map(
    (name) => [name, deepened(name, levels.length - 1, all)] as const,
  );
  const left = steps.flatMap((step, level) =>
    [...step.removed, ...(step.converted?.older ?? [])]
      .filter((name) => !Object.hasOwn(newest, name))
      .map((name) => [name, deepened(name, level, all)] as const),
  );
  return Object.fromEntries([...own, ...left]);
}

/** A property as the version at a level has it, with what older versions have inside of it. */
function deepened(name: string, level: number, { levels, steps, embedded }: Levels): PropertyYaml {
  const short = levels[level]?.[name] ?? "string";
  const yamls: PropertyObjectYaml[] = [innerYaml(short)];
  const inner: ObjectStep[] = [];
  let called = name;
  for (let index = level - 1; index >= 0; index -= 1) {
    const kept = steps[index]?.kept.find(({ newer }) => newer === called);
    if (kept === undefined) break;
    called = kept.older;
    yamls.unshift(innerYaml(levels[index]?.[called] ?? "string"));
    if (kept.inner !== null) inner.unshift(kept.inner);
  }
  const first = level + 1 - yamls.length;
  const embeddedAt = (index: number, yaml: PropertyObjectYaml): readonly string[] =>
    embedded(first + index, yaml);
  const { reference, embed = [], properties } = innerYaml(short);
  if (reference !== undefined) {
    // The newest version's first, all of them by the names under which they are stored.
    const names = [
      ...new Set(
        yamls
          .map((yaml, index) => embeddedAt(index, yaml))
          .reverse()
          .flat(),
      ),
    ];
    return JSON.stringify(names) === JSON.stringify(embed)
      ? short
      : holding(short, { embed: names });
  }
  if (properties === undefined) return short;
  const whole = merged({
    levels: yamls.map((yaml) => yaml.properties ?? {}),
    steps: inner,
    embedded: embeddedAt,
  });
  return JSON.stringify(whole) === JSON.stringify(properties)
    ? short
    : holding(short, { properties: whole });
}

/** A property that holds something else; of an array, each of its items does. */
function holding(
  short: PropertyYaml,
  held: Pick<PropertyObjectYaml, "embed" | "properties">,
): PropertyYaml {
  const own = longForm(short);
  return own.items === undefined
    ? { ...own, ...held }
    : { ...own, items: { ...longForm(own.items), ...held } };
}
