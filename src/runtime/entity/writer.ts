import { checkEntry } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { runCustom, OwnCodeFault } from "../base/custom-code.js";
import { ApiError, inUse } from "../base/errors.js";
import { checkPreconditions } from "../http/conditional.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall } from "../http/routes.js";
import type { EventOf } from "../store/entity-events.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import { unshownIssues } from "./conversion.js";
import type { Ending } from "./custom-values.js";
import type { Change, Later } from "./hooks.js";
import { refuseIssues } from "./problems.js";
import { EntityReading, type Decided } from "./reader.js";
import { withoutDeleted } from "./released-references.js";
import type { RepositoryRules, StateChecks } from "./repository.js";
import type { EntityParts } from "./service.js";

/** An entity after a change and before it: the very same where nothing changes. */
export interface Changed<Entity> {
  readonly changed: Stored<Entity>;
  readonly previous: Entity;
}

/** An update on its way. */
interface Update<Entity, Properties> {
  readonly stored: Stored<Entity>;
  readonly read: Properties;
  /** Of an action: no state forbids what its code writes (OPS-11); null: of a PUT or a PATCH. */
  readonly action: Ending | null;
}

/** Prepares changes of the entities of one resource: access, rules, states, hooks. What it prepares, a unit writes. */
export class EntityChanges<
  Entity extends CommonFields & Properties,
  Properties,
