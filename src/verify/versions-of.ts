import type { ResourceModel } from "../model/resource-model.js";
import { seenBy } from "../model/seen-by.js";
import type { ServiceModel } from "../model/service-model.js";
import { shownFacts, unseen, versionPairs, type ShownFact } from "../model/shown-facts.js";

/** A resource in two versions, one after the other (VER-2). */
export interface VersionsOfResource {
  readonly older: ResourceModel;
  readonly newer: ResourceModel;
  /** What the older version shows of the newer one. */
  readonly shown: readonly ShownFact[];
  /** What the older version cannot see. */
  readonly unseen: readonly string[];
}

/** Every resource in two versions, one after the other, each as its own clients see it (VER-2). */
export function versionsOf(service: ServiceModel): readonly VersionsOfResource[] {
  const seen = service.versions.map(seenBy).flatMap(({ resources }) => resources);
  return versionPairs(service.versions).flatMap((pair) => {
    const older = seen.find(({ path }) => path === pair.older.path);
    const newer = seen.find(({ path }) => path === pair.newer.path);
    if (older === undefined || newer === undefined) return [];
    return [{ older, newer, shown: shownFacts(pair), unseen: unseen(pair) }];
  });
}

/** Those of some resources that represent the older one in its version, each beside the same newer one (REP-7). */
export function representationsOf(
  resources: readonly ResourceModel[],
  pair: VersionsOfResource,
): readonly VersionsOfResource[] {
  const { version, entity } = pair.older;
  const isOf = (one: ResourceModel): boolean =>
    one.isRepresentation &&
    one.version === version &&
    one.entity.name.plural === entity.name.plural;
  return resources.filter(isOf).map((older) => {
    const shown = older.projection.flatMap(({ property, storedPath }) =>
      pair.shown
        .filter((fact) => fact.older === storedPath)
        .map((fact) => ({ ...fact, older: property })),
    );
    return { ...pair, older, shown };
  });
}
