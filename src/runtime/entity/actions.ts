import { checkEntry } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ApiError } from "../base/errors.js";
import { type Versioned, checkPreconditions } from "../http/conditional.js";
import type { RequestContext } from "../http/request.js";
import { type HttpCall, type HttpReply, type ActionRules, ok } from "../http/routes.js";
import type { JsonObject } from "../input/json.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import { identifiersOnly } from "./custom-values.js";
import type { Context, Later } from "./hooks.js";
import {
  withIdentifiers,
  withFreshEmbeds,
  type References,
  resolveOwn,
  lookUp,
  type ResolvedReferences,
  withoutDeleted,
} from "./references.js";
import { EntityRepository, type RepositoryRules } from "./repository.js";
import { type EntityParts, EntityService, type ServedEntity } from "./entity-service.js";
import { replyInUnit, inUnit, type WithReply } from "./transaction.js";
import { EntityWriter } from "./writer.js";

/** Serves the requests for a resource that has actions (OPS-11). Each action is a transaction. */
export class ActingRepository<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context = Context,
> extends EntityRepository<Entity, Properties> {
  private readonly actions: EntityActions<Entity, Properties, OwnContext>;

  constructor(
    parts: EntityParts<Entity, Properties, OwnContext>,
    rules: RepositoryRules<Properties> = {},
  ) {
    const actions = new EntityActions(parts, rules);
    super(parts, rules, actions);
    this.actions = actions;
  }

  /**
   * Carries out an action on one entity, stores the result as one change, and responds with the entity. Throws 404 and 403,
   * 412, 400, and 409 for a wrong state, in this order.
   */
  async act<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    answer: (entity: Versioned<Entity>) => HttpReply,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { kept } = call.context;
    const check = async (): Promise<void> => this.actions.checkAct(action.rules, call);
    if (kept !== null) return this.replay(kept, answer, call, check);
    const { locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Stored<Entity>> => {
      const { changed } = await this.actions.act(action, call, unit);
      return changed;
    };
    return this.answering(work, answer, call.context, { locks, id: call.id });
  }

  /** Carries out an action, and responds with the result of its code. */
  async ask<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    answer: (result: Result) => HttpReply,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { id, context } = call;
    if (context.kept !== null) {
      await this.actions.checkAct(action.rules, call);
      return context.kept.reply;
    }
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<WithReply> => {
      const { result } = await this.actions.act(action, call, unit);
      return { reply: answer(result) };
    };
    const { reply } = await replyInUnit(context, database, work, { locks, id });
    return reply;
  }

  /** Carries out an action for custom code. Returns the changed entity. */
  async perform<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    call: HttpCall,
  ): Promise<Entity> {
    const { changed } = await this.acted(action, call);
    const { entity } = await this.completed(changed, call.context);
    return entity;
  }

  /** Carries out an action for custom code. Returns the result of its code. */
  async resultOf<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    call: HttpCall,
  ): Promise<Result> {
    const { result } = await this.acted(action, call);
    return result;
  }

  /** Carries out an action on the collection, and commits the writes of its code. Throws 401 and 403, then 400. */
  async actOnAll<Input, Result>(
    action: CollectionAction<OwnContext, Input, Result>,
    answer: (result: Result) => HttpReply,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { context } = call;
    checkEntry(action.rules.access, "create", false, context.caller);
    if (context.kept !== null) {
      await this.actions.authorize(`action:${action.rules.name}`, null, context);
      return context.kept.reply;
    }
    const work = async (unit: UnitOfWork): Promise<WithReply> => ({
      reply: answer(await this.actions.actOnAll(action, call, unit)),
    });
    const { reply } = await replyInUnit(context, this.parts.store.database, work);
    return reply;
  }

  /** Carries out an action on the collection for custom code. */
  async performOnAll<Input, Result>(
    action: CollectionAction<OwnContext, Input, Result>,
    call: HttpCall,
  ): Promise<Result> {
    const { context } = call;
    checkEntry(action.rules.access, "create", false, context.caller);
    const work = async (unit: UnitOfWork) => this.actions.actOnAll(action, call, unit);
    return inUnit(context, this.parts.store.database, work);
  }

  private async acted<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    call: HttpCall,
  ): Promise<Acted<Entity, Result>> {
    const { database, locks } = this.parts.store;
    const work = async (unit: UnitOfWork) => this.actions.act(action, call, unit);
    return inUnit(call.context, database, work, { locks, id: call.id });
  }
}