> extends EntityReading<Entity, Properties> {
  private readonly isMatchRequired: boolean;
  protected readonly states: StateChecks<Properties> | null;

  constructor(parts: EntityParts<Entity, Properties>, rules: RepositoryRules<Properties>) {
    super(parts, rules);
    this.isMatchRequired = rules.ifMatch === "required";
    this.states = rules.states ?? parts.states;
  }

  /** OPS-12: whether the caller may still do what they did. Throws 401, 403, and 404 for a parent that they may not see. */
  async checkCreate(decide: () => Decided<Properties>, { context }: HttpCall): Promise<void> {
    checkEntry(this.access, "create", false, context.caller);
    await this.authorize("create", null, context);
    try {
      await decide();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 400;
      // A parent that is gone has taken its child with it; what else has changed is not about this caller.
      const made = context.kept?.reply.location?.split("/").at(-1) ?? "";
      const isGone = status === 404 && (await this.parts.store.find(made)) === null;
      if ([401, 403, 404].includes(status) && !isGone) throw error;
    }
  }

  /** A new entity, which `decide` reads from the body: at once where neither own code nor another entity is asked. */
  create(
    decide: () => Decided<Properties>,
    { context }: HttpCall,
    unit: UnitOfWork,
  ): Later<Stored<Entity>> {
    const { authorize, beforeCreate } = this.parts.hooks;
    checkEntry(this.access, "create", false, context.caller);
    if (authorize !== undefined || beforeCreate !== undefined || this.isFollowed)
      return this.createByOwnCode(decide, context, unit);
    const insert = (read: Properties): Stored<Entity> => {
      this.states?.checkCreate(read);
      return this.asLeft(this.insert(read, context, unit), unit);
    };
    const read = this.read(decide, null, context);
    return read instanceof Promise ? read.then(insert) : insert(read);
  }

  /** Creates an entity with hooks. */
  private async createByOwnCode(
    decide: () => Decided<Properties>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<Stored<Entity>> {
    const { hooks } = this.parts;
    if (hooks.authorize) await this.authorize("create", null, context);
    const read = await this.read(decide, null, context);
    this.states?.checkCreate(read);
    let properties = read;
    if (hooks.beforeCreate) {
      const draft = structuredClone(read);
      const written = await this.runHook(unit, "beforeCreate", async () =>
        hooks.beforeCreate?.(draft, this.parts.contextOf(context)),
      );
      const write = { hook: "beforeCreate", written: written ?? draft, before: read, stored: null };
      properties = await this.ownWrites.read(write, context);
    }
    const pending = this.insert(properties, context, unit);
    if (this.isFollowed) {
      const { entity } = this.leftBy(pending, unit);
      await this.conclude({ kind: "created", entity, previous: null }, context, unit);
    }
    return this.asLeft(pending, unit);
  }

  private insert(
    properties: Properties,
    context: RequestContext,
    unit: UnitOfWork,
  ): Stored<Entity> {
    const { store } = this.parts;
    const next = this.withoutDeleted(properties, unit);
    this.checkShown(next, null);
    const pending = store.prepareInsertion(next, context);
    const id = store.table.identify(pending.entity);
    unit.put(store, id, pending, { names: this.names, creator: context.subject });
    return pending;
  }

  /** What `decide` makes of a stored entity; nothing is written when that is the same (ENT-4). Throws 404, 412, 428. */
  async change(
    decide: (stored: Entity) => Decided<Properties>,
    call: HttpCall,
    unit: UnitOfWork,
  ): Promise<Changed<Entity>> {
    const { context, headers } = call;
    const stored = await this.find(call.id, "update", context);
    const { entity } = stored;
    if (this.parts.hooks.authorize)
      await this.authorize(call.method === "PUT" ? "replace" : "update", entity, context);
    // Whoever loses a race looks again, and finds another revision here.
    checkPreconditions(stored.revision, headers, this.isMatchRequired);
    const read = await this.read(() => decide(entity), entity, context);
    this.checkState(entity, read);
    return this.update({ stored, read, action: null }, context, unit);
  }

  /** Throws 404, 412, 428, 403 for the sake of its children (AUT-2), and 409 where others refer to it (CHD-4). */
  async remove({ id, headers, context }: HttpCall, unit: UnitOfWork): Promise<void> {
    const { hooks, store } = this.parts;
    const stored = await this.find(id, "delete", context);
    const { entity } = stored;
    const rights = await this.rules.children?.(store, entity, context);
    await this.authorize("delete", entity, context);
    checkPreconditions(stored.revision, headers, this.isMatchRequired);
    this.states?.checkDelete(entity);
    const reason = await store.blockerOf(id);
    const refusal = reason === null ? null : inUse(store.table.entityType, reason);
    // What the unit changes before may be what refers to it: its end will tell.
    if (refusal !== null && unit.isEmpty) throw refusal;
    if (hooks.beforeDelete) {
      await this.runHook(unit, "beforeDelete", async () =>
        hooks.beforeDelete?.(entity, this.parts.contextOf(context)),
      );
    }
    const left = this.asLeft(stored, unit);
    const deletion = { ...store.deletion(left, context, rights), inUse: refusal };
    unit.remove(store, id, deletion, this.names);
    if (this.isFollowed) {
      await this.conclude({ kind: "deleted", entity, previous: entity }, context, unit);
    }
  }

  /** What own code makes of an update, as one change; none where that is the same. */
  protected async update(
    { stored, read, action }: Update<Entity, Properties>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<Changed<Entity>> {
    const { hooks, store } = this.parts;
    const { entity } = stored;
    let next = read;
    if (hooks.beforeUpdate) {
      // A hook may change both in place: what is stored must not change with them.
      const draft = structuredClone(read);
      const before = structuredClone(entity);
      const written = await this.runHook(unit, "beforeUpdate", async () =>
        hooks.beforeUpdate?.(draft, before, this.parts.contextOf(context)),
      );
      const write = { hook: "beforeUpdate", written: written ?? draft, before: read, action };
      next = await this.ownWrites.read({ ...write, stored: entity }, context);
    }
    const seen = this.leftBy(stored, unit);
    const left = this.asLeft(stored, unit);
    // A lock has changed nothing but the revision.
    const isSame = left === seen || store.isSame(left.entity, seen.entity);
    const base = isSame ? left : seen;
    const written = this.withoutDeleted(next, unit);
    this.checkShown(written, base.entity);
    const pending = store.prepareChange(base, written, context);
    if (pending === null) return { changed: left, previous: entity };
    if (!isSame) throw this.changedElsewhere("is changed through services as well");
    unit.put(store, store.table.identify(entity), pending, { names: this.names, creator: null });
    if (this.isFollowed) {
      const { entity: made } = this.leftBy(pending, unit);
      await this.conclude({ kind: "updated", entity: made, previous: entity }, context, unit);
    }
    return { changed: this.asLeft(pending, unit), previous: entity };
  }

  /** An entity as own code has left it, which may have changed it through services. Throws `OwnCodeFault` if it has deleted it. */
  private asLeft(made: Stored<Entity>, unit: UnitOfWork): Stored<Entity> {
    const { store } = this.parts;
    const left = unit.pendingOf<Entity>(store, store.table.identify(made.entity));
    if (left === null) throw this.changedElsewhere("is deleted through services");
    return this.leftBy(left ?? made, unit);
  }

  /** What is about to be written may refer to what own code has deleted since it was read. Throws `OwnCodeFault`. */
  private withoutDeleted(read: Properties, unit: UnitOfWork): Properties {
    if (!unit.hasDeletions) return read;
    const { references, store } = this.parts;
    const { properties, issues } = withoutDeleted(read, references, unit);
    if (issues.length > 0) throw new OwnCodeFault(`custom code of ${store.table.name}`, issues);
    return properties;
  }

  /** An entity that the caller may read, which no other unit changes or locks before this one is written. Throws 404. */
  async lock(id: string, context: RequestContext, unit: UnitOfWork): Promise<Entity> {
    const { store } = this.parts;
    // First: what is read before it has the lock may be changed by the request that has it.
    await unit.locks.lock({ locks: store.locks, id });
    const stored = await this.look(id, context);
    await this.authorize("read", stored.entity, context);
    // Whoever asks at the same time finds it locked: nothing is waited for from here on.
    if (unit.pendingOf(store, id) === undefined) {
      // What a part alone has deleted is written after it.
      const found = this.leftBy(unit.snapshot(store, id, stored), unit.root);
      unit.lock(store, id, store.lockOf(found));
    }
    return stored.entity;
  }

  /** Emits an event of an entity that the caller may read (EVT-1). Throws 404. */
  async emit(
    id: string,
    eventOf: EventOf,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<void> {
    const stored = await this.look(id, context);
    await this.authorize("read", stored.entity, context);
    this.emitOf(stored, eventOf, unit);
  }

  /** The entity with the revision that it has after the event; the same where no version has that event. */
  protected emitOf(made: Stored<Entity>, eventOf: EventOf, unit: UnitOfWork): Stored<Entity> {
    const { store } = this.parts;
    const left = this.asLeft(made, unit);
    const pending = store.emission(left, eventOf);
    if (pending === null) return left;
    unit.put(store, store.table.identify(left.entity), pending, {
      names: this.names,
      creator: null,
    });
    return this.asLeft(pending, unit);
  }

  private changedElsewhere(message: string): OwnCodeFault {
    const { table } = this.parts.store;
    return new OwnCodeFault(`custom code of ${table.name}`, [{ field: table.idProperty, message }]);
  }

  /** VER-2: no write makes an answer of another version fail. Throws 400. */
  private checkShown(next: Properties, stored: Properties | null): void {
    const { older } = this.parts;
    if (older === undefined) return;
    const { version = null } = this.rules;
    refuseIssues(unshownIssues(older, { next, stored, version }), this.names);
  }

  /** STA: what changes nothing is never refused (ENT-4). */
  private checkState(stored: Entity, next: Properties): void {
    const { store } = this.parts;
    const { states } = this;
    if (states === null) return;
    states.checkTransition(stored, next);
    if (!store.isSame(stored, states.keepState(next, stored))) states.checkUpdate(stored);
  }

  /** Whether own code follows a change: of most entities none does. */
  private get isFollowed(): boolean {
    const { beforeCommit, afterCommit } = this.parts.hooks;
    return beforeCommit !== undefined || afterCommit !== undefined;
  }

  /** What belongs to the change in the same transaction, and who is told of it afterwards. */
  private async conclude(
    change: Change<Entity>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<void> {
    const { hooks, store, contextOf } = this.parts;
    // What it does to its copy is in no answer.
    const told = structuredClone(change);
    if (hooks.beforeCommit) {
      await this.runHook(unit, "beforeCommit", async () =>
        hooks.beforeCommit?.(told, contextOf(context)),
      );
    }
    if (hooks.afterCommit === undefined) return;
    const code = `afterCommit of ${store.table.name}`;
    unit.announcements.push(async () => {
      try {
        await runCustom(code, async () =>
          hooks.afterCommit?.(told, contextOf(context.afterwards())),
        );
      } catch (error) {
        context.logger.error({ err: error }, `${code} failed`);
      }
    });
  }

  protected async runHook<T>(unit: UnitOfWork, name: string, hook: () => Later<T>): Promise<T> {
    unit.hasCustomCode = true;
    return this.runNamed(name, hook);
  }
}
