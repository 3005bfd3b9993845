import type { CommonFields } from "../base/common-fields.js";
import type { RequestContext } from "../http/request-context.js";
import type { EntityReader } from "../input/objects.js";
import type { EntityStore } from "../store/entity-store.js";
import type { Context } from "./context.js";
import type { EntityHooks } from "./hooks.js";
import type { OlderShape } from "./older-shape.js";
import type { References, ResolvedReferences } from "./references.js";
import type { StateChecks } from "./repository-rules.js";

/** What the schema says of one entity, whatever resources show of it. */
export interface EntityShape<
  Entity extends CommonFields & Properties,
  Properties,
  Leading extends References = References,
> {
  readonly store: EntityStore<Entity, Properties>;
  /** Reads an entity, from a body or from custom code (REP-9). */
  readonly reader: EntityReader<Properties, ResolvedReferences<References>>;
  /** Where its references lead (REP-4). */
  readonly references: Leading;
  /** STA; null: it has no states. */
  readonly states: StateChecks<Properties> | null;
  /** VER-2: how older versions show it; left out: custom code converts nothing of it. */
  readonly older?: readonly OlderShape<Entity>[];
}

/** The same, with the service's own code. */
export interface EntityParts<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext = Context,
  Leading extends References = References,
> extends EntityShape<Entity, Properties, Leading> {
  readonly hooks: EntityHooks<Entity, Properties, OwnContext>;
  /** What its own code is given. */
  readonly contextOf: (request: RequestContext) => OwnContext;
}
