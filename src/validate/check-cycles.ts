import type { CheckedResource } from "./check-resource.js";
import type { PropertyPlace } from "./property-place.js";

/** A required reference of a resource. */
interface Demand {
  readonly from: CheckedResource;
  /** The plural of the resource that it refers to. */
  readonly to: string;
  readonly path: readonly (string | number)[];
}

/** REP-4: required references cannot form a cycle, in which no entity could be created first. */
export function checkCycles(resources: readonly CheckedResource[]): void {
  const demands = resources.flatMap(demandsOf);
  for (const demand of demands) {
    const start = String(demand.from.value["resource"]);
    if (!reaches(demand.to, start, demands, new Set())) continue;
    const suggestion = "Make one of them optional.";
    const at = { path: demand.path };
    demand.from.findings.add("SCH-54", at, { resource: start }, { suggestion });
  }
}

function demandsOf(from: CheckedResource): Demand[] {
  const { parent, resource } = from.value;
  const above =
    typeof parent === "string" && parent !== resource
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

/** A list with at least one item requires the entity that the item refers to. */
function isDemanded({ yaml, isItem, holders }: PropertyPlace): boolean {
  return isItem ? (holders.at(-1)?.yaml.minItems ?? 0) > 0 : yaml.required === true;
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
