import { checkEntry } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import type { Versioned } from "../http/entity-tag.js";
import type { HttpCall, HttpReply } from "../http/http.js";
import type { Stored } from "../store/entity-store.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import type { Context } from "./context.js";
import {
  EntityActions,
  type Acted,
  type CollectionAction,
  type EntityAction,
} from "./entity-actions.js";
import type { EntityParts } from "./entity-parts.js";
import { answerInUnit, inUnit, type Answered } from "./in-unit.js";
import { EntityRepository } from "./repository.js";
import type { RepositoryRules } from "./repository-rules.js";

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

  /** Likewise, and answers with what its code returned. */
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

  /** The same for the service's own code, which needs no answer: the entity afterwards. */
  async perform<Input, Result>(
    action: EntityAction<Entity, OwnContext, Input, Result>,
    call: HttpCall,
  ): Promise<Entity> {
    const { changed } = await this.acted(action, call);
    const { entity } = await this.completed(changed, call.context);
    return entity;
  }

  /** Likewise: what its code returned. */
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

  /** Likewise, for the service's own code. */
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
