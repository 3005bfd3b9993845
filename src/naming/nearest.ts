import { closest, distance } from "fastest-levenshtein";

/** The candidate that a mistyped text most probably means, or null when none is near. */
export function nearest(text: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0 || text.length > 100) return null;
  const lower = text.toLowerCase();
  const found = closest(
    lower,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  // Two letters that changed places are a distance of two.
  const most = text.length < 4 ? 1 : Math.max(2, Math.floor(text.length / 3));
  if (distance(lower, found) > most) return null;
  return candidates.find((candidate) => candidate.toLowerCase() === found) ?? null;
}

/** The same for a path of properties, before which a resource or an entity may be named: `status` for `orders.status`. */
export function nearestPath(path: string, candidates: readonly string[]): string | null {
  const inEntity = path.slice(path.indexOf(".") + 1);
  return nearest(path, candidates) ?? nearest(inEntity, candidates);
}