/** Carries out actions like a request, without HTTP. Throws the errors of `EntityService`. */
interface ActionCalls<Entity, OwnContext> {
  /** Returns the entity after the action. */
  change<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    id: string,
    input?: object,
  ): Promise<Entity>;
  /** Returns the result of the code of an action on one entity. */
  ask<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    id: string,
    input?: object,
  ): Promise<Result>;
  /** Returns the result of the code of an action on the collection. */
  askAll<Input, Result>(
    action: CollectionAction<OwnContext, Input, Result>,
    input?: object,
  ): Promise<Result>;
}

/** Creates the actions of a resource from the calls that carry them out. */
export type ActionsOf<Entity, OwnContext, Actions> = (
  calls: ActionCalls<Entity, OwnContext>,
) => Actions;

/** The service of a resource for custom code, with its actions. */
export type WithActions<Service, Actions> = Service & { readonly actions: Actions };

/** An entity of a resource with actions, as `ActingService` uses it. */
interface ActingEntity<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
> extends ServedEntity<Entity, Properties> {
  readonly repository: ActingRepository<Entity, Properties, OwnContext>;
}

/** The service of a resource with actions, for custom code (OPS-11). */
export class ActingService<
  Entity extends CommonFields & Properties,
  Properties,
  Input extends object,
  Where extends object,
  OwnContext extends Context,
  Actions,
  Emitted extends string = never,
> extends EntityService<Entity, Properties, Input, Where, Emitted> {
  /** The actions by name. Each runs in the transaction of this request, or in its own if there is none. */
  readonly actions: Actions;

  constructor(
    acting: ActingEntity<Entity, Properties, OwnContext>,
    request: RequestContext,
    actionsOf: ActionsOf<Entity, OwnContext, Actions>,
  ) {
    super(acting, request);
    const { repository } = acting;
    this.actions = actionsOf({
      change: async (action, id, input) => {
        const call = await this.callOf("POST", this.identify(id), identifiersOnly(action, input));
        return this.acting(action, async () => repository.perform(action, call));
      },
      ask: async (action, id, input) => {
        const call = await this.callOf("POST", this.identify(id), identifiersOnly(action, input));
        return this.acting(action, async () => repository.resultOf(action, call));
      },
      askAll: async (action, input) => {
        const call = await this.callOf("POST", "", identifiersOnly(action, input));
        return this.acting(action, async () => repository.performOnAll(action, call));
      },
    });
  }

  private async acting<T>({ rules }: Named, work: () => Promise<T>): Promise<T> {
    return this.told(`actions.${rules.name}`, work);
  }
}

interface Named {
  readonly rules: ActionRules;
}

/**
 * Reads the result of an action's code like a body (OPS-11). Throws `OwnCodeFault` with the `name` of the action if the result
 * breaks a rule: then nothing is stored, and the response is 500.
 */
export function readAnswer<Answer>(
  name: string,
  read: (answer: JsonObject) => Answer,
  given: object,
): Answer {
  try {
    // Reads the result like a client's body, because the declared type proves nothing at run time.
    return read(given as JsonObject);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details.fields ?? [];
    throw new OwnCodeFault(name, fields);
  }
}

/** Creates a 200 response with the result of an action (REP-5). */
export function actionAnswer(answer: unknown, pretty = true): HttpReply {
  return ok(JSON.stringify(answer, null, pretty ? 2 : 0));
}

/** An action on one entity (OPS-11). */
export interface EntityAction<Entity, OwnContext, Input, Result> {
  readonly rules: ActionRules;
  /** Reads a body. Throws 400. */
  readonly read: (body: JsonObject, call: HttpCall) => Later<Input>;
  /** The references of a body (REP-4). */
  readonly references?: References;
  /** The references of the result. */
  readonly answerReferences?: References;
  /** Moves the entity to the state that the action leads to. Absent if custom code may choose the state. */
  readonly enter?: (next: Entity) => void;
  /** Runs custom code, which may change `next` in place. Runs again after a conflict. */
  readonly run: (
    next: Entity,
    input: Input,
    context: OwnContext,
    request: RequestContext,
  ) => Later<Result>;
}

