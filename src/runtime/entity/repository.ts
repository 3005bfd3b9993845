/**
 * Entities: the operations that requests and custom code carry out on them. Start here: resource-routes.ts turns a request into
 * a call of `EntityRepository`, which runs a transaction (transaction.ts) around `EntityWriter` (writer.ts) and prepares the
 * response. conversion.ts gives an older version its shape, and states.ts and problems.ts check rules. hooks.ts and
 * custom-values.ts are the border to custom code, which uses entities through entity-service.ts and custom-sql.ts.
 * references.ts and children.ts handle relations, and actions.ts actions. Only custom-sql.ts knows SQL, and nothing here writes
 * HTTP.
 */
import { checkEntry, OPEN, type AccessRules } from "../auth/access.js";
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
import { EntityWriter } from "./writer.js";
import type { References, ResolvedReferences } from "./references.js";
import type { EntityParts } from "./entity-service.js";
import { replyInUnit, inUnit, type WithReply } from "./transaction.js";

/** Maximum wait for `complete`. After it, the response is sent without the supplied values. */
const COMPLETE_MILLISECONDS = 5000;

/** Creates the response for an entity. */
type AnswerWith<Entity> = (entity: Versioned<Entity>) => HttpReply;

/** The result of a change, with its response. */
interface PreparedReply<Entity> extends WithReply {
  readonly made: Stored<Entity>;
}

/** Serves the requests for the entities of one resource. Each change is a transaction. */
export class EntityRepository<Entity extends CommonFields & Properties, Properties> {
  private readonly access: AccessRules;
  private readonly shape: string | null;

  constructor(
    protected readonly parts: EntityParts<Entity, Properties>,
    rules: RepositoryRules<Properties> = {},
    private readonly writer = new EntityWriter(parts, rules),
  ) {
    this.access = rules.access ?? OPEN;
    this.shape = rules.shape ?? null;
  }

  get table(): Pick<EntityTable<Entity, Properties>, "identify" | "idProperty"> {
    return this.parts.store.table;
  }

  /** Stores a new entity, which `decide` reads from the body, and responds with it. Throws 409 if a unique value is taken. */
  create(
    decide: () => Later<Properties>,
    answer: AnswerWith<Entity>,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { kept } = call.context;
    if (kept !== null) {
      const check = async (): Promise<void> => this.writer.checkCreate(decide, call);
      return this.replay(kept, answer, call, check);
    }
    const work = (unit: UnitOfWork): Later<Stored<Entity>> =>
      this.writer.create(decide, call, unit);
    return this.answering(work, answer, call.context);
  }

  /** OPS-12: returns the kept response if `check` passes. If it was too large to keep, reads the entity, and may throw 404. */
  protected async replay(
    { reply, isRead }: KeptAnswer,
    answer: AnswerWith<Entity>,
    { id, context }: HttpCall,
    check: () => Promise<void>,
  ): Promise<HttpReply> {
    await check();
    if (!isRead) return reply;
    const made = reply.location?.split("/").at(-1) ?? id;
    return answer(await this.completed(await this.writer.readVisible(made, context), context));
  }

  /** Creates an entity for custom code, which needs no response. */
  async insert(decide: () => Later<Properties>, call: HttpCall): Promise<Entity> {
    const { database } = this.parts.store;
    const work = (unit: UnitOfWork): Later<Stored<Entity>> =>
      this.writer.create(decide, call, unit);
    const { entity } = await inUnit(call.context, database, work);
    return entity;
  }

  /** Returns one page of the entities that the caller may read. Custom code can skip `complete`. */
  async list(query: ListQuery, { context }: HttpCall, isCompleted = true): Promise<Page<Entity>> {
    checkEntry(this.access, "read", false, context.caller);
    if (this.parts.hooks.authorize) await this.writer.authorize("list", null, context);
    const shown = this.writer.visibilityFilters(context);
    if (shown === null) throw forbidden();
    const within = shown.length === 0 ? query : { ...query, filters: [...shown, ...query.filters] };
    const page = await this.parts.store.page(within, context);
    const { complete } = this.parts.hooks;
    if (complete === undefined || !isCompleted || page.results.length === 0) return page;
    return { ...page, results: await this.complete(page.results, context) };
  }

  /** Shows one entity. Throws 404, also if the caller may not read the entity, and 412. */
  async read<Shown>(show: (found: Versioned<Entity>) => Shown, call: HttpCall): Promise<Shown> {
    const { context, headers } = call;
    const stored = await this.writer.readVisible(call.id, context, true);
    const { authorize, complete } = this.parts.hooks;
    if (authorize) await this.writer.authorize("read", stored.entity, context);
    checkReadable(stored.revision, headers);
    // One more promise here would slow down every request.
    return show(complete ? await this.completed(stored, context) : this.versioned(stored));
  }

  /** Locks one entity for custom code. Throws 404. */
  async lock(id: string, { context }: HttpCall): Promise<Entity> {
    const { database } = this.parts.store;
    return inUnit(context, database, async (unit) => this.writer.lock(id, context, unit));
  }

  /** Emits an event of one entity, for custom code (EVT-1). Throws 404. */
  async emit(id: string, event: string, { context }: HttpCall): Promise<void> {
    const { database, locks, announced } = this.parts.store;
    const eventOf = emittedEvent(event, announced);
    const work = async (unit: UnitOfWork): Promise<void> =>
      this.writer.emit(id, eventOf, context, unit);
    await inUnit(context, database, work, { locks, id });
  }

