import type { CommonFields } from "../base/common-fields.js";
import { runCustom } from "../base/custom-code.js";
import type { RequestContext } from "../http/request-context.js";
import { InvalidBody } from "../input/bodies.js";
import { askRules } from "./ask-rules.js";
import { EntityAccess } from "./entity-access.js";
import type { EntityParts } from "./entity-parts.js";
import { OwnWrites } from "./own-writes.js";
import { BusinessRules } from "./problems.js";
import type { RepositoryRules } from "./repository-rules.js";

/** What a body says: at once, or when what it refers to has been found. */
export type Decided<Properties> = Properties | Promise<Properties>;

/** Reads what becomes of the entities of one resource, and asks the business rules about it (ERR-4). */
export class EntityReading<
  Entity extends CommonFields & Properties,
  Properties,
> extends EntityAccess<Entity, Properties> {
  readonly ownWrites: OwnWrites<Entity, Properties>;

  constructor(parts: EntityParts<Entity, Properties>, rules: RepositoryRules<Properties>) {
    super(parts, rules);
    this.ownWrites = new OwnWrites(parts);
  }

  /** What a body says, and whether business rules allow it: their problems are told with those of the schema (ERR-4). */
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

  /** What business rules allow. Throws 400. */
  protected async allowed(
    next: Properties,
    stored: Entity | null,
    context: RequestContext,
  ): Promise<Properties> {
    const { hooks, store } = this.parts;
    if (hooks.validate === undefined) return next;
    // ENT-4: what changes nothing is never refused.
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

  /** What a body says; where own code has converted it, only what can be kept (REP-9). */
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
