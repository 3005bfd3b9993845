import type { CommonFields } from "../base/common-fields.js";
import type { ActionRules } from "../http/action.js";
import type { RequestContext } from "../http/request-context.js";
import type { ActingRepository } from "./acting-repository.js";
import type { Context } from "./context.js";
import type { CollectionAction, EntityAction } from "./entity-actions.js";
import { EntityService, type ServedEntity } from "./entity-service.js";
import { givenInput } from "./given-input.js";

/** Carries out actions like a request, without HTTP. Throws what `EntityService` throws. */
export interface ActionCalls<Entity, OwnContext> {
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

/** What own code can do with the entities of a resource, its actions included. */
export type WithActions<Service, Actions> = Service & { readonly actions: Actions };

/** An entity of a resource that has actions, as the service's own code is served it. */
export interface ActingEntity<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
> extends ServedEntity<Entity, Properties> {
  readonly repository: ActingRepository<Entity, Properties, OwnContext>;
}

/** What own code can do with the entities of a resource that has actions (OPS-11). */
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
