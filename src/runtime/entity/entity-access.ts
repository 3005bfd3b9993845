import { checkChange, OPEN, visibleFilters, type AccessRules } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { runCustom } from "../base/custom-code.js";
import { entityNotFound, forbidden, type ApiError } from "../base/errors.js";
import type { RequestContext } from "../http/request-context.js";
import type { Filter } from "../query/query.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import { embeddedAnew } from "./embedded-anew.js";
import type { EntityParts } from "./entity-parts.js";
import type { Later, Operation } from "./hooks.js";
import { afterDeletions } from "./let-go.js";
import { inShownNames, type PropertyNames } from "./problems.js";
import type { RepositoryRules } from "./repository-rules.js";

const NO_NAMES: PropertyNames = {};

/** Finds the entities of one resource, as far as a caller may see or change them (AUT-2). */
export class EntityAccess<Entity extends CommonFields & Properties, Properties> {
  protected readonly access: AccessRules;
  protected readonly names: PropertyNames;

  constructor(
    protected readonly parts: EntityParts<Entity, Properties>,
    protected readonly rules: RepositoryRules<Properties>,
  ) {
    this.access = rules.access ?? OPEN;
    this.names = rules.names ?? NO_NAMES;
  }

  /** AUT-2, REP-7: the filters of what there is here for this caller; null where that is nothing. */
  shownPart(context: RequestContext): readonly Filter[] | null {
    const visible = visibleFilters(this.access, context);
    if (visible === null || this.rules.where === undefined) return visible;
    return [...visible, ...this.rules.where(context)];
  }

  /** An entity that the caller may read, as the unit that is being prepared has seen or made it. Throws 404. */
  look(id: string, context: RequestContext, isAnswered = false): Promise<Stored<Entity>> {
    const { store } = this.parts;
    const { unit, subject } = context;
    const pending = unit?.pendingOf<Entity>(store, id);
    const shown = this.shownPart(context);
    const lacking = (): ApiError => entityNotFound(store.table.entityType, id);
    if (pending === null || shown === null) return Promise.reject(lacking());
    const isOpen = shown.length === 0 || unit?.isCreatedBy(store, id, subject) === true;
    if (pending !== undefined && isOpen) return Promise.resolve(this.leftBy(pending, unit));
    // Whether others may read what is being changed follows from what is stored.
    return store.findStored(id, shown, isAnswered).then((found) => {
      if (found === null) throw lacking();
      return this.leftBy(pending ?? unit?.snapshot(store, id, found) ?? found, unit);
    });
  }

  /**
   * An entity as a unit leaves it: it embeds what the unit makes of others (REP-4), and has let go of what that deletes,
   * which is another revision (CHD-4).
   */
  protected leftBy(made: Stored<Entity>, unit: UnitOfWork | null): Stored<Entity> {
    const { references, store } = this.parts;
    if (unit?.hasOthers(store, store.table.identify(made.entity)) !== true) return made;
    const left = afterDeletions(made, references, unit);
    return { ...left, entity: embeddedAnew(left.entity, references, unit) };
  }

  /** The service's own access rules. */
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

  /** Custom code of this entity; the properties that its error names are those that clients know. */
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

  /** AUT-2: what the caller may not even read is not there; what may be read only is refused with 403. */
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
