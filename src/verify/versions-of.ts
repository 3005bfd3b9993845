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
