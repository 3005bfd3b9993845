import type { Lineage } from "../validate/lineage.js";
import type { ObjectStep } from "../validate/object-step.js";
import { upperFirst } from "../naming/resource-name.js";
import { pairName } from "./conversion-model.js";
import type { EntityHistory } from "./entity-model.js";
import { trace } from "./trace.js";

/**
 * What an entity's own file says of its earlier shapes, and what the files of all versions say of them, those of retired
 * ones too: a database may stand at any of them (VER-2).
 */
export function withPastShapes(
  own: EntityHistory,
  { versions, steps }: Lineage,
  collection: string,
): EntityHistory {
  const oldest = pastSteps({ versions, steps }, collection);
  const past = [...oldest].reverse();
  const renamed = new Map(Object.entries(own.renamed));
  for (const [path, former] of past.flatMap((one) => one.renamed)) {
    renamed.set(path, [...new Set([...(renamed.get(path) ?? []), former])]);
  }
  const plural = versions.at(-1)?.value.resource;
  const called = versions.flatMap(({ value }) => [value.resource, value.renamedFrom ?? []].flat());
  const formers = [...own.formerPlurals, ...called.reverse()].filter((name) => name !== plural);
  return {
    formerPlurals: [...new Set(formers)],
    renamed: Object.fromEntries(renamed),
    // What is converted is kept: a migration has to read it.
    removed: [...new Set([...own.removed, ...past.flatMap(goneIn)])].sort(),
    converted: oldest.flatMap(({ converted }) => converted),
  };
}

/** What the versions of a resource convert, by the paths where both sides are stored (VER-2). */
export function convertedIn(lineage: Lineage): EntityHistory["converted"] {
  return pastSteps(lineage, "").flatMap(({ converted }) => converted);
}

/** What each step says, the oldest first. */
function pastSteps({ versions, steps }: Lineage, collection: string): readonly Past[] {
  return steps.map((step, index) => {
    const [older = "", newer = ""] = versions.slice(index).map(({ version }) => version);
    const nameOf = (path: string): string =>
      collection + upperFirst(pairName({ older, newer, path }));
    const place = { holder: "", olderHolder: "", older, nameOf };
    return pastOf(step, steps.slice(index + 1), place);
  });
}

function goneIn({ removed, converted }: Past): readonly string[] {
  return [...removed, ...converted.flatMap(({ from }) => from)];
}

/** What one step says, by the names that things have after all later ones. */
interface Past {
  readonly renamed: readonly (readonly [path: string, former: string])[];
  readonly removed: readonly string[];
  readonly converted: EntityHistory["converted"];
}

const NOTHING: Past = { renamed: [], removed: [], converted: [] };

/** An object that a step is taken in. */
interface Place {
  /** Its path with a dot, under the names after all later steps; "": the resource. */
  readonly holder: string;
  /** In the older version. */
  readonly olderHolder: string;
  readonly older: string;
  /** What the pair of an object exports, by its path in the older version. */
  readonly nameOf: (path: string) => string;
}

function pastOf(step: ObjectStep, later: readonly ObjectStep[], place: Place): Past {
  const { holder, olderHolder, older: version, nameOf } = place;
  const kept = step.kept.map(({ older, newer, inner }): Past => {
    const now = trace(newer, later);
    const path = holder + now.name;
    const inside = { ...place, holder: `${path}.`, olderHolder: `${olderHolder}${older}.` };
    const held = inner === null ? NOTHING : pastOf(inner, now.inner, inside);
    const own = older === now.name ? [] : [[path, older] as const];
    return { ...held, renamed: [...own, ...held.renamed] };
  });
  const { removed, converted } = step;
  const own = converted && {
    pair: nameOf(olderHolder.slice(0, -1)),
    version,
    from: converted.older.map((name) => holder + name),
    to: converted.newer.map((name) => holder + trace(name, later).name),
  };
  return {
    renamed: kept.flatMap(({ renamed }) => renamed),
    removed: [...removed.map((name) => holder + name), ...kept.flatMap((inner) => inner.removed)],
    converted: [...(own ? [own] : []), ...kept.flatMap((inner) => inner.converted)],
  };
}
