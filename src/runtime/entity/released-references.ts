import type { CommonFields } from "../base/common-fields.js";
import type { FieldIssue } from "../base/errors.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import { objectsByIdentifier, placedReferences } from "./reference-paths.js";
import type { References } from "./references.js";

/** The properties after the deletions of their unit. */
interface Left<Properties> {
  readonly properties: Properties;
  /** References to deleted entities that cannot be cleared (CHD-4). */
  readonly issues: readonly FieldIssue[];
}

/** Applies the deletions of a unit to an entity. Each cleared reference is a change of its own, as in the database. */
export function afterDeletions<Entity extends CommonFields>(
  made: Stored<Entity>,
  references: References,
  unit: UnitOfWork | null,
): Stored<Entity> {
  if (unit?.hasDeletions !== true) return made;
  const ends = endsOf(made.entity, references, unit);
  const stamps = ends.map(({ letGo }) => letGo).filter((end) => end !== null);
  const [first, ...others] = stamps;
  if (first === undefined) return made;
  const { lastModifiedDate, lastModifiedSubject } = others.reduce(later, first);
  const entity = { ...made.entity, ...letGoOf(ends), lastModifiedDate, lastModifiedSubject };
  return { ...made, entity, revision: made.revision + stamps.length };
}

/** Clears references to deleted entities in properties that are about to be written. */
export function withoutDeleted<Properties>(
  properties: Properties,
  references: References,
  unit: UnitOfWork,
): Left<Properties> {
  if (!unit.hasDeletions) return { properties, issues: [] };
  const ends = endsOf(properties, references, unit);
  const issues = ends.filter(({ letGo }) => letGo === null).map(({ issue }) => issue);
  return { properties: { ...properties, ...letGoOf(ends) }, issues };
}

/** A reference to an entity that the unit deletes. */
interface End {
  readonly path: string;
  /** The stamps of the change that clears the reference. Null if it cannot be cleared. */
  readonly letGo: CommonFields | null;
  readonly issue: FieldIssue;
}

function endsOf(value: unknown, references: References, unit: UnitOfWork): readonly End[] {
  return placedReferences(references).flatMap((placed) => {
    const { path, reference } = placed;
    const ids = [...objectsByIdentifier(value, placed).keys()];
    const deleted = ids.filter((id) => reference.pending?.(id, unit) === null);
    const issue = { field: `${path}.${reference.idProperty}`, message: reference.problem };
    return deleted.map((id) => ({ path, letGo: reference.letGo?.(id, unit) ?? null, issue }));
  });
}

/** References that can be cleared are top-level properties. */
function letGoOf(ends: readonly End[]): Readonly<Record<string, null>> {
  return Object.fromEntries(
    ends.filter(({ letGo }) => letGo !== null).map(({ path }) => [path, null]),
  );
}

function later(one: CommonFields, other: CommonFields): CommonFields {
  return other.lastModifiedDate >= one.lastModifiedDate ? other : one;
}
