import { checkEntry } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import type { ActionRules } from "../http/action.js";
import type { HttpCall } from "../http/http.js";
import { checkPreconditions } from "../http/preconditions.js";
import type { RequestContext } from "../http/request-context.js";
import type { JsonObject } from "../input/json.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import type { Context } from "./context.js";
import { embeddedAnew } from "./embedded-anew.js";
import { EntityChanges, type Changed } from "./entity-changes.js";
import type { EntityParts } from "./entity-parts.js";
import type { Later } from "./hooks.js";
import { withoutDeleted } from "./let-go.js";
import type { References } from "./references.js";
import type { RepositoryRules } from "./repository-rules.js";

/** What is done by an action on one entity (OPS-11). */
export interface EntityAction<Entity, OwnContext, Input, Result> {
  readonly rules: ActionRules;
  /** Reads a body. Throws 400. */
  readonly read: (body: JsonObject, call: HttpCall) => Later<Input>;
  /** Where the references of a body lead (REP-4); left out: it holds none. */
  readonly references?: References;
  /** Likewise, those of what its code returns. */
  readonly answerReferences?: References;
  /** The state that the action leads to; left out: its own code may lead to another one. */
  readonly enter?: (next: Entity) => void;
  /** The service's own code, which may change `next` in place; it runs again when another request was faster. */
  readonly run: (
    next: Entity,
    input: Input,
    context: OwnContext,
    request: RequestContext,
  ) => Later<Result>;
}

/** What is done by an action on a collection (OPS-11). */
export interface CollectionAction<OwnContext, Input, Result> {
  readonly rules: ActionRules;
  /** Reads a body. Throws 400. */
  readonly read: (body: JsonObject, call: HttpCall) => Later<Input>;
  /** Where the references of a body lead (REP-4); left out: it holds none. */
  readonly references?: References;
  /** The service's own code. */
  readonly run: (input: Input, context: OwnContext, request: RequestContext) => Later<Result>;
}

/** What an action is called, and where its answer leads. */
type Answering = Pick<EntityAction<never, never, never, unknown>, "rules" | "answerReferences">;

/** What an action has made of an entity, and what its code returned. */
export interface Acted<Entity, Result> extends Changed<Entity> {
  readonly result: Result;
}

/** Prepares what actions do: access, body, states, own code. What it prepares, a unit writes. */
export class EntityActions<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
> extends EntityChanges<Entity, Properties> {
  private readonly contextOf: (request: RequestContext) => OwnContext;

  constructor(
    parts: EntityParts<Entity, Properties, OwnContext>,
    rules: RepositoryRules<Properties>,
  ) {
    super(parts, rules);
    this.contextOf = parts.contextOf;
  }

  /**
   * An action on one entity. Throws 404 and 403, 412, 400, and 409 in another state, in this order; 400 as well where
   * business rules refuse what its code has changed.
   */
  async act<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    call: HttpCall,
    unit: UnitOfWork,
  ): Promise<Acted<Entity, Result>> {
    const { id, headers, body, context } = call;
    const { name, access, states } = action.rules;
    const stored = await this.find(id, "update", context, access);
    const { entity } = stored;
    await this.authorize(`action:${name}`, entity, context);
    checkPreconditions(stored.revision, headers, false);
    const input = await action.read(body, call);
    if (states !== undefined) this.states?.checkAction(entity, states);
    const next = structuredClone(entity);
    action.enter?.(next);
    const isLed = action.enter !== undefined && this.states !== null;
    const ending = { leadsTo: isLed ? this.states.stateOf(next) : null };
    const result = await this.runHook(unit, name, async () =>
      action.run(next, input, this.contextOf(context), context),
    );
    const write = { hook: name, written: next, before: entity, stored: entity, action: ending };
    const written = await this.ownWrites.read(write, context);
    const read = await this.allowed(written, entity, context);
    const made = await this.update({ stored, read, action: ending }, context, unit);
    const changed = this.emitOf(made.changed, ({ actions }) => actions?.[name], unit);
    return { ...made, changed, result: this.answered(action, result, unit) };
  }

  /** OPS-12: whether the caller may still do what they did. Throws 404 and 403; 403 alone for an entity that is deleted. */
  async checkAct({ access, name }: ActionRules, { id, context }: HttpCall): Promise<void> {
    if ((await this.parts.store.find(id)) === null) {
      checkEntry(access, "update", false, context.caller);
      return;
    }
    const { entity } = await this.find(id, "update", context, access);
    await this.authorize(`action:${name}`, entity, context);
  }

  /** What its code has returned, as the unit leaves what that refers to: hooks follow. Throws `OwnCodeFault`. */
  private answered<Result>(
    { rules, answerReferences }: Answering,
    result: Result,
    unit: UnitOfWork,
  ): Result {
    if (answerReferences === undefined) return result;
    const { properties, issues } = withoutDeleted(result, answerReferences, unit);
    if (issues.length === 0) return embeddedAnew(properties, answerReferences, unit);
    throw new OwnCodeFault(`${rules.name} of ${this.parts.store.table.name}`, issues);
  }

  /** An action on the collection. Throws 403, then 400. */
  async actOnAll<Input, Result>(
    action: CollectionAction<OwnContext, Input, Result>,
    call: HttpCall,
    unit: UnitOfWork,
  ): Promise<Result> {
    const { body, context } = call;
    await this.authorize(`action:${action.rules.name}`, null, context);
    const input = await action.read(body, call);
    return this.runHook(unit, action.rules.name, async () =>
      action.run(input, this.contextOf(context), context),
    );
  }
}
