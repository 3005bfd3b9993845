import type { AccessRules } from "../auth/access.js";
import type { Handlers, HttpRoute } from "./http.js";

/** What an action asks before its own code is called (OPS-11). */
export interface ActionRules {
  /** `cancel` */
  readonly name: string;
  /** Who may do it: `update` for one entity, `create` for a collection (AUT-2). */
  readonly access: AccessRules;
  /** False where a request needs no body. */
  readonly hasInput: boolean;
  /** The states in which an entity has to be (STA-2); left out: any. */
  readonly states?: readonly string[];
}

/** An action on one entity, `/api/v1/orders/{orderId}/cancel`. */
export function entityAction(
  [path, entityType, rest]: readonly [path: string, entityType: string, rest: string],
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType, rest, access, action: { hasInput } };
}

/** An action on a collection, `/api/v1/orders/quote`. */
export function collectionAction(
  path: string,
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType: null, rest: "", access, action: { hasInput } };
}
