import { checkEntry, OPEN, type AccessRules, parentFilters } from "../auth/access.js";
import { withTimeout } from "../base/background.js";
import type { CommonFields } from "../base/common-fields.js";
import { runCustom } from "../base/custom-code.js";
import { forbidden } from "../base/errors.js";
import { type Versioned, checkReadable } from "../http/conditional.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall, HttpReply, KeptAnswer } from "../http/routes.js";
import type { Asking } from "../query/conditions.js";
import type { Page } from "../query/page.js";
import type { ListQuery, Filter } from "../query/query.js";
import { emittedEvent } from "../store/entity-events.js";
import type { Stored, EntityStore } from "../store/entity-store.js";
import type { EntityTable, ChildRights } from "../store/entity-table.js";
import type { LockRequest } from "../store/locks.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import type { Later } from "./hooks.js";
import type { Decided } from "./reader.js";
import type { References, ResolvedReferences, Reference } from "./references.js";
import type { EntityParts } from "./service.js";
import { answerInUnit, inUnit, type Answered } from "./transaction.js";
import { EntityChanges, type Changed } from "./writer.js";

/** So long others are waited for that supply what is shown: an answer without it is better than none. */
const COMPLETE_MILLISECONDS = 5000;

/** Answers with an entity as it was made. */
type AnswerWith<Entity> = (entity: Versioned<Entity>) => HttpReply;

/** What a change has made, and the answer that tells of it. */
interface LaidOut<Entity> extends Answered {
  readonly made: Stored<Entity>;
}

/** What requests do to the entities of one resource: each change is a transaction. */
export class EntityRepository<Entity extends CommonFields & Properties, Properties> {
  private readonly access: AccessRules;
  private readonly shape: string | null;

  constructor(
    protected readonly parts: EntityParts<Entity, Properties>,
    rules: RepositoryRules<Properties> = {},
    private readonly changes = new EntityChanges(parts, rules),
  ) {
    this.access = rules.access ?? OPEN;
    this.shape = rules.shape ?? null;
  }

  /** The identifiers of its entities. */
  get table(): Pick<EntityTable<Entity, Properties>, "identify" | "idProperty"> {
    return this.parts.store.table;
  }

  /** Stores a new entity, which `decide` reads from the body, and answers with it. Throws 409 where a unique value is taken. */
  create(
    decide: () => Decided<Properties>,
    answer: AnswerWith<Entity>,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { kept } = call.context;
    if (kept !== null) {
      const check = async (): Promise<void> => this.changes.checkCreate(decide, call);
      return this.again(kept, answer, call, check);
    }
    const work = (unit: UnitOfWork): Later<Stored<Entity>> =>
      this.changes.create(decide, call, unit);
    return this.answering(work, answer, call.context);
  }

  /** OPS-12: the answer that was kept, where `check` still allows it. An entity that was too large to keep is read: throws 404. */
  protected async again(
    { reply, isRead }: KeptAnswer,
    answer: AnswerWith<Entity>,
    { id, context }: HttpCall,
    check: () => Promise<void>,
  ): Promise<HttpReply> {
    await check();
    if (!isRead) return reply;
    const made = reply.location?.split("/").at(-1) ?? id;
    return answer(await this.completed(await this.changes.look(made, context), context));
  }

  /** Creates an entity for custom code, which needs no response. */
  async insert(decide: () => Decided<Properties>, call: HttpCall): Promise<Entity> {
    const { database } = this.parts.store;
    const work = (unit: UnitOfWork): Later<Stored<Entity>> =>
      this.changes.create(decide, call, unit);
    const { entity } = await inUnit(call.context, database, work);
    return entity;
  }

