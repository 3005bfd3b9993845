import { checkChange, OPEN, visibleFilters, type AccessRules, checkEntry } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { runCustom, OwnCodeFault } from "../base/custom-code.js";
import { entityNotFound, forbidden, ApiError, inUse } from "../base/errors.js";
import { checkPreconditions } from "../http/conditional.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall } from "../http/routes.js";
import { InvalidBody } from "../input/bodies.js";
import type { Filter } from "../query/query.js";
import { isUnfiltered, tenantFilter } from "../query/tenant.js";
import type { EventOf } from "../store/entity-events.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import {
  filledByCode,
  filledIfPossible,
  fillPairs,
  withFilledNames,
  type StoredPair,
} from "./conversion.js";
import { CustomValues, type ActionEnding } from "./custom-values.js";
import type { EntityParts } from "./entity-service.js";
import { type Later, type Operation, runValidators, type Change } from "./hooks.js";
import { inShownNames, type PropertyNames, BusinessRules, refuseIssues } from "./problems.js";
import { withFreshEmbeds, afterDeletions, withoutDeleted } from "./references.js";
import type { RepositoryRules, StateChecks } from "./repository.js";

const NO_NAMES: PropertyNames = {};

interface Update<Entity, Properties> {
  readonly stored: Stored<Entity>;
  readonly read: Properties;
  /** The ending of an action, which also changes entities whose state forbids an update (OPS-11). Null for PUT and PATCH. */
  readonly action: ActionEnding | null;
}

/**
 * Prepares changes of the entities of one resource: finds entities that the caller may see or change (AUT-2), reads bodies, runs
 * the business rules (ERR-4), states and hooks. A unit of work writes the changes.
 */
export class EntityWriter<Entity extends CommonFields & Properties, Properties> {
  readonly customValues: CustomValues<Entity, Properties>;
  protected readonly states: StateChecks<Properties> | null;
  private readonly access: AccessRules;
  private readonly names: PropertyNames;
  private readonly conflictNames: PropertyNames;
  private readonly pairs: readonly StoredPair[];
  /** The version whose clients write. Null means custom code. */
  private readonly version: string | null;
  private readonly isMatchRequired: boolean;

  constructor(
    protected readonly parts: EntityParts<Entity, Properties>,
    private readonly rules: RepositoryRules<Properties>,
  ) {
    this.customValues = new CustomValues(parts);
    this.states = rules.states ?? parts.states;
    this.access = rules.access ?? OPEN;
    const { names = NO_NAMES, version = null } = rules;
    this.pairs = parts.conversions ?? [];
    this.version = version;
    this.conflictNames = withFilledNames(this.pairs, names, version, true);
    this.names = withFilledNames(this.pairs, names, version);
    this.isMatchRequired = rules.ifMatch === "required";
  }

  /** AUT-2, REP-7: returns the filters of the entities of this resource that the caller may read. Null means that none is. */
  visibilityFilters(context: RequestContext): readonly Filter[] | null {
    const visible = visibleFilters(this.access, context);
    if (visible === null) return visible;
    const { hasTenant = false } = this.parts.store.table;
    const within = hasTenant ? [tenantFilter(context.caller), ...visible] : visible;
    return this.rules.where === undefined ? within : [...within, ...this.rules.where(context)];
  }

  /** Returns an entity that the caller may read, with the pending changes of the unit. Throws 404. */
  readVisible(id: string, context: RequestContext, isAnswered = false): Promise<Stored<Entity>> {
    const { store } = this.parts;
    const { caller, unit } = context;
    const pending = unit?.pendingOf<Entity>(store, id);
    const shown = this.visibilityFilters(context);
    const lacking = (): ApiError => entityNotFound(store.table.entityType, id);
    if (pending === null || shown === null) return Promise.reject(lacking());
    const isOpen =
      shown.length === 0 || isUnfiltered(shown) || unit?.isCreatedBy(store, id, caller) === true;
    if (pending !== undefined && isOpen)
      return Promise.resolve(this.withPendingChanges(pending, unit));
    // The stored entity decides whether others may read a pending change.
    return store.findStored(id, shown, isAnswered).then((found) => {
      if (found === null) throw lacking();
      return this.withPendingChanges(pending ?? unit?.snapshot(store, id, found) ?? found, unit);
    });
  }