/** An action on a collection (OPS-11). */
export interface CollectionAction<OwnContext, Input, Result> {
  readonly rules: ActionRules;
  /** Reads a body. Throws 400. */
  readonly read: (body: JsonObject, call: HttpCall) => Later<Input>;
  /** The references of a body (REP-4). */
  readonly references?: References;
  /** Runs custom code. */
  readonly run: (input: Input, context: OwnContext, request: RequestContext) => Later<Result>;
}

type Answering = Pick<EntityAction<never, never, never, unknown>, "rules" | "answerReferences">;

/** The entity after an action, with the result of the action's code. */
interface Acted<Entity, Result> {
  readonly changed: Stored<Entity>;
  readonly result: Result;
}

/** Prepares actions: checks access, body and states, and runs custom code. A unit of work writes the changes. */
class EntityActions<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
> extends EntityWriter<Entity, Properties> {
  private readonly contextOf: (request: RequestContext) => OwnContext;

  constructor(
    parts: EntityParts<Entity, Properties, OwnContext>,
    rules: RepositoryRules<Properties>,
  ) {
    super(parts, rules);
    this.contextOf = parts.contextOf;
  }

  /**
   * Carries out an action on one entity. Throws 404 and 403, 412, 400, and 409 for a wrong state, in this order, and 400 if
   * business rules refuse the changes of its code.
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
    const written = await this.customValues.read(write, context);
    const read = await this.validated(written, entity, context);
    const made = await this.update({ stored, read, action: ending }, context, unit);
    const changed = this.emitOf(made, ({ actions }) => actions?.[name], unit);
    return { changed, result: this.answered(action, result, unit) };
  }

  /** OPS-12: checks that the caller may still use the action. Throws 404 and 403. Of a deleted entity, checks only grants. */
  async checkAct({ access, name }: ActionRules, { id, context }: HttpCall): Promise<void> {
    if ((await this.parts.store.of(context.caller).find(id)) === null) {
      checkEntry(access, "update", false, context.caller);
      return;
    }
    const { entity } = await this.find(id, "update", context, access);
    await this.authorize(`action:${name}`, entity, context);
  }

  /**
   * Applies the unit's changes of referenced entities to the result of an action. Throws `OwnCodeFault` for a reference to a
   * deleted entity that cannot be cleared.
   */
  private answered<Result>(
    { rules, answerReferences }: Answering,
    result: Result,
    unit: UnitOfWork,
  ): Result {
    if (answerReferences === undefined) return result;
    const { properties, issues } = withoutDeleted(result, answerReferences, unit);
    if (issues.length === 0) return withFreshEmbeds(properties, answerReferences, unit);
    throw new OwnCodeFault(`${rules.name} of ${this.parts.store.table.name}`, issues);
  }

  /** Carries out an action on the collection. Throws 403, then 400. */
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

/** Creates the reader of a body with references. It first looks up their targets among the readable entities (REP-4, AUT-2). */
export function referringInput<All extends References, Input>(
  references: All,
  read: (body: JsonObject, resolved: ResolvedReferences<All>) => Input,
) {
  return {
    references,
    read: async (body: JsonObject, call: HttpCall): Promise<Input> =>
      read(body, await lookUp(references, call)),
  };
}

/** The reader of a result with references. */
interface ReferringAnswer<All extends References, Answer> {
  /** `transfer of orders` */
  readonly name: string;
  readonly references: All;
  readonly read: (answer: JsonObject, resolved: ResolvedReferences<All>) => Answer;
}

/**
 * Reads the result of an action's code. Skips access checks for embedded values: everyone who may use the action may see them
 * (AUT-2). Throws `OwnCodeFault` if the result breaks a rule or refers to a missing entity: then nothing is stored.
 */
export async function referringAnswer<All extends References, Answer>(
  { name, references, read }: ReferringAnswer<All, Answer>,
  given: object,
  context: RequestContext,
): Promise<Answer> {
  // Reads the result like a client's body, because the declared type proves nothing at run time.
  const written = withIdentifiers(given as JsonObject, references);
  const resolved = await resolveOwn(references, { written, before: null }, context);
  return readAnswer(name, (answer) => read(answer, resolved), written);
}