  /** One page of the entities that the caller may read; own code may do without what `complete` supplies. */
  async list(query: ListQuery, { context }: HttpCall, isCompleted = true): Promise<Page<Entity>> {
    checkEntry(this.access, "read", false, context.caller);
    if (this.parts.hooks.authorize) await this.changes.authorize("list", null, context);
    const shown = this.changes.shownPart(context);
    if (shown === null) throw forbidden();
    const within = shown.length === 0 ? query : { ...query, filters: [...shown, ...query.filters] };
    const page = await this.parts.store.page(within, context);
    const { complete } = this.parts.hooks;
    if (complete === undefined || !isCompleted || page.results.length === 0) return page;
    return { ...page, results: await this.complete(page.results, context) };
  }

  /** Shows one entity. Throws 404, also for one that the caller may not read, and 412. */
  async read<Shown>(show: (found: Versioned<Entity>) => Shown, call: HttpCall): Promise<Shown> {
    const { context, headers } = call;
    const stored = await this.changes.look(call.id, context, true);
    const { authorize, complete } = this.parts.hooks;
    if (authorize) await this.changes.authorize("read", stored.entity, context);
    checkReadable(stored.revision, headers);
    // Each promise more would cost every request something.
    return show(complete ? await this.completed(stored, context) : this.versioned(stored));
  }

  /** One entity, for the service's own code to decide by. Throws 404. */
  async lock(id: string, { context }: HttpCall): Promise<Entity> {
    const { database } = this.parts.store;
    return inUnit(context, database, async (unit) => this.changes.lock(id, context, unit));
  }

  /** Emits an event of one entity, for custom code (EVT-1). Throws 404. */
  async emit(id: string, event: string, { context }: HttpCall): Promise<void> {
    const { database, locks, announced } = this.parts.store;
    const eventOf = emittedEvent(event, announced);
    const work = async (unit: UnitOfWork): Promise<void> =>
      this.changes.emit(id, eventOf, context, unit);
    await inUnit(context, database, work, { locks, id });
  }

  /**
   * Changes an entity to what `decide` makes of the stored one, and answers with it; nothing is written when that is the
   * same (ENT-4). Throws 404, 412, 428.
   */
  change(
    decide: (stored: Entity) => Decided<Properties>,
    answer: AnswerWith<Entity>,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Stored<Entity>> => {
      const { changed } = await this.changes.change(decide, call, unit);
      return changed;
    };
    // Changes of one entity that met are tried one after the other.
    return this.answering(work, answer, call.context, { locks, id: call.id });
  }

  /** Changes an entity for custom code, which needs no response. */
  async update(decide: (stored: Entity) => Decided<Properties>, call: HttpCall): Promise<Entity> {
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Changed<Entity>> =>
      this.changes.change(decide, call, unit);
    const { changed } = await inUnit(call.context, database, work, { locks, id: call.id });
    const { entity } = await this.completed(changed, call.context);
    return entity;
  }

  /** Deletes an entity. Throws 404, 412, 428, 403 for the sake of its children (AUT-2), and 409 where others refer to it (CHD-4). */
  async remove(id: string, call: HttpCall): Promise<void> {
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<void> => this.changes.remove(call, unit);
    await inUnit(call.context, database, work, { locks, id });
  }

  /**
   * Does work as one transaction, and answers with what it has made. The answer is laid out before anything is written:
   * own code takes part in it, and what fails there must store nothing (REP-9). `complete` is asked afterwards, and nothing
   * of it fails the request; before the write only for an answer that is kept with it (OPS-12).
   */
  protected answering(
    work: (unit: UnitOfWork) => Later<Stored<Entity>>,
    answer: AnswerWith<Entity>,
    context: RequestContext,
    exclusively?: LockRequest,
  ): Promise<HttpReply> {
    const isKept = context.keepAnswer !== null;
    const { database } = this.parts.store;
    const layOut = (made: Stored<Entity>): LaidOut<Entity> => ({
      made,
      reply: answer(this.versioned(made)),
    });
    const supply = ({ made, reply }: LaidOut<Entity>): Later<HttpReply> =>
      this.supplied(reply, made, answer, context);
    if (isKept) {
      const prepare = async (unit: UnitOfWork): Promise<Answered> => ({
        reply: await supply(layOut(await work(unit))),
      });
      return answerInUnit(context, database, prepare, exclusively).then(({ reply }) => reply);
    }
    const prepare = (unit: UnitOfWork): Later<LaidOut<Entity>> => {
      const made = work(unit);
      return made instanceof Promise ? made.then(layOut) : layOut(made);
    };
    return inUnit(context, database, prepare, exclusively).then(supply);
  }