  /**
   * Applies a unit's changes of other entities: updates embedded values (REP-4), and clears references to deleted entities,
   * which makes another revision (CHD-4).
   */
  protected withPendingChanges(made: Stored<Entity>, unit: UnitOfWork | null): Stored<Entity> {
    const { references, store } = this.parts;
    if (unit?.hasOthers(store, store.table.identify(made.entity)) !== true) return made;
    const left = afterDeletions(made, references, unit);
    return { ...left, entity: withFreshEmbeds(left.entity, references, unit) };
  }

  /** Runs the `authorize` hook, except for unrestricted callers. */
  async authorize(
    operation: Operation,
    entity: Entity | null,
    context: RequestContext,
  ): Promise<void> {
    const { hooks } = this.parts;
    if (hooks.authorize === undefined || context.caller.isUnrestricted === true) return;
    await this.runNamed("authorize", () =>
      hooks.authorize?.(operation, entity, this.parts.contextOf(context)),
    );
  }

  /** Runs custom code of this entity, and renames the properties in its errors to the names that clients use. */
  protected async runNamed<T>(name: string, work: () => Later<T>): Promise<T> {
    const code = `${name} of ${this.parts.store.table.name}`;
    return runCustom(code, async () => {
      try {
        return await work();
      } catch (error) {
        throw inShownNames(error, this.names);
      }
    });
  }

  /** AUT-2: finds an entity to change. Throws 404 if the caller may not read it, and 403 if the caller may only read it. */
  protected async find(
    id: string,
    operation: "update" | "delete",
    context: RequestContext,
    access: AccessRules = this.access,
  ): Promise<Stored<Entity>> {
    const { store } = this.parts;
    const stored = await this.readVisible(id, context);
    const asked = checkChange(access, operation, stored.entity, context);
    if (asked.length === 0 || context.unit?.isCreatedBy(store, id, context.caller)) return stored;
    if ((await store.of(context.caller).find(id, asked)) === null) throw forbidden();
    return stored;
  }

