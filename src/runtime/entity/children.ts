import { type AccessRules, isOwn, reachOf, type Reach } from "../auth/access.js";
import type { Tie } from "../auth/ownership.js";
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
import { checkParents, type ChildGuard } from "./repository.js";

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

/**
 * AUT-2: whoever deletes a parent deletes its children, and needs the right to. `children` has, by plural, the rules of
 * those that not everybody may delete who may delete the parent. The deletion itself takes only what is allowed, also
 * when children are added after this check.
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
    const { ownership, custody } = tiesTo(store.table.cascades, plural);
    const reaches = [rules.read, rules.delete].map((grants) => reachOf(grants, caller));
    // Own code is asked only where it decides.
    const isAsked = reaches.some((reach) => reach !== "all" && reach.includes(custody));
    const filters = isAsked ? (rules.scopes?.[custody]?.(context) ?? null) : null;
    const isGiven = filters !== null && (await store.find(id, filters)) !== null;
    const owned = isOwn(entity, caller) ? [ownership] : [];
    const ties = isGiven ? [...owned, custody] : owned;
    rights.set(plural, childRight(reaches, ties));
    // Where only some of them can be read, those that forbid the deletion may be others.
    if (childRight(reaches.slice(0, 1), ties) === "all") readable.add(plural);
  }
  if (!(await store.hasOthersChildren(id, context, rights))) return rights;
  if (caller.isAnonymous) throw unauthorized();
  // Where the caller may not read them, the answer is that of any other deletion that is not allowed.
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

/** What the children's rules call the ties to what is deleted: it is their parent, or above that. */
function tiesTo(cascades: readonly (string | GuardedCascade)[] = [], plural: string) {
  const cascade = cascades.find((one) => typeof one !== "string" && one.children === plural);
  const { above = "parent:" } = typeof cascade === "object" ? cascade : {};
  return { ownership: `${above}owner`, custody: `${above}custom` } as const;
}

/**
 * Those that the caller may read and delete, who has these ties to what is deleted. What the service's own code gives of
 * the children themselves does not count: it would have to be asked about each of them.
 */
function childRight(reaches: readonly Reach[], ties: readonly Tie[]): ChildRight {
  const rights = reaches.map((reach): ChildRight => {
    if (reach === "all" || reach.some((tie) => ties.includes(tie))) return "all";
    return reach.includes("owner") ? "own" : "none";
  });
  if (rights.includes("none")) return "none";
  return rights.includes("own") ? "own" : "all";
}
