import { isConverted, longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { ResourceYaml } from "../validate/resource-document.js";

/** What the file of a resource says of the version before it, by path: `lines[].article` (VER-2). */
export interface EarlierShape {
  /** The name that a property had. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Properties that the service's own code makes of those that are gone. */
  readonly converted: readonly string[];
  /** What the version before shows instead of values that it does not know, by value. */
  readonly instead: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The plural that the resource had; null: the same. */
  readonly formerPlural: string | null;
  /** Paths of properties that it has removed. */
  readonly removed: readonly string[];
}

/** That nothing is said. */
export const NOTHING_EARLIER: EarlierShape = {
  ...{ renamed: {}, converted: [], instead: {}, removed: [], formerPlural: null },
};

/** Reads it from the properties of a file. */
export function earlierShape({
  properties,
  sameAs,
  removed = {},
  renamedFrom,
}: ResourceYaml): EarlierShape {
  // A copy says what it says of the version before its original.
  if (sameAs !== undefined) return NOTHING_EARLIER;
  const all = propertiesIn(properties, "");
  return {
    renamed: Object.fromEntries(
      all.flatMap(([path, { renamedFrom }]) =>
        renamedFrom === undefined ? [] : [[path, renamedFrom] as const],
      ),
    ),
    converted: all.flatMap(([path, yaml]) => (isConverted(yaml) ? [path] : [])),
    instead: Object.fromEntries(
      all.flatMap(([path, { inOlderVersions }]) =>
        inOlderVersions === undefined ? [] : [[path, inOlderVersions] as const],
      ),
    ),
    removed: Object.keys(removed),
    formerPlural: renamedFrom ?? null,
  };
}

type Entry = readonly [path: string, yaml: ReturnType<typeof longForm>];

/** Every property by its path, items of lists among them. */
function propertiesIn(properties: Readonly<Record<string, PropertyYaml>>, holder: string): Entry[] {
  return Object.entries(properties).flatMap(([name, short]) => entriesOf(holder + name, short));
}

function entriesOf(path: string, short: PropertyYaml): Entry[] {
  const yaml = longForm(short);
  const { properties = {}, items } = yaml;
  return [
    [path, yaml],
    ...propertiesIn(properties, `${path}.`),
    ...(items === undefined ? [] : entriesOf(`${path}[]`, items)),
  ];
}
