import type { ResourceModel } from "../model/resource-model.js";
import {
  isAskingCode,
  isSameSubject,
  mayDo,
  reachOf,
  type Caller,
  type Verdict,
} from "./caller.js";
import type { Session } from "./session.js";

/** An entity that goes along with another one that is deleted. */
export interface Along {
  readonly resource: ResourceModel;
  readonly maker: Caller;
  /** The makers of what it belongs to: its parent's first, that of the deleted entity last. */
  readonly above: readonly Caller[];
}

/** The callers that may surely delete an entity itself, as somebody has made it: the one with the most access first. */
export function deletersOf(session: Session, above: ResourceModel): readonly Caller[] {
  const maker = session.callerFor(above);
  const parent = session.resources.find(({ path }) => path === above.parent?.path);
  return [...new Set([maker, ...session.options.callers])].filter((caller) => {
    const isBy = (other: Caller): boolean => caller === other || isSame(session, caller, other);
    const isParentOwn = parent !== undefined && isBy(session.callerFor(parent));
    const relation = { isOwn: isBy(maker), isParentOwn };
    return (["read", "delete"] as const).every(
      (operation) => mayDo(above, operation, caller, relation) === "yes",
    );
  });
}

/** AUT-2: whether a caller may delete an entity with all that goes along, at every level below it. */
export function mayTakeAll(session: Session, all: readonly Along[], caller: Caller): Verdict {
  return weakest(all.map((along) => mayTake(session, along, caller)));
}

function mayTake(session: Session, along: Along, caller: Caller): Verdict {
  if (along.resource.parent?.takesAlong === true) return "yes";
  return weakest(
    (["read", "delete"] as const).map((operation) => {
      const reach = reachOf(along.resource, operation, caller);
      if (reach === "all") return "yes";
      if (reach === "none") return "no";
      return tied(session, along, along.resource.access[operation], caller);
    }),
  );
}

/** What grants say to a caller who has neither a role nor a name in them. */
function tied(
  session: Session,
  { maker, above }: Along,
  grants: readonly string[],
  caller: Caller,
): Verdict {
  const makers = [maker, ...above];
  // `owner` is about the entity itself, `parent:owner` about what it belongs to, and so on.
  const owned = makers.flatMap((one, level) => {
    const isGranted = grants.includes(`${"parent:".repeat(level)}owner`);
    return isGranted && isSame(session, caller, one) ? [level] : [];
  });
  // Who owns only what lies between the two is not asked about by every service.
  if (owned.some((level) => level === 0 || level === above.length)) return "yes";
  return owned.length > 0 || isAskingCode(grants) ? "perhaps" : "no";
}

function isSame({ model }: Session, one: Caller, other: Caller): boolean {
  return isSameSubject(one, other, model);
}

function weakest(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("perhaps") ? "perhaps" : "yes";
}
