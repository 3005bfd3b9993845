import type { RequestContext } from "../http/request-context.js";
import type { JsonObject } from "../input/json.js";
import {
  identifiersIn,
  objectsByIdentifier,
  placedReferences,
  type PlacedReference,
} from "./reference-paths.js";
import {
  NOTHING,
  nothingStored,
  pendingEntities,
  withoutNull,
  type References,
  type ResolvedReference,
  type ResolvedReferences,
} from "./references.js";

/** Where what own code wrote leads, whoever calls; what `before` refers to already is not looked up again. */
export async function resolveOwn<All extends References>(
  references: All,
  { written, before }: { readonly written: JsonObject; readonly before: unknown },
  context: RequestContext,
): Promise<ResolvedReferences<All>> {
  const found = new Map<string, ReadonlyMap<string, unknown>>();
  for (const placed of placedReferences(references)) {
    const { path, reference, steps } = placed;
    const known = objectsByIdentifier(before, placed);
    const ids = identifiersIn(written, steps, reference).filter((id) => !known.has(id));
    const pending = pendingEntities(reference, ids, context.unit);
    const others = ids.filter((id) => !pending.has(id));
    const stored = others.length === 0 ? [] : await reference.find(others, []);
    found.set(path, withoutNull([...known, ...stored, ...pending]));
  }
  return mapReferences(references, ({ path }) => found.get(path) ?? NOTHING);
}

/** Each reference, and what it can lead to. */
export function mapReferences<All extends References>(
  references: All,
  find: (placed: PlacedReference) => ReadonlyMap<string, unknown>,
): ResolvedReferences<All> {
  const entries = placedReferences(references).map((placed) => {
    const resolved: ResolvedReference<unknown> = {
      reference: placed.reference,
      entities: find(placed),
      stored: nothingStored,
      isMerge: false,
    };
    return [placed.path, resolved] as const;
  });
  // Each path has its own reference.
  return Object.fromEntries(entries) as ResolvedReferences<All>;
}
