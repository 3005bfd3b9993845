import { isOwn, reachOf, type AccessRules, type Reach } from "../auth/access.js";
import type { Tie } from "../auth/ties.js";
import type { CommonFields } from "../base/common-fields.js";
import { forbidden, unauthorized } from "../base/errors.js";
import type { RequestContext } from "../http/request-context.js";
import type { ChildRight, ChildRights, GuardedCascade } from "../store/entity-table.js";
import type { EntityStore } from "../store/entity-store.js";
import type { ChildGuard } from "./repository-rules.js";

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
