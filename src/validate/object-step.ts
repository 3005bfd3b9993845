import {
  isConverted,
  longForm,
  type ConvertedYaml,
  type PropertyObjectYaml,
  type PropertyYaml,
} from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";

/** The properties of an object, by name, as a file has them. */
export type PropertiesYaml = Readonly<Record<string, PropertyYaml>>;

/** How the properties of an object in one version become those of the next (VER-2). */
export interface ObjectStep {
  /** Where the properties stand in the file of the newer version. */
  readonly place: readonly PathStep[];
  readonly kept: readonly KeptProperty[];
  /** Names of the newer version that the older one has nothing for. */
  readonly added: readonly string[];
  /** Names of the older version that the newer one says it has removed. */
  readonly removed: readonly string[];
  /** Names of the older version of which the newer one says nothing. */
  readonly gone: readonly string[];
  /** What the service's own code converts; null: nothing. */
  readonly converted: ConvertedProperties | null;
}

/** A property that both versions have. */
export interface KeptProperty {
  readonly older: string;
  readonly newer: string;
  /** What the older version shows instead of values that it does not know, by value. */
  readonly instead: Readonly<Record<string, string>>;
  /** Of an object, or of the objects in an array; null: it is neither. */
  readonly inner: ObjectStep | null;
}

/** The properties of the older version that become those of the newer one, all of them together. */
export interface ConvertedProperties {
  readonly older: readonly string[];
  readonly newer: readonly string[];
  /** What words say of newer ones, by name. */
  readonly words: ReadonlyMap<string, ConvertedYaml>;
}

/** Where a step is taken. */
export interface StepScope {
  /** What the newer version says that it has removed, by path. */
  readonly removed: Readonly<Record<string, unknown>>;
  /** The newer version says that it is the same as the older one. */
  readonly isSame: boolean;
  /** The path of the object in the older version, with a dot; "" at the root. */
  readonly path: string;
  readonly place: readonly PathStep[];
}

/** What a property holds: of an array, what its items are. */
export function innerYaml(short: PropertyYaml): PropertyObjectYaml {
  const yaml = longForm(short);
  return yaml.items === undefined ? yaml : longForm(yaml.items);
}

/** Finds what becomes of each property: by its name, or by what the newer version says it was called. */
export function objectStep(
  older: PropertiesYaml,
  newer: PropertiesYaml,
  scope: StepScope,
): ObjectStep {
  const kept = Object.keys(newer).flatMap((name): KeptProperty[] => {
    const was = olderName(name, { older, newer }, scope);
    return was === null ? [] : [keptProperty(was, name, { older, newer }, scope)];
  });
  const isKept = new Set(kept.map((property) => property.older));
  const isKnown = new Set(kept.map((property) => property.newer));
  const left = Object.keys(older).filter((name) => !isKept.has(name));
  const isRemoved = (name: string): boolean => Object.hasOwn(scope.removed, scope.path + name);
  const made = Object.keys(newer).filter((name) => !isKnown.has(name));
  const converted = made.filter((name) => isConverted(longForm(newer[name] ?? {})));
  const others = left.filter((name) => !isRemoved(name));
  return {
    place: scope.place,
    kept,
    added: made.filter((name) => !converted.includes(name)),
    removed: left.filter(isRemoved),
    gone: converted.length === 0 ? others : [],
    converted:
      converted.length === 0
        ? null
        : { older: others, newer: converted, words: wordsOf(converted, newer) },
  };
}

interface Both {
  readonly older: PropertiesYaml;
  readonly newer: PropertiesYaml;
}

/** What the older version calls a property of the newer one; null: it has none. */
function olderName(name: string, { older, newer }: Both, { isSame }: StepScope): string | null {
  const yaml = longForm(newer[name] ?? {});
  const { renamedFrom } = yaml;
  const isKnown = Object.hasOwn(older, name);
  if (isSame) return isKnown ? name : null;
  // What the older version has copied into the newer one was converted from one before both.
  const isCopied = isKnown && JSON.stringify(older[name]) === JSON.stringify(newer[name]);
  if (isConverted(yaml)) return isCopied ? name : null;
  if (renamedFrom !== undefined && Object.hasOwn(older, renamedFrom)) return renamedFrom;
  const isTaken = Object.values(newer).some((other) => longForm(other).renamedFrom === name);
  return isKnown && !isTaken ? name : null;
}

function keptProperty(
  was: string,
  name: string,
  { older, newer }: Both,
  scope: StepScope,
): KeptProperty {
  const before = innerYaml(older[was] ?? {});
  const after = innerYaml(newer[name] ?? {});
  const isArray = longForm(newer[name] ?? {}).items !== undefined;
  const place = [...scope.place, name, ...(isArray ? ["items"] : []), "properties"];
  return {
    older: was,
    newer: name,
    instead: insteadOf(before, after),
    inner:
      before.properties === undefined || after.properties === undefined
        ? null
        : objectStep(before.properties, after.properties, {
            ...scope,
            path: `${scope.path}${was}.`,
            place,
          }),
  };
}

/** The values that are new, with what stands for them. */
function insteadOf(
  { enum: known = [] }: PropertyObjectYaml,
  { enum: values = [], inOlderVersions = {} }: PropertyObjectYaml,
): Readonly<Record<string, string>> {
  const added = values.filter((value) => !known.includes(value));
  return Object.fromEntries(
    added.flatMap((value) => {
      const shown = inOlderVersions[value];
      return shown === undefined ? [] : [[value, shown] as const];
    }),
  );
}

function wordsOf(
  names: readonly string[],
  properties: PropertiesYaml,
): ReadonlyMap<string, ConvertedYaml> {
  const said = names.flatMap((name) => {
    const { converted } = longForm(properties[name] ?? {});
    return typeof converted === "object" ? [[name, converted] as const] : [];
  });
  return new Map(said);
}

/** What each value of an enum is called in the newer version. */
export function renamedValues(
  values: readonly string[],
  { values: renamed = {} }: ConvertedYaml,
): Readonly<Record<string, string>> {
  const named = values.map(
    (value) => [value, Object.hasOwn(renamed, value) ? (renamed[value] ?? value) : value] as const,
  );
  return Object.fromEntries(named);
}