  /**
   * Changes an entity to the result of `decide`, and responds with it. Writes nothing if both are equal (ENT-4). Throws as
   * `EntityWriter.change` does, and 409 if a unique value is taken.
   */
  change(
    decide: (stored: Entity) => Later<Properties>,
    answer: AnswerWith<Entity>,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Stored<Entity>> =>
      this.writer.change(decide, call, unit);
    // After a conflict, changes of one entity run one after another.
    return this.answering(work, answer, call.context, { locks, id: call.id });
  }

  /** Changes an entity for custom code, which needs no response. */
  async update(decide: (stored: Entity) => Later<Properties>, call: HttpCall): Promise<Entity> {
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Stored<Entity>> =>
      this.writer.change(decide, call, unit);
    const changed = await inUnit(call.context, database, work, { locks, id: call.id });
    const { entity } = await this.completed(changed, call.context);
    return entity;
  }

  /** Deletes an entity. Throws as `EntityWriter.remove` does. */
  async remove(id: string, call: HttpCall): Promise<void> {
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<void> => this.writer.remove(call, unit);
    await inUnit(call.context, database, work, { locks, id });
  }

  /**
   * Does work as one transaction, and responds with its result. Creates the response before the commit, because a failure of
   * custom code in it must store nothing (REP-9). Calls `complete` after the commit, where its failure is harmless. A response
   * that is kept with the change needs `complete` before the commit (OPS-12).
   */
  protected answering(
    work: (unit: UnitOfWork) => Later<Stored<Entity>>,
    answer: AnswerWith<Entity>,
    context: RequestContext,
    exclusively?: LockRequest,
  ): Promise<HttpReply> {
    const isKept = context.keepAnswer !== null;
    const { database } = this.parts.store;
    const prepareReply = (made: Stored<Entity>): PreparedReply<Entity> => ({
      made,
      reply: answer(this.versioned(made)),
    });
    const supply = ({ made, reply }: PreparedReply<Entity>): Later<HttpReply> =>
      this.withCompletion(reply, made, answer, context);
    if (isKept) {
      const prepare = async (unit: UnitOfWork): Promise<WithReply> => ({
        reply: await supply(prepareReply(await work(unit))),
      });
      return replyInUnit(context, database, prepare, exclusively).then(({ reply }) => reply);
    }
    const prepare = (unit: UnitOfWork): Later<PreparedReply<Entity>> => {
      const made = work(unit);
      return made instanceof Promise ? made.then(prepareReply) : prepareReply(made);
    };
    return inUnit(context, database, prepare, exclusively).then(supply);
  }

  /** Adds the values of `complete` to a response, or returns it unchanged if that fails. Synchronous without a hook. */
  private withCompletion(
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

  /** Calls `complete`. Synchronous without this hook, which most resources lack. */
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

  /** Calls `complete`. Logs a failure or broken rule, and shows the affected entities without any supplied values (REP-9). */
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
        return this.writer.customValues.shown(entity, completed[index]);
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

/** The restrictions that the schema defines for a resource. */
export interface RepositoryRules<Properties = never> {
  /** STA: checks with the state names of this version (VER-2). Defaults to the checks of the entity. */
  readonly states?: StateChecks<Properties>;
  /** AUT-2: the access rules of the resource. Defaults to open access. */
  readonly access?: AccessRules;
  /** AUT-2: the guard of children whose deletion needs more than the right to delete the parent. Defaults to none. */
  readonly children?: ChildGuard;
  /** REP-7: filters of the entities that this resource contains. Defaults to all entities. */
  readonly where?: (asking: Asking) => readonly Filter[];
  /** REP-7: the names that clients use, by stored names. Defaults to the stored names. */
  readonly names?: Readonly<Record<string, string>>;
  /** OPS-10: requires `If-Match` for every change. Defaults to optional. */
  readonly ifMatch?: "required";
  /** OPS-10: names the conversion of a row to a body. Absent if the body shows more than its row: then its tag has a digest. */
  readonly shape?: string;
  /** VER-2: the version whose clients write. Absent if nothing is converted, and for custom code. */
  readonly version?: string;
}

/** The rules for custom code that uses the entities. */
export interface ServiceRules<Properties = never> extends RepositoryRules<Properties> {
  /** AUT-2: the references whose targets have access rules. Defaults to the references of the entity. */
  readonly references?: References;
  /** AUT-2: the check of a new entity's parent. Defaults to any parent. */
  readonly parent?: ParentCheck;
}

/** Checks whether a new child may have the parent that it names. Throws 403. */
export type ParentCheck = (
  resolved: ResolvedReferences<References>,
  context: RequestContext,
) => Promise<void>;

/** The rules of the states of an entity (STA). Each check throws 409. */
export interface StateChecks<Properties> {
  /** The property that holds the state. */
  readonly property: string;
  stateOf(properties: Properties): string;
  checkCreate(next: Properties): void;
  checkTransition(stored: Properties, next: Properties): void;
  checkUpdate(stored: Properties): void;
  checkDelete(stored: Properties): void;
  checkAction(stored: Properties, allowed: readonly string[]): void;
  /** Returns `next` in the state of `stored`. */
  keepState(next: Properties, stored: Properties): Properties;
}

/** Returns the rights to delete children with their parent (AUT-2). Throws 401 or 403 if a child may not be deleted. */
export type ChildGuard = <Entity extends CommonFields & Properties, Properties>(
  store: EntityStore<Entity, Properties>,
  entity: Entity,
  context: RequestContext,
) => Promise<ChildRights>;
