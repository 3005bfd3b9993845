import type { MigrationStep } from "#runtime/store/migrations/migration";
import { before, isWithin, schemaPath } from "./paths.js";

/** A table, or what stands in it at a path as schemas write it: `lines.price`; "" for the table itself. */
export interface Place {
  readonly table: string;
  readonly path: string;
}

/** Where the same thing stood before each of some steps that moved it, the latest first, as far back as it was there. */
export function formerPlaces(
  steps: readonly MigrationStep[],
  { table, path }: Place,
): readonly Place[] {
  const places: Place[] = [];
  let place: Place = { table, path: schemaPath(path) };
  for (const step of [...steps].reverse()) {
    if (makes(step, place)) break;
    const former = placeBefore(step, place);
    if (former === null) continue;
    place = former;
    places.push(place);
  }
  return places;
}

function makes(step: MigrationStep, { table, path }: Place): boolean {
  if (step.step === "createTable") return step.table.name === table;
  return step.step === "addColumn" && step.table === table && isWithin(path, schemaPath(step.path));
}

/** Null where the step leaves it in its place. */
function placeBefore(step: MigrationStep, { table, path }: Place): Place | null {
  if (step.step === "renameTable") return step.to === table ? { table: step.table, path } : null;
  if (step.step !== "renameColumn" || step.table !== table) return null;
  const was = schemaPath(step.path);
  const now = before(was) + step.to;
  return isWithin(path, now) ? { table, path: was + path.slice(now.length) } : null;
}