  /** An answer with what `complete` supplies; as it was, where that cannot be laid out. No promise where there is no hook. */
  private supplied(
    reply: HttpReply,
    made: Stored<Entity>,
    answer: AnswerWith<Entity>,
    context: RequestContext,
  ): Later<HttpReply> {
    if (this.parts.hooks.complete === undefined) return reply;
    const shown = async (): Promise<HttpReply> => {
      const completed = await this.completed(made, context);
      try {
        return answer(completed);
      } catch (error) {
        this.warnOf(error, context);
        return reply;
      }
    };
    return shown();
  }

  private versioned({ entity, revision }: Stored<Entity>): Versioned<Entity> {
    return { entity, revision, shape: this.shape };
  }

  /** No promise where there is no hook: most resources have none. */
  protected completed(
    stored: Stored<Entity>,
    context: RequestContext,
  ): Versioned<Entity> | Promise<Versioned<Entity>> {
    if (this.parts.hooks.complete === undefined) return this.versioned(stored);
    const { entity, revision } = stored;
    return this.complete([entity], context).then(([completed = entity]) => {
      return { entity: completed, revision, shape: null };
    });
  }

  /** What cannot be supplied is not shown, and nothing of an entity of which some breaks a rule: the log tells of it (REP-9). */
  private async complete(
    entities: readonly Entity[],
    context: RequestContext,
  ): Promise<readonly Entity[]> {
    const { hooks, store, contextOf } = this.parts;
    const completed = structuredClone(entities);
    try {
      const own = runCustom(`complete of ${store.table.name}`, async () =>
        hooks.complete?.(completed, contextOf(context.outsideUnit())),
      );
      await withTimeout(own, COMPLETE_MILLISECONDS);
    } catch (error) {
      context.logger.warn({ err: error }, `complete of ${store.table.name} failed`);
      return entities;
    }
    let fault: unknown = null;
    const shown = entities.map((entity, index) => {
      try {
        return this.changes.ownWrites.shown(entity, completed[index]);
      } catch (error) {
        fault ??= error;
        return entity;
      }
    });
    if (fault !== null) this.warnOf(fault, context);
    return shown;
  }

  private warnOf(fault: unknown, { logger }: RequestContext): void {
    const { name } = this.parts.store.table;
    logger.warn({ err: fault }, `the values that complete of ${name} returned are not shown`);
  }
}

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

/** AUT-2: a child may have to be created under a parent that the caller has a tie to. Throws 403. */
export async function checkParents(
  reference: Reference<unknown>,
  access: AccessRules,
  ids: readonly string[],
  context: RequestContext,
): Promise<void> {
  const within = parentFilters(access, context);
  if (within === null) throw forbidden();
  if (within.length === 0 || ids.length === 0) return;
  const allowed = await reference.find(ids, within);
  const others = ids.filter((id) => !allowed.has(id));
  // What is not stored yet is new in this transaction, whose code may fill it.
  if (others.length > 0 && (await reference.find(others, [])).size > 0) throw forbidden();
}

/** Asks for the tie to the parent, which the reference of this name leads to (AUT-2). */
export function tiedParent(name: string, access: AccessRules): ParentCheck {
  return async ({ [name]: toParent }, context) => {
    if (toParent === undefined) return;
    const { reference, entities } = toParent;
    await checkParents(reference, access, [...entities.keys()], context);
  };
}
