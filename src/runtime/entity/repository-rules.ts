import type { AccessRules } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import type { RequestContext } from "../http/request-context.js";
import type { Asking } from "../query/conditions.js";
import type { Filter } from "../query/query.js";
import type { ChildRights } from "../store/entity-table.js";
import type { EntityStore } from "../store/entity-store.js";
import type { References, ResolvedReferences } from "./references.js";

/** What the schema allows, where it does not allow everything. */
export interface RepositoryRules<Properties = never> {
  /** STA: as refusals tell them here; left out: as the entity has them (VER-2). */
  readonly states?: StateChecks<Properties>;
  /** AUT-2; left out: anyone may do anything. */
  readonly access?: AccessRules;
  /** AUT-2: of those children that not everybody may delete who may delete their parent; left out: of none. */
  readonly children?: ChildGuard;
  /** REP-7: what is outside is not there; left out: all that is stored is shown. */
  readonly where?: (asking: Asking) => readonly Filter[];
  /** REP-7: what clients call properties that are stored under other names; left out: all are called as they are stored. */
  readonly names?: Readonly<Record<string, string>>;
  /** OPS-10; left out: a change may come without `If-Match`. */
  readonly ifMatch?: "required";
  /** OPS-10: names how a body is made of its row; left out: it shows more than that, and its tag has a digest. */
  readonly shape?: string;
  /** VER-2: what own code takes part in converting; what it makes of that is read before it is stored (REP-9). */
  readonly converts?: readonly string[];
  /** VER-2: the version that `converts`; left out: any other. */
  readonly version?: string;
}

/** What is asked where the service's own code uses the entities. */
export interface ServiceRules<Properties = never> extends RepositoryRules<Properties> {
  /** AUT-2: those that ask for access to what they lead to; left out: they lead to what anyone may read. */
  readonly references?: References;
  /** AUT-2; left out: whoever may create at all may do it under any parent. */
  readonly parent?: ParentCheck;
}

/** Whether a new child may be one of the parent that it names. Throws 403. */
export type ParentCheck = (
  resolved: ResolvedReferences<References>,
  context: RequestContext,
) => Promise<void>;

/** What the states of an entity allow (STA). Each check throws 409. */
export interface StateChecks<Properties> {
  /** Where the state stands. */
  readonly property: string;
  stateOf(properties: Properties): string;
  checkCreate(next: Properties): void;
  checkTransition(stored: Properties, next: Properties): void;
  checkUpdate(stored: Properties): void;
  checkDelete(stored: Properties): void;
  checkAction(stored: Properties, allowed: readonly string[]): void;
  /** `next`, in the state of `stored`. */
  keepState(next: Properties, stored: Properties): Properties;
}

/** Which children may be deleted together with an entity (AUT-2). Throws 401 or 403 if there is one that may not. */
export type ChildGuard = <Entity extends CommonFields & Properties, Properties>(
  store: EntityStore<Entity, Properties>,
  entity: Entity,
  context: RequestContext,
) => Promise<ChildRights>;
