import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  objectIn,
  type ConversionModel,
  type Instead,
  type ValueModel,
} from "./conversion-model.js";
import { innerType } from "./leaves.js";
import { insteadAt, storedNameOf, type Projection } from "./projection.js";
import type { ResourceModel } from "./resource-model.js";

/** What an older version shows of a property of the next one, as clients of both see it (VER-2). */
export interface ShownFact {
  readonly older: string;
  readonly newer: string;
  /** What the older version shows instead of values of the newer one. */
  readonly instead: readonly Instead[];
  /** Values that are shown as one are shown once. */
  readonly isUnique: boolean;
  /** Of an object, of those in a list, or of a reference. */
  readonly members: readonly ShownFact[];
  /** What stands in the newer object and not in the older one. */
  readonly unseen: readonly string[];
}

/** A resource in two versions, one after the other. */
export interface VersionPair {
  readonly older: ResourceModel;
  readonly newer: ResourceModel;
}

/** Every resource with what it is in the next version that has it, the oldest first. */
export function versionPairs(
  versions: readonly { readonly resources: readonly ResourceModel[] }[],
): VersionPair[] {
  return versions.flatMap(({ resources }, index) =>
    resources.flatMap((older) => {
      const newer = versions
        .slice(index + 1)
        .flatMap((version) => version.resources)
        .find(
          ({ entity, isRepresentation }) =>
            !isRepresentation && entity.name.plural === older.entity.name.plural,
        );
      return newer === undefined || older.isRepresentation ? [] : [{ older, newer }];
    }),
  );
}

/** What the older version shows of what the newer one shows, but for what the service's own code converts. */
export function shownFacts({ older, newer }: VersionPair): ShownFact[] {
  const inOlder = { parts: partsOf(older), projection: older.projection };
  const inNewer = { parts: partsOf(newer), projection: newer.projection };
  return factsBetween(inOlder, inNewer);
}

/** What the newer version shows and the older one cannot see. */
export function unseen({ older, newer }: VersionPair): string[] {
  return unseenIn(partsOf(older), partsOf(newer));
}

/** Of an object, or of what a resource shows; what is made of something older is seen. */
function unseenIn(older: readonly Part[], newer: readonly Part[]): string[] {
  const known = new Set(older.map(({ origin }) => origin));
  const isSeen = ({ origin, from }: Part): boolean =>
    known.has(origin) || from.some((name) => known.has(name));
  return newer.flatMap((part) => (isSeen(part) ? [] : [part.property.name]));
}

/** A property of a version, and what it is called in what is stored. */
interface Part {
  readonly property: PropertyModel;
  readonly origin: string;
  /** The names of what that is made of. */
  readonly from: readonly string[];
  readonly value: ValueModel;
}

interface Side {
  readonly parts: readonly Part[];
  readonly projection: Projection;
}

function partsOf({ properties, projection, conversion, entity }: ResourceModel): Part[] {
  if (conversion !== null) return partsIn(conversion);
  return properties.map((property) => {
    const origin = storedNameOf(property.path, projection);
    const stored = entity.properties.find(({ name }) => name === origin);
    return { property, origin, from: madeOf(stored), value: { kind: "same" } };
  });
}

function partsIn({ members }: Pick<ConversionModel, "members">): Part[] {
  return members.map(({ property, origin, value }) => ({
    ...{ property, origin: origin.name, from: madeOf(origin), value },
  }));
}

/** The names of the other side of a conversion. */
function madeOf(stored: PropertyModel | undefined): readonly string[] {
  return stored?.filled?.from.map((path) => path.slice(path.lastIndexOf(".") + 1)) ?? [];
}

function factsBetween(older: Side, newer: Side): ShownFact[] {
  return older.parts.flatMap((part) => {
    const other = newer.parts.find(({ origin }) => origin === part.origin);
    if (other === undefined) return [];
    const { type } = part.property;
    const inOlder = heldBy(part, older.projection);
    const inNewer = heldBy(other, newer.projection);
    const isObject = innerType(type).kind === "object";
    return [
      {
        older: part.property.name,
        newer: other.property.name,
        instead: insteadBetween(part.value, other.value),
        isUnique: type.kind === "array" && type.uniqueItems,
        members: factsBetween({ ...older, parts: inOlder }, { ...newer, parts: inNewer }),
        // What is embedded of others changes with them.
        unseen: isObject ? unseenIn(inOlder, inNewer) : [],
      },
    ];
  });
}

/** What stands in an object, or in a reference. */
function heldBy({ property, value }: Part, projection: Projection): Part[] {
  const object = objectIn(value);
  if (object !== null) return partsIn(object);
  const held = heldIn(innerType(property.type));
  return held.map((one) => {
    const instead = insteadAt(one.path, projection);
    return {
      property: one,
      origin: storedNameOf(one.path, projection),
      from: [],
      value: instead.length === 0 ? { kind: "same" } : { kind: "values", instead },
    };
  });
}

function heldIn(type: PropertyType): readonly PropertyModel[] {
  if (type.kind === "reference") return [type.identifier, ...type.embedded];
  return type.kind === "object" ? type.properties : [];
}

/** What the older version shows instead of values that the newer one shows. */
function insteadBetween(older: ValueModel, newer: ValueModel): Instead[] {
  const others = insteadIn(newer);
  const shown = new Map(
    insteadIn(older).map((one) => {
      // Two stored values may be one in the newer version, too.
      const seen = others.find(({ stored }) => stored === one.stored)?.shown ?? one.stored;
      return [seen, one.shown] as const;
    }),
  );
  return [...shown]
    .map(([stored, other]) => ({ stored, shown: other }))
    .filter((one) => one.stored !== one.shown);
}

function insteadIn(value: ValueModel): readonly Instead[] {
  if (value.kind === "items") return insteadIn(value.item);
  return value.kind === "values" ? value.instead : [];
}