  /** Reads a body, and runs the business rules: their problems are reported with those of the schema (ERR-4). */
  protected readBody(
    decide: () => Later<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Later<Properties> {
    return this.parts.hooks.validate === undefined
      ? this.readConverted(decide, stored)
      : this.readValidated(decide, stored, context);
  }

  private async readValidated(
    decide: () => Later<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    let read: Properties;
    try {
      read = await this.readConverted(decide, stored);
    } catch (error) {
      if (!(error instanceof InvalidBody) || error.read === null) throw error;
      const { fields, read: next } = error;
      const write = { next, before: [stored], version: this.version };
      const filled = { fields, read: filledIfPossible<unknown>(this.pairs, write) as object };
      const rules = BusinessRules.ofInvalid<Properties>(filled, this.names);
      return this.runValidators(rules, stored, context);
    }
    return this.validated(read, stored, context);
  }

  /** Runs the business rules on changed properties. Throws 400. */
  protected async validated(
    next: Properties,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    const { hooks, store } = this.parts;
    if (hooks.validate === undefined) return next;
    // ENT-4: a change without an effect is never refused.
    if (stored !== null && store.isSame(stored, next)) return next;
    return this.runValidators(BusinessRules.of(next, this.names), stored, context);
  }

  private async runValidators(
    rules: BusinessRules<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    const { hooks, store, contextOf } = this.parts;
    await runCustom(`validate of ${store.table.name}`, async () =>
      runValidators(hooks, rules, stored, contextOf(context)),
    );
    rules.finish();
    return rules.next;
  }

  /** Reads a body, and fills what its version does not show (VER-2). */
  private readConverted(decide: () => Later<Properties>, stored: Entity | null): Later<Properties> {
    if (this.pairs.length === 0) return decide();
    return Promise.resolve(decide()).then((next: Properties) =>
      fillPairs(this.pairs, { next, before: [stored], version: this.version }, (issues) =>
        refuseIssues(issues, this.names),
      ),
    );
  }

  /** Fills the form that a hook or an action does not write (VER-2). */
  private filled(code: string, next: Properties, before: readonly Properties[]): Properties {
    return filledByCode(this.pairs, { next, before }, `${code} of ${this.parts.store.table.name}`);
  }

  /** OPS-12: checks that the caller may still create the entity. Throws 401, 403, and 404 for a parent that is not visible. */
  async checkCreate(decide: () => Later<Properties>, { context }: HttpCall): Promise<void> {
    checkEntry(this.access, "create", false, context.caller);
    await this.authorize("create", null, context);
    try {
      await decide();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 400;
      // If the entity was deleted with its parent, a 404 is expected. Other errors do not concern the rights of the caller.
      const made = context.kept?.reply.location?.split("/").at(-1) ?? "";
      const isGone =
        status === 404 && (await this.parts.store.of(context.caller).find(made)) === null;
      if ([401, 403, 404].includes(status) && !isGone) throw error;
    }
  }

  /** Creates an entity that `decide` reads from the body. Synchronous without hooks, lookups and conversions. */
  create(
    decide: () => Later<Properties>,
    { context }: HttpCall,
    unit: UnitOfWork,
  ): Later<Stored<Entity>> {
    const { authorize, beforeCreate } = this.parts.hooks;
    checkEntry(this.access, "create", false, context.caller);
    if (authorize !== undefined || beforeCreate !== undefined || this.hasCommitHooks)
      return this.createWithHooks(decide, context, unit);
    const insert = (read: Properties): Stored<Entity> => {
      this.states?.checkCreate(read);
      return this.latest(this.insert(read, context, unit), unit);
    };
    const read = this.readBody(decide, null, context);
    return read instanceof Promise ? read.then(insert) : insert(read);
  }

  private async createWithHooks(
    decide: () => Later<Properties>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<Stored<Entity>> {
    const { hooks } = this.parts;
    if (hooks.authorize) await this.authorize("create", null, context);
    const read = await this.readBody(decide, null, context);
    this.states?.checkCreate(read);
    let properties: Properties = read;
    if (hooks.beforeCreate) {
      const draft = structuredClone(read);
      const written = await this.runHook(unit, "beforeCreate", async () =>
        hooks.beforeCreate?.(draft, this.parts.contextOf(context)),
      );
      const write = { hook: "beforeCreate", written: written ?? draft, before: read, stored: null };
      const own: Properties = await this.customValues.read(write, context);
      properties = this.filled("beforeCreate", own, [read]);
    }
    const pending = this.insert(properties, context, unit);
    if (this.hasCommitHooks) {
      const { entity } = this.withPendingChanges(pending, unit);
      await this.runCommitHooks({ kind: "created", entity, previous: null }, context, unit);
    }
    return this.latest(pending, unit);
  }

  private insert(
    properties: Properties,
    context: RequestContext,
    unit: UnitOfWork,
  ): Stored<Entity> {
    const { store } = this.parts;
    const next = this.withoutDeleted(properties, unit);
    const pending = store.prepareInsertion(next, context);
    const id = store.table.identify(pending.entity);
    unit.put(store, id, pending, { names: this.conflictNames, creator: context.caller });
    return pending;
  }

  /**
   * Changes an entity to the result of `decide`. Writes nothing if both are equal (ENT-4). Throws 404 and 403, 412 and 428,
   * 400, and 409 for a wrong state, in this order.
   */
  async change(
    decide: (stored: Entity) => Later<Properties>,
    call: HttpCall,
    unit: UnitOfWork,
  ): Promise<Stored<Entity>> {
    const { context, headers } = call;
    const stored = await this.find(call.id, "update", context);
    const { entity } = stored;
    if (this.parts.hooks.authorize)
      await this.authorize(call.method === "PUT" ? "replace" : "update", entity, context);
    // After a lost race, the next attempt finds another revision here.
    checkPreconditions(stored.revision, headers, this.isMatchRequired);
    const read = await this.readBody(() => decide(entity), entity, context);
    this.checkState(entity, read);
    return this.update({ stored, read, action: null }, context, unit);
  }

  /**
   * Deletes an entity. Throws 404, 403 for the entity or its children (AUT-2), 412 and 428, and 409 for a wrong state or an
   * entity in use (CHD-4), in this order.
   */
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
    const left = this.latest(stored, unit);
    const deletion = { ...store.deletion(left, context, rights), inUse: refusal };
    unit.remove(store, id, deletion, this.conflictNames);
    if (this.hasCommitHooks) {
      await this.runCommitHooks({ kind: "deleted", entity, previous: entity }, context, unit);
    }
  }

  /** Runs `beforeUpdate`, and prepares the result as one change. Prepares nothing if the entity stays equal. */
  protected async update(
    { stored, read, action }: Update<Entity, Properties>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<Stored<Entity>> {
    const { hooks, store } = this.parts;
    const { entity } = stored;
    let next = action === null ? read : this.filled("the action", read, [entity]);
    if (hooks.beforeUpdate) {
      // Copies, because a hook may change both in place.
      const draft = structuredClone(next);
      const before = structuredClone(entity);
      const written = await this.runHook(unit, "beforeUpdate", async () =>
        hooks.beforeUpdate?.(draft, before, this.parts.contextOf(context)),
      );
      const write = { hook: "beforeUpdate", written: written ?? draft, before: next, action };
      const own = await this.customValues.read({ ...write, stored: entity }, context);
      next = this.filled("beforeUpdate", own, [next, entity]);
    }
    const seen = this.withPendingChanges(stored, unit);
    const left = this.latest(stored, unit);
    // A lock changes only the revision.
    const isSame = left === seen || store.isSame(left.entity, seen.entity);
    const base = isSame ? left : seen;
    const written = this.withoutDeleted(next, unit);
    const pending = store.prepareChange(base, written, context);
    if (pending === null) return left;
    if (!isSame) throw this.changedElsewhere("is changed through services as well");
    unit.put(store, store.table.identify(entity), pending, {
      names: this.conflictNames,
      creator: null,
    });
    if (this.hasCommitHooks) {
      const { entity: made } = this.withPendingChanges(pending, unit);
      await this.runCommitHooks({ kind: "updated", entity: made, previous: entity }, context, unit);
    }
    return this.latest(pending, unit);
  }

  /** Returns an entity with the changes that custom code made through services. Throws `OwnCodeFault` after a deletion. */
  private latest(made: Stored<Entity>, unit: UnitOfWork): Stored<Entity> {
    const { store } = this.parts;
    const left = unit.pendingOf<Entity>(store, store.table.identify(made.entity));
    if (left === null) throw this.changedElsewhere("is deleted through services");
    return this.withPendingChanges(left ?? made, unit);
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
    const stored = await this.readVisible(id, context);
    await this.authorize("read", stored.entity, context);
    // Nothing below waits, so a concurrent call finds the entity locked.
    if (unit.pendingOf(store, id) === undefined) {
      // The lock is written before the deletions of this part, so only the root's changes count.
      const found = this.withPendingChanges(unit.snapshot(store, id, stored), unit.root);
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
    const stored = await this.readVisible(id, context);
    await this.authorize("read", stored.entity, context);
    this.emitOf(stored, eventOf, unit);
  }

  /** Returns the entity with its revision after the event, or unchanged if no version has the event. */
  protected emitOf(made: Stored<Entity>, eventOf: EventOf, unit: UnitOfWork): Stored<Entity> {
    const { store } = this.parts;
    const left = this.latest(made, unit);
    const pending = store.emission(left, eventOf);
    if (pending === null) return left;
    unit.put(store, store.table.identify(left.entity), pending, {
      names: this.conflictNames,
      creator: null,
    });
    return this.latest(pending, unit);
  }

  private changedElsewhere(message: string): OwnCodeFault {
    const { table } = this.parts.store;
    return new OwnCodeFault(`custom code of ${table.name}`, [{ field: table.idProperty, message }]);
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
  private get hasCommitHooks(): boolean {
    const { beforeCommit, afterCommit } = this.parts.hooks;
    return beforeCommit !== undefined || afterCommit !== undefined;
  }

  /** Runs `beforeCommit`, and queues `afterCommit`. */
  private async runCommitHooks(
    change: Change<Entity>,
    context: RequestContext,
    unit: UnitOfWork,
  ): Promise<void> {
    const { hooks, store, contextOf } = this.parts;
    // Changes that a hook makes to this copy do not reach the response.
    const copy = structuredClone(change);
    if (hooks.beforeCommit) {
      await this.runHook(unit, "beforeCommit", async () =>
        hooks.beforeCommit?.(copy, contextOf(context)),
      );
    }
    if (hooks.afterCommit === undefined) return;
    const code = `afterCommit of ${store.table.name}`;
    unit.announcements.push(async () => {
      try {
        await runCustom(code, async () =>
          hooks.afterCommit?.(copy, contextOf(context.afterwards())),
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
