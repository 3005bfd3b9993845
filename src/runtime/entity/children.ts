import type { AccessRules } from "../auth/access.js";
import { entityNotFound } from "../base/errors.js";
import type { HttpCall } from "../http/http.js";
import type { Reader } from "../input/reader.js";
import type { ListQuery } from "../query/query.js";
import { checkParents } from "./check-parents.js";
import {
  lookUp,
  reference,
  visibleEntities,
  type Reference,
  type ResolvedReference,
  type ResolvedReferences,
} from "./references.js";

/**
 * Those that refer to what the path names; all of them at the root (CHD-1). `name` is the reference. Throws 404 if there
 * is nothing there, or the caller may not read it.
 */
export async function childrenQuery<Name extends string>(
  query: ListQuery,
  [name, references]: readonly [
    name: Name | null,
    references: Readonly<Record<Name, Reference<unknown>>>,
  ],
  call: HttpCall,
): Promise<ListQuery> {
  if (name === null) return query;
  const { id } = call;
  await parentOf(references[name], call);
  const path = `${name}.${references[name].idProperty}`;
  const own = { path, contains: false, values: [id], orNull: false };
  return { ...query, filters: [own, ...query.filters] };
}

/** The reference to the parent, and the rules by which a child may be created (AUT-2). */
type OwnParent<References> = readonly [name: keyof References & string, access: AccessRules];

/**
 * `lookUp` for a new entity, of which the path names what one reference leads to (CHD-1); null: none. Throws
 * 404 if there is nothing there, and 403 if the rules allow the creation only under other parents (AUT-2).
 */
export async function resolveUnder<References extends Readonly<Record<string, Reference<unknown>>>>(
  [name, references]: readonly [name: (keyof References & string) | null, references: References],
  call: HttpCall,
  own?: OwnParent<References>,
): Promise<ResolvedReferences<References>> {
  const resolved = await lookUp(references, call);
  const found = name === null ? null : await parentOf(resolved[name].reference, call);
  if (own !== undefined) await checkParent(name, resolved[own[0]], own, call);
  if (name === null) return resolved;
  const { [name]: named } = resolved;
  const entities = new Map<string, unknown>([...named.entities, [call.id, found]]);
  return { ...resolved, [name]: { ...named, entities, parent: found } };
}

/** AUT-2: the parent is that in the path; under another path the body names it, and the validator tells where it does not. */
async function checkParent(
  under: string | null,
  { reference: toParent, entities }: ResolvedReference<unknown>,
  [name, access]: readonly [name: string, access: AccessRules],
  { id, context }: HttpCall,
): Promise<void> {
  await checkParents(toParent, access, under === name ? [id] : [...entities.keys()], context);
}

async function parentOf(
  reference: Reference<unknown>,
  { id, context }: HttpCall,
): Promise<unknown> {
  const found = await visibleEntities(reference, [id], context);
  const parent = found.get(id);
  if (parent === undefined) throw entityNotFound(reference.entityType, id);
  return parent;
}

/** Reads the reference to the parent: left out, it is the one in the path, and no other one is taken (CHD-2). */
export function parent<Embedded>(
  resolved: ResolvedReference<Embedded>,
  stored?: Embedded,
): Reader<Embedded> {
  return inPath(resolved, reference(resolved, stored));
}

/** Reads a reference that the path may name: left out, it is that one, and no other one is taken (CHD-1). */
export function inPath<Embedded, Read extends Embedded | null>(
  { parent: named, reference: { idProperty } }: ResolvedReference<Embedded>,
  read: Reader<Read>,
): Reader<Embedded | Read> {
  return (value, path, report) => {
    if (named === undefined) return read(value, path, report);
    if (value === undefined) return named;
    const issues = report.size;
    const embedded = read(value, path, report);
    if (report.size === issues && embedded !== named) {
      report.add(`${path}.${idProperty}`, "is not the one in the path");
    }
    return embedded;
  };
}
