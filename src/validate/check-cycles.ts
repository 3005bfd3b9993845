import { isInCircle } from "./check-parent.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import type { Together } from "./scope.js";

/** A required reference of a resource. */
interface Demand {
  readonly from: CheckedResource;
  /** The plural of the resource that it refers to. */
  readonly to: string;
  readonly path: readonly (string | number)[];
}

/** REP-4: required references cannot form a cycle, in which no entity could be created first. */
export function checkCycles({ stored }: Together): void {
  const demands = stored.flatMap((one) => demandsOf(one, stored));
  for (const demand of demands) {
    const start = String(demand.from.value["resource"]);
    if (!reaches(demand.to, start, demands, new Set())) continue;
    const suggestion = "Make one of them optional.";
    const at = { path: demand.path };
    demand.from.findings.add("SCH-54", at, { resource: start }, { suggestion });
  }
}

function demandsOf(from: CheckedResource, resources: readonly CheckedResource[]): Demand[] {
  const { parent } = from.value;
  // A circle of parents is told as such (CHD-3).
  const above =
    typeof parent === "string" && !isInCircle(from, resources)
      ? [{ from, to: parent, path: ["parent"] }]
      : [];
  const references = from.properties.flatMap((property) => {
    const { kind, yaml, path } = property;
    const isDemand = kind === "reference" && isDemanded(property) && yaml.external !== true;
    if (!isDemand || yaml.reference === parent) return [];
    return [{ from, to: yaml.reference ?? "", path: [...path, "reference"] }];
  });
  return [...above, ...references];
}

/** What may be null, or is in something that may be, demands nothing; nor does a list that may be empty. */
function isDemanded({ yaml, kind, isItem, holders }: PropertyPlace): boolean {
  const holder = holders.at(-1);
  if (holder !== undefined && !isDemanded(holder)) return false;
  if (kind === "array") return (yaml.minItems ?? 0) > 0;
  return isItem || yaml.required === true;
}

function reaches(
  place: string,
  goal: string,
  demands: readonly Demand[],
  seen: Set<string>,
): boolean {
  if (place === goal) return true;
  if (seen.has(place)) return false;
  seen.add(place);
  return demands.some(
    ({ from, to }) => from.value["resource"] === place && reaches(to, goal, demands, seen),
  );
}
