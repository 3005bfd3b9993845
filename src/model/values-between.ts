import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ObjectStep } from "../validate/object-step.js";
import { conversionRules } from "./conversion-rules.js";
import {
  pairName,
  type ConversionModel,
  type MemberModel,
  type PairModel,
  type ValueModel,
} from "./conversion-model.js";
import { innerType, membersOf } from "./leaves.js";
import { trace, type Trace } from "./trace.js";

/** A resource, or an object inside of it, through its versions, and what is stored of it. */
export interface ObjectVersions {
  /** The oldest first. */
  readonly levels: readonly ObjectLevel[];
  readonly steps: readonly ObjectStep[];
  readonly stored: readonly PropertyModel[];
  /** The name of its type in what is stored. */
  readonly storedType: string;
  /** Whether a version has types of its own. */
  readonly isShaped: (version: string) => boolean;
}

/** An object in one version. */
export interface ObjectLevel {
  readonly version: string;
  /** What the resource is called there. */
  readonly plural: string;
  /** The path of the object; "": the resource itself. */
  readonly path: string;
  /** The name of its type there. */
  readonly typeName: string;
  readonly properties: readonly PropertyModel[];
}

const SAME: ValueModel = { kind: "same" };

/** What a version shows of a property, and where that comes from; none where nothing is stored of it. */
export function memberBetween(
  property: PropertyModel,
  level: number,
  versions: ObjectVersions,
): MemberModel[] {
  const { levels, steps, stored } = versions;
  const found = trace(property.name, steps.slice(level));
  const isStored = found.kind === "stored";
  const step = isStored ? levels.length : level + found.step;
  const held = isStored ? stored : (levels[step]?.properties ?? []);
  const origin = held.find(({ name }) => name === found.name);
  if (origin === undefined) return [];
  const inside = { found, levels: levels.slice(level), isShaped: versions.isShaped };
  const value = valueBetween(property.type, origin.type, inside);
  return [{ property, origin, pair: isStored ? null : stepName(step, versions), value }];
}

/** The name of the pair of a step. */
function stepName(step: number, { levels }: ObjectVersions): string {
  const { version: older = "", path = "" } = levels[step] ?? {};
  return pairName({ older, newer: levels[step + 1]?.version ?? "", path });
}

/** The pairs that members are made by, the newest first. */
export function pairsBetween(
  members: readonly MemberModel[],
  level: number,
  versions: ObjectVersions,
): PairModel[] {
  const { levels, steps, storedType, isShaped } = versions;
  const pairs = steps.flatMap(({ converted }, step): PairModel[] => {
    const name = stepName(step, versions);
    const older = levels[step];
    const newer = levels[step + 1];
    if (step < level || converted === null || older === undefined || newer === undefined) return [];
    const made = members.filter(({ pair }) => pair === name);
    if (made.length === 0) return [];
    const named = (names: readonly string[], properties: readonly PropertyModel[]) =>
      properties.filter((property) => names.includes(property.name));
    const isNewerShaped = isShaped(newer.version);
    return [
      {
        name,
        path: older.path,
        older: { version: older.version, plural: older.plural, typeName: older.typeName },
        newer: {
          version: newer.version,
          plural: newer.plural,
          typeName: isNewerShaped ? newer.typeName : storedType,
        },
        inOlder: named(converted.older, older.properties).map((property) => ({
          property,
          shown: made.find(({ origin }) => origin.name === property.name)?.property.name ?? null,
        })),
        inNewer: named(converted.newer, newer.properties).flatMap((property) =>
          memberBetween(property, step + 1, versions),
        ),
        isNewerShaped,
        rules: conversionRules(converted, older.properties, newer.properties),
      },
    ];
  });
  return pairs.reverse();
}

/** A property on its way to what is stored, or to what converts it. */
interface Way extends Pick<ObjectVersions, "levels" | "isShaped"> {
  /** From the first of the levels. */
  readonly found: Trace;
}

/** How an older version shows values of another type of the same kind (VER-2). */
function valueBetween(shown: PropertyType, stored: PropertyType, way: Way): ValueModel {
  if (shown.kind === "array" && stored.kind === "array") {
    const item = valueBetween(shown.items, stored.items, way);
    return item.kind === "same" ? SAME : { kind: "items", item, isUnique: shown.uniqueItems };
  }
  if (shown.kind === "object" && stored.kind === "object") {
    const object = objectBetween({
      levels: levelsInside(way),
      steps: way.found.inner,
      stored: stored.properties,
      storedType: stored.typeName,
      isShaped: way.isShaped,
    });
    return isUnchanged(object) ? SAME : { kind: "object", object };
  }
  const { instead } = way.found;
  if (instead.size === 0) return SAME;
  const pairs = [...instead].map(([value, other]) => ({ stored: value, shown: other }));
  return { kind: "values", instead: pairs };
}

/** An object of a property in each version that has it. */
function levelsInside({ found, levels }: Way): ObjectLevel[] {
  return found.names.flatMap((name, index) => {
    const level = levels[index];
    const property = level?.properties.find((one) => one.name === name);
    if (level === undefined || property === undefined) return [];
    const type = innerType(property.type);
    const typeName = type.kind === "object" ? type.typeName : "";
    return [{ ...level, path: property.path, typeName, properties: membersOf(type) }];
  });
}

function objectBetween(versions: ObjectVersions): ConversionModel {
  const { levels, stored } = versions;
  const shown = levels[0]?.properties ?? [];
  const members = shown.flatMap((property) => memberBetween(property, 0, versions));
  const pairs = pairsBetween(members, 0, versions);
  const used = originsOf(members, pairs);
  return { pairs, members, hidden: stored.filter(({ name }) => !used.has(name)) };
}

/** The names of what is stored that members are made of. */
export function originsOf(
  members: readonly MemberModel[],
  pairs: readonly PairModel[],
): ReadonlySet<string> {
  return new Set([
    ...members.flatMap(({ origin, pair }) => (pair === null ? [origin.name] : [])),
    ...pairs.flatMap(({ inNewer }) => inNewer.map(({ origin }) => origin.name)),
  ]);
}

function isUnchanged({ members, hidden, pairs }: ConversionModel): boolean {
  return (
    hidden.length === 0 &&
    pairs.length === 0 &&
    members.every(
      ({ property, origin, value }) => property.name === origin.name && value.kind === "same",
    )
  );
}
