// Finds entities within the access of the caller, and reads new values for them.

import { checkChange, OPEN, visibleFilters, type AccessRules } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { runCustom } from "../base/custom-code.js";
import { entityNotFound, forbidden, type ApiError } from "../base/errors.js";
import type { RequestContext } from "../http/request.js";
import { InvalidBody } from "../input/bodies.js";
import type { Filter } from "../query/query.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import { OwnWrites } from "./custom-values.js";
import { type Later, type Operation, askRules } from "./hooks.js";
import { inShownNames, type PropertyNames, BusinessRules } from "./problems.js";
import { embeddedAnew } from "./references.js";
import { afterDeletions } from "./released-references.js";
import type { RepositoryRules } from "./repository.js";
import type { EntityParts } from "./service.js";

const NO_NAMES: PropertyNames = {};

/** Finds the entities of one resource that a caller may see or change (AUT-2). */
class EntityAccess<Entity extends CommonFields & Properties, Properties> {
  protected readonly access: AccessRules;
  protected readonly names: PropertyNames;

  constructor(
    protected readonly parts: EntityParts<Entity, Properties>,
    protected readonly rules: RepositoryRules<Properties>,
  ) {
    this.access = rules.access ?? OPEN;
    this.names = rules.names ?? NO_NAMES;
  }

  /** AUT-2, REP-7: returns the filters of the entities that are visible here for this caller. Null means that none is. */
  shownPart(context: RequestContext): readonly Filter[] | null {
    const visible = visibleFilters(this.access, context);
    if (visible === null || this.rules.where === undefined) return visible;
    return [...visible, ...this.rules.where(context)];
  }

  /** Returns an entity that the caller may read, with the pending changes of the unit. Throws 404. */
  look(id: string, context: RequestContext, isAnswered = false): Promise<Stored<Entity>> {
    const { store } = this.parts;
    const { unit, subject } = context;
    const pending = unit?.pendingOf<Entity>(store, id);
    const shown = this.shownPart(context);
    const lacking = (): ApiError => entityNotFound(store.table.entityType, id);
    if (pending === null || shown === null) return Promise.reject(lacking());
    const isOpen = shown.length === 0 || unit?.isCreatedBy(store, id, subject) === true;
    if (pending !== undefined && isOpen) return Promise.resolve(this.leftBy(pending, unit));
    // The stored entity decides whether others may read a pending change.
    return store.findStored(id, shown, isAnswered).then((found) => {
      if (found === null) throw lacking();
      return this.leftBy(pending ?? unit?.snapshot(store, id, found) ?? found, unit);
    });
  }

  /**
   * Applies a unit's changes of other entities: updates embedded values (REP-4), and clears references to deleted entities,
   * which makes another revision (CHD-4).
   */
  protected leftBy(made: Stored<Entity>, unit: UnitOfWork | null): Stored<Entity> {
    const { references, store } = this.parts;
    if (unit?.hasOthers(store, store.table.identify(made.entity)) !== true) return made;
    const left = afterDeletions(made, references, unit);
    return { ...left, entity: embeddedAnew(left.entity, references, unit) };
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
    const stored = await this.look(id, context);
    const asked = checkChange(access, operation, stored.entity, context);
    if (asked.length === 0 || context.unit?.isCreatedBy(store, id, context.subject)) return stored;
    if ((await store.find(id, asked)) === null) throw forbidden();
    return stored;
  }
}

/** The properties in a body, or a promise of them if references are looked up. */
export type Decided<Properties> = Properties | Promise<Properties>;

/** Reads changes of the entities of one resource, and runs the business rules (ERR-4). */
export class EntityReading<
  Entity extends CommonFields & Properties,
  Properties,
> extends EntityAccess<Entity, Properties> {
  readonly ownWrites: OwnWrites<Entity, Properties>;

  constructor(parts: EntityParts<Entity, Properties>, rules: RepositoryRules<Properties>) {
    super(parts, rules);
    this.ownWrites = new OwnWrites(parts);
  }

  /** Reads a body, and runs the business rules: their problems are reported with those of the schema (ERR-4). */
  protected read(
    decide: () => Decided<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Decided<Properties> {
    return this.parts.hooks.validate === undefined
      ? this.decided(decide, stored)
      : this.readAllowed(decide, stored, context);
  }

  private async readAllowed(
    decide: () => Decided<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    let read: Properties;
    try {
      read = await this.decided(decide, stored);
    } catch (error) {
      if (!(error instanceof InvalidBody) || error.read === null) throw error;
      const rules = BusinessRules.ofInvalid<Properties>(error, this.names);
      return this.askRules(rules, stored, context);
    }
    return this.allowed(read, stored, context);
  }

  /** Runs the business rules on changed properties. Throws 400. */
  protected async allowed(
    next: Properties,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    const { hooks, store } = this.parts;
    if (hooks.validate === undefined) return next;
    // ENT-4: a change without an effect is never refused.
    if (stored !== null && store.isSame(stored, next)) return next;
    return this.askRules(BusinessRules.of(next, this.names), stored, context);
  }

  private async askRules(
    rules: BusinessRules<Properties>,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    const { hooks, store, contextOf } = this.parts;
    await runCustom(`validate of ${store.table.name}`, async () =>
      askRules(hooks, rules, stored, contextOf(context)),
    );
    rules.finish();
    return rules.next;
  }

  /** Reads a body. Checks the result if custom code converted some of it (REP-9). */
  private decided(decide: () => Decided<Properties>, stored: Entity | null): Decided<Properties> {
    const { converts } = this.rules;
    if (converts === undefined) return decide();
    return Promise.resolve(decide()).then((made) => {
      const isKept = (name: string): boolean =>
        Reflect.get(Object(made), name) === Reflect.get(Object(stored), name);
      if (stored !== null && converts.every(isKept)) return made;
      return this.ownWrites.given(made, stored, "the conversion");
    });
  }
}
