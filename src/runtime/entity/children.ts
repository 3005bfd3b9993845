import {
  type AccessRules,
  isOwn,
  parentFilters,
  reachOf,
  filtersAtTie,
  type Reach,
  type Tie,
} from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { entityNotFound, forbidden, unauthorized } from "../base/errors.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall } from "../http/routes.js";
import type { Reader } from "../input/reader.js";
import type { ListQuery } from "../query/query.js";
import type { EntityStore } from "../store/entity-store.js";
import type { ChildRight, ChildRights, GuardedCascade } from "../store/entity-table.js";
import {
  lookUp,
  reference,
  visibleEntities,
  type Reference,
  type ResolvedReference,
  type ResolvedReferences,
} from "./references.js";
import type { ChildGuard, ParentCheck } from "./repository.js";

/**
 * Limits a list to the entities that refer to the one in the path (CHD-1). `name` is the reference, or null for all entities.
 * Throws 404 if the caller cannot read the entity in the path.
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

/** The reference to the parent, and the access rules of the child (AUT-2). */
type OwnParent<References> = readonly [name: keyof References & string, access: AccessRules];

/**
 * Resolves references like `lookUp`, for a new entity. `name` is the reference to the entity in the path, or null (CHD-1).
 * Throws 404 if the caller cannot read that entity, and 403 if the rules require another parent (AUT-2).
 */
export async function resolveUnder<References extends Readonly<Record<string, Reference<unknown>>>>(
  [name, references]: readonly [name: (keyof References & string) | null, references: References],
  call: HttpCall,
  own?: OwnParent<References>,
): Promise<ResolvedReferences<References>> {
  const resolved = await lookUp(references, call);
  const found = name === null ? null : await parentOf(resolved[name].reference, call);
  if (own !== undefined) {
    const [toParent, access] = own;
    const { reference: owner, entities } = resolved[toParent];
    // The reader reports a missing parent.
    const ids = toParent === name ? [call.id] : [...entities.keys()];
    await checkParents(owner, access, ids, call.context);
  }
  if (name === null) return resolved;
  const { [name]: named } = resolved;
  const entities = new Map<string, unknown>([...named.entities, [call.id, found]]);
  return { ...resolved, [name]: { ...named, entities, parent: found } };
}

/** AUT-2: checks that a child is created under a parent that the caller has a tie to. Throws 403. */
async function checkParents(
  reference: Reference<unknown>,
  access: AccessRules,
  ids: readonly string[],
  context: RequestContext,
): Promise<void> {
  const within = parentFilters(access, context);
  if (within === null) throw forbidden();
  if (within.length === 0 || ids.length === 0) return;
  const allowed = await reference.find(ids, within, context.caller);
  const others = ids.filter((id) => !allowed.has(id));
  // A parent that is not stored yet is new in this transaction, whose code may add children to it.
  if (others.length > 0 && (await reference.find(others, [], context.caller)).size > 0)
    throw forbidden();
}

/** Creates the check of the tie to the parent, for the reference with this name (AUT-2). */
export function tiedParent(name: string, access: AccessRules): ParentCheck {
  return async ({ [name]: toParent }, context) => {
    if (toParent === undefined) return;
    const { reference, entities } = toParent;
    await checkParents(reference, access, [...entities.keys()], context);
  };
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

/** Reads the reference to the parent in the path. A body may omit the reference, but not change it (CHD-2). */
export function parent<Embedded>(
  resolved: ResolvedReference<Embedded>,
  stored?: Embedded,
): Reader<Embedded> {
  return inPath(resolved, reference(resolved, stored));
}

/** Reads a reference that the path may name. A body may omit a named reference, but not change it (CHD-1). */
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

/**
 * AUT-2: creates the guard of children that are deleted with their parent. `children` has the access rules, by plural, of
 * children whose deletion needs more than the right to delete the parent. The deletion checks again, because children may be
 * added later.
 */
export function guardChildren(children: Readonly<Record<string, AccessRules>>): ChildGuard {
  return (store, entity, context) => childRights(children, store, entity, context);
}

async function childRights<Entity extends CommonFields & Properties, Properties>(
  children: Readonly<Record<string, AccessRules>>,
  store: EntityStore<Entity, Properties>,
  entity: Entity,
  context: RequestContext,
): Promise<ChildRights> {
  const { caller } = context;
  const id = store.table.identify(entity);
  const rights = new Map<string, ChildRight>();
  const readable = new Set<string>();
  for (const [plural, rules] of Object.entries(children)) {
    const above = aboveOf(store.table.cascades, plural);
    const reaches = [rules.read, rules.delete].map((grants) => reachOf(grants, caller));
    const ties: Tie[] = [];
    const isTied = async (tie: Tie): Promise<boolean> => {
      if (tie === `${above}owner`) return isOwn(entity, caller);
      const filters = filtersAtTie(tie, rules.scopes?.[tie], context);
      return filters !== null && (await store.of(caller).find(id, filters)) !== null;
    };
    for (const tie of tiesOf(reaches, above)) if (await isTied(tie)) ties.push(tie);
    rights.set(plural, childRight(reaches, ties));
    // If the caller can read only some children, the ones that forbid the deletion may be hidden.
    if (childRight(reaches.slice(0, 1), ties) === "all") readable.add(plural);
  }
  if (!(await store.hasOthersChildren(id, context, rights))) return rights;
  if (caller.isAnonymous) throw unauthorized();
  // Does not name children that the caller may not read.
  const named: string[] = [];
  for (const [plural, right] of rights) {
    const only = new Map([[plural, right]]);
    if (readable.has(plural) && (await store.hasOthersChildren(id, context, only)))
      named.push(plural);
  }
  throw forbidden(named.length === 0 ? {} : { description: takenAlong(named) });
}

function takenAlong(plurals: readonly string[]): string {
  return `Its ${plurals.join(" and ")} would be deleted as well, and the caller may not delete them.`;
}

/** Returns the prefix of the ties to a deleted entity in the rules of its children and their descendants. */
function aboveOf(cascades: readonly (string | GuardedCascade)[] = [], plural: string): string {
  const cascade = cascades.find((one) => typeof one !== "string" && one.children === plural);
  const { above = "parent:" } = typeof cascade === "object" ? cascade : {};
  return above;
}

/** Returns the ties with exactly this prefix. */
function tiesOf(reaches: readonly Reach[], above: string): ReadonlySet<Tie> {
  const all = reaches.flatMap((reach) => (reach === "all" ? [] : reach));
  const isNearer = (tie: Tie): boolean => tie.startsWith(`${above}parent:`);
  return new Set(all.filter((tie) => tie.startsWith(above) && !isNearer(tie)));
}

/**
 * Returns the children that a caller with these ties may read and delete. Ignores custom ties to the children themselves,
 * because each child would need a check.
 */
function childRight(reaches: readonly Reach[], ties: readonly Tie[]): ChildRight {
  const rights = reaches.map((reach): ChildRight => {
    if (reach === "all" || reach.some((tie) => ties.includes(tie))) return "all";
    return reach.includes("owner") ? "own" : "none";
  });
  if (rights.includes("none")) return "none";
  return rights.includes("own") ? "own" : "all";
}
