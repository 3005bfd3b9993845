import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ObjectStep } from "../validate/object-step.js";
import { conversionRules } from "./conversion-rules.js";
import {
  pairName,
  type ConversionModel,
  type MemberModel,
  type PairModel,
  type PairSide,
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
  /** The name of its type in what is stored, and its path there; "": the entity itself. */
  readonly storedType: string;
  readonly storedPath: string;
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
  const way = wayOf(property, level, versions);
  const origin = versions.stored.find(({ name }) => name === way.found.name);
  if (origin === undefined) return [];
  return [{ property, origin, value: valueBetween(property.type, origin, way) }];
}

/** All that custom code or words convert from a version to the next, at any depth (VER-2). */
export function pairsFrom(level: number, versions: ObjectVersions): PairModel[] {
  const { levels, stored } = versions;
  const inside = (levels[level]?.properties ?? []).flatMap((property) => {
    const way = wayOf(property, level, versions);
    const origin = stored.find(({ name }) => name === way.found.name);
    if (origin === undefined || innerType(property.type).kind !== "object") return [];
    const type = innerType(origin.type);
    return type.kind === "object" ? pairsFrom(0, insideOf(type, origin, way)) : [];
  });
  return [...ownPair(level, versions), ...inside];
}

function ownPair(level: number, versions: ObjectVersions): PairModel[] {
  const { levels, steps, storedPath, storedType } = versions;
  const converted = steps[level]?.converted ?? null;
  const [older, newer] = [levels[level], levels[level + 1]];
  if (converted === null || older === undefined || newer === undefined) return [];
  return [
    {
      name: pairName({ older: older.version, newer: newer.version, path: older.path }),
      path: older.path,
      storedPath,
      storedType,
      older: pairSide(converted.older, level, versions),
      newer: pairSide(converted.newer, level + 1, versions),
      rules: conversionRules(converted, older.properties, newer.properties),
    },
  ];
}

function pairSide(names: readonly string[], level: number, versions: ObjectVersions): PairSide {
  const {
    version = "",
    plural = "",
    typeName = "",
    properties = [],
  } = versions.levels[level] ?? {};
  const converted = properties.filter(({ name }) => names.includes(name));
  const members = converted.flatMap((property) => memberBetween(property, level, versions));
  return { version, plural, typeName, isShaped: versions.isShaped(version), members };
}

/** A property on its way to what is stored. */
interface Way extends Pick<ObjectVersions, "levels" | "isShaped"> {
  /** From the first of the levels. */
  readonly found: Trace;
}

function wayOf(
  { name }: PropertyModel,
  level: number,
  { levels, steps, isShaped }: ObjectVersions,
): Way {
  return { found: trace(name, steps.slice(level)), levels: levels.slice(level), isShaped };
}

/** How an older version shows values of another type of the same kind (VER-2). */
function valueBetween(shown: PropertyType, origin: Held, way: Way): ValueModel {
  const stored = origin.type;
  if (shown.kind === "array" && stored.kind === "array") {
    const item = valueBetween(shown.items, { ...origin, type: stored.items }, way);
    return item.kind === "same" ? SAME : { kind: "items", item, isUnique: shown.uniqueItems };
  }
  if (shown.kind === "object" && stored.kind === "object") {
    const object = objectBetween(insideOf(stored, origin, way));
    return isUnchanged(object) ? SAME : { kind: "object", object };
  }
  const { instead } = way.found;
  if (instead.size === 0) return SAME;
  const values = [...instead].map(([value, other]) => ({ stored: value, shown: other }));
  return { kind: "values", instead: values };
}

/** What is stored, or an item of it. */
type Held = Pick<PropertyModel, "type" | "path">;

/** A stored object through the versions that have it. */
function insideOf(type: ObjectType, { path }: Held, way: Way): ObjectVersions {
  return {
    levels: levelsInside(way),
    steps: way.found.inner,
    stored: type.properties,
    storedType: type.typeName,
    storedPath: path,
    isShaped: way.isShaped,
  };
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
  return { members, stored };
}

function isUnchanged({ members, stored }: ConversionModel): boolean {
  return (
    stored.length === members.length &&
    members.every(
      ({ property, origin, value }) => property.name === origin.name && value.kind === "same",
    )
  );
}
