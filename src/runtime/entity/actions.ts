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
import { givenInput } from "./custom-values.js";
import type { Context, Later } from "./hooks.js";
import { withIdentifiers } from "./reference-paths.js";
import {
  embeddedAnew,
  type References,
  resolveOwn,
  lookUp,
  type ResolvedReferences,
} from "./references.js";
import { withoutDeleted } from "./released-references.js";
import { EntityRepository, type RepositoryRules } from "./repository.js";
import { type EntityParts, EntityService, type ServedEntity } from "./service.js";
import { answerInUnit, inUnit, type Answered } from "./transaction.js";
import { EntityChanges, type Changed } from "./writer.js";

/** What requests do to the entities of a resource that has actions (OPS-11): each action is a transaction. */
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
   * Carries out an action on one entity, stores what has become of it as one change, and answers with it. Throws 404 and
   * 403, 412, 400, and 409 in another state, in this order.
   */
  async act<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    answer: (entity: Versioned<Entity>) => HttpReply,
    call: HttpCall,
  ): Promise<HttpReply> {
    const { kept } = call.context;
    const check = async (): Promise<void> => this.actions.checkAct(action.rules, call);
    if (kept !== null) return this.again(kept, answer, call, check);
    const { locks } = this.parts.store;
    const work = async (unit: UnitOfWork): Promise<Stored<Entity>> => {
      const { changed } = await this.actions.act(action, call, unit);
      return changed;
    };
    return this.answering(work, answer, call.context, { locks, id: call.id });
  }

  /** Carries out an action, and answers with the result of its code. */
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
    const work = async (unit: UnitOfWork): Promise<Answered> => {
      const { result } = await this.actions.act(action, call, unit);
      return { reply: answer(result) };
    };
    const { reply } = await answerInUnit(context, database, work, { locks, id });
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

  /** Carries out an action on the collection, and writes what its code has added. Throws 401 and 403, then 400. */
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
    const work = async (unit: UnitOfWork): Promise<Answered> => ({
      reply: answer(await this.actions.actOnAll(action, call, unit)),
    });
    const { reply } = await answerInUnit(context, this.parts.store.database, work);
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

/** Carries out actions like a request, without HTTP. Throws what `EntityService` throws. */
interface ActionCalls<Entity, OwnContext> {
  /** An action on one entity; the entity afterwards. */
  change<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    id: string,
    input?: object,
  ): Promise<Entity>;
  /** An action on one entity; what its code returned. */
  ask<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    id: string,
    input?: object,
  ): Promise<Result>;
  /** An action on the collection; what its code returned. */
  askAll<Input, Result>(
    action: CollectionAction<OwnContext, Input, Result>,
    input?: object,
  ): Promise<Result>;
}

/** Makes the actions of a resource of what carries them out. */
export type ActionsOf<Entity, OwnContext, Actions> = (
  calls: ActionCalls<Entity, OwnContext>,
) => Actions;

/** The service of a resource for custom code, with its actions. */
export type WithActions<Service, Actions> = Service & { readonly actions: Actions };

/** An entity of a resource that has actions, as the service's own code is served it. */
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
  /** Each action by its name, in the transaction of this request or in one of its own. */
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
        const call = await this.callOf("POST", this.identify(id), givenInput(action, input));
        return this.acting(action, async () => repository.perform(action, call));
      },
      ask: async (action, id, input) => {
        const call = await this.callOf("POST", this.identify(id), givenInput(action, input));
        return this.acting(action, async () => repository.resultOf(action, call));
      },
      askAll: async (action, input) => {
        const call = await this.callOf("POST", "", givenInput(action, input));
        return this.acting(action, async () => repository.performOnAll(action, call));
      },
    });
  }

  private async acting<T>({ rules }: Named, work: () => Promise<T>): Promise<T> {
    return this.told(`actions.${rules.name}`, work);
  }
}

/** An action of either kind. */
interface Named {
  readonly rules: ActionRules;
}

/**
 * What the code of an action answers of its own, read like a body (OPS-11). Throws `OwnCodeFault` for what breaks a rule, and
 * with the `name` of the action in it: nothing is stored then, and nothing sent.
 */
export function readAnswer<Answer>(
  name: string,
  read: (answer: JsonObject) => Answer,
  given: object,
): Answer {
  try {
    // It is read as if a client had sent it, whatever its code says that it is.
    return read(given as JsonObject);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details.fields ?? [];
    throw new OwnCodeFault(name, fields);
  }
}

/** 200 with what an action answers, pretty (REP-5) unless it is told otherwise. */
export function actionAnswer(answer: unknown, pretty = true): HttpReply {
  return ok(JSON.stringify(answer, null, pretty ? 2 : 0));
}

/** What is done by an action on one entity (OPS-11). */
export interface EntityAction<Entity, OwnContext, Input, Result> {
  readonly rules: ActionRules;
  /** Reads a body. Throws 400. */
  readonly read: (body: JsonObject, call: HttpCall) => Later<Input>;
  /** The references of a body (REP-4). */
  readonly references?: References;
  /** The references of the result. */
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
  /** The references of a body (REP-4). */
  readonly references?: References;
  /** The service's own code. */
  readonly run: (input: Input, context: OwnContext, request: RequestContext) => Later<Result>;
}

/** What an action is called, and where its answer leads. */
type Answering = Pick<EntityAction<never, never, never, unknown>, "rules" | "answerReferences">;

/** What an action has made of an entity, and what its code returned. */
interface Acted<Entity, Result> extends Changed<Entity> {
  readonly result: Result;
}

/** Prepares what actions do: access, body, states, own code. What it prepares, a unit writes. */
class EntityActions<
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

/** How an action reads a body with references: what they lead to is looked up first, among what the caller may read (REP-4, AUT-2). */
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

/** How an answer with references is read. */
interface ReferringAnswer<All extends References, Answer> {
  /** `transfer of orders` */
  readonly name: string;
  readonly references: All;
  readonly read: (answer: JsonObject, resolved: ResolvedReferences<All>) => Answer;
}

/**
 * Reads the result of an action's code. Embedded entities are not checked for access: everybody who may do the action may see
 * them (AUT-2). Throws `OwnCodeFault` for what breaks a rule, a reference to nothing among that: nothing is stored then.
 */
export async function referringAnswer<All extends References, Answer>(
  { name, references, read }: ReferringAnswer<All, Answer>,
  given: object,
  context: RequestContext,
): Promise<Answer> {
  // It is read as if a client had sent it, whatever its code says that it is.
  const written = withIdentifiers(given as JsonObject, references);
  const resolved = await resolveOwn(references, { written, before: null }, context);
  return readAnswer(name, (answer) => read(answer, resolved), written);
}
