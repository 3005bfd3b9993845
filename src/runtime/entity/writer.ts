// Prepares the creation, change and deletion of entities, with rules and hooks.

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

/** An entity after and before a change. */
export interface Changed<Entity> {
  readonly changed: Stored<Entity>;
  readonly previous: Entity;
}

interface Update<Entity, Properties> {
  readonly stored: Stored<Entity>;
  readonly read: Properties;
  /** The ending of an action, for which no state forbids a write (OPS-11). Null for PUT and PATCH. */
  readonly action: Ending | null;
}

/** Prepares changes of the entities of one resource: checks access, rules and states, and runs hooks. A unit writes them. */
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

  /** OPS-12: checks that the caller may still create the entity. Throws 401, 403, and 404 for a parent that is not visible. */
  async checkCreate(decide: () => Decided<Properties>, { context }: HttpCall): Promise<void> {
    checkEntry(this.access, "create", false, context.caller);
    await this.authorize("create", null, context);
    try {
      await decide();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 400;
      // If the entity was deleted with its parent, a 404 is expected. Other errors do not concern the rights of the caller.
      const made = context.kept?.reply.location?.split("/").at(-1) ?? "";
      const isGone = status === 404 && (await this.parts.store.find(made)) === null;
      if ([401, 403, 404].includes(status) && !isGone) throw error;
    }
  }

  /** Creates an entity that `decide` reads from the body. Synchronous if no hook and no lookup takes part. */
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

  /** Changes an entity to the result of `decide`. Writes nothing if both are equal (ENT-4). Throws 404, 412, 428. */
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
    // After a lost race, the next attempt finds another revision here.
    checkPreconditions(stored.revision, headers, this.isMatchRequired);
    const read = await this.read(() => decide(entity), entity, context);
    this.checkState(entity, read);
    return this.update({ stored, read, action: null }, context, unit);
  }

  /** Deletes an entity. Throws 404, 412, 428, 403 if its children may not be deleted (AUT-2), and 409 if it is in use (CHD-4). */
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
    // Earlier changes of the unit may remove the reference, so the commit decides.
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

  /** Runs `beforeUpdate`, and prepares the result as one change. Prepares nothing if the entity stays equal. */
  protected async update(
    { stored, read, action }: Update<Entity, Properties>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<Changed<Entity>> {
    const { hooks, store } = this.parts;
    const { entity } = stored;
    let next = read;
    if (hooks.beforeUpdate) {
      // Copies, because a hook may change both in place.
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
    // A lock changes only the revision.
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

  /** Returns an entity with the changes that custom code made through services. Throws `OwnCodeFault` after a deletion. */
  private asLeft(made: Stored<Entity>, unit: UnitOfWork): Stored<Entity> {
    const { store } = this.parts;
    const left = unit.pendingOf<Entity>(store, store.table.identify(made.entity));
    if (left === null) throw this.changedElsewhere("is deleted through services");
    return this.leftBy(left ?? made, unit);
  }

  /** Clears references to entities that custom code deleted after the read. Throws `OwnCodeFault` if one cannot be cleared. */
  private withoutDeleted(read: Properties, unit: UnitOfWork): Properties {
    if (!unit.hasDeletions) return read;
    const { references, store } = this.parts;
    const { properties, issues } = withoutDeleted(read, references, unit);
    if (issues.length > 0) throw new OwnCodeFault(`custom code of ${store.table.name}`, issues);
    return properties;
  }

  /** Locks an entity that the caller may read, until this unit is written. Throws 404. */
  async lock(id: string, context: RequestContext, unit: UnitOfWork): Promise<Entity> {
    const { store } = this.parts;
    // First: until this unit owns the lock, another request may change the entity.
    await unit.locks.lock({ locks: store.locks, id });
    const stored = await this.look(id, context);
    await this.authorize("read", stored.entity, context);
    // Nothing below waits, so a concurrent call finds the entity locked.
    if (unit.pendingOf(store, id) === undefined) {
      // The lock is written before the deletions of this part, so only the root's changes count.
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

  /** Returns the entity with its revision after the event, or unchanged if no version has the event. */
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

  /** VER-2: refuses a change that another version cannot show. Throws 400. */
  private checkShown(next: Properties, stored: Properties | null): void {
    const { older } = this.parts;
    if (older === undefined) return;
    const { version = null } = this.rules;
    refuseIssues(unshownIssues(older, { next, stored, version }), this.names);
  }

  /** STA: checks the states. A change without an effect is never refused (ENT-4). */
  private checkState(stored: Entity, next: Properties): void {
    const { store } = this.parts;
    const { states } = this;
    if (states === null) return;
    states.checkTransition(stored, next);
    if (!store.isSame(stored, states.keepState(next, stored))) states.checkUpdate(stored);
  }

  /** Most entities have neither hook. */
  private get isFollowed(): boolean {
    const { beforeCommit, afterCommit } = this.parts.hooks;
    return beforeCommit !== undefined || afterCommit !== undefined;
  }

  /** Runs `beforeCommit`, and queues `afterCommit`. */
  private async conclude(
    change: Change<Entity>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<void> {
    const { hooks, store, contextOf } = this.parts;
    // Changes that a hook makes to this copy do not reach the response.
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
