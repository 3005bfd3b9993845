import type { Context } from "./context.js";
import type { Problems } from "./problems.js";

export type { Context } from "./context.js";
export type { Problems } from "./problems.js";

/** What a caller asks for; an action by its name: `action:cancel`. */
export type Operation =
  "create" | "list" | "read" | "replace" | "update" | "delete" | `action:${string}`;

/** A change of one entity; the entity is what there was before, where it is deleted. */
export type Change<Entity> =
  | { readonly kind: "created"; readonly entity: Entity; readonly previous: null }
  | { readonly kind: "updated"; readonly entity: Entity; readonly previous: Entity }
  | { readonly kind: "deleted"; readonly entity: Entity; readonly previous: Entity };

/** What may take its time. */
export type Later<T = void> = T | Promise<T>;

/** A business rule: adds what is wrong with `next`; `stored` is null where it is new. */
export type Rule<Entity, Properties, OwnContext = Context> = Rules<
  Entity,
  Properties,
  OwnContext
>["ask"];

/** A method, so that a rule with a wider context is one as well. */
interface Rules<Entity, Properties, OwnContext> {
  ask(
    next: Readonly<Properties>,
    stored: Readonly<Entity> | null,
    problems: Problems<Properties>,
    context: OwnContext,
  ): Later;
}

/**
 * The service's own code for one entity, in the order in which it is called. What it writes is held to the same rules as a
 * body (REP-9). Whatever comes before the commit can throw an `ApiError` to refuse, and runs again when another request has
 * changed the entity meanwhile.
 */
export interface EntityHooks<Entity, Properties, OwnContext = Context> {
  /** Throws an `ApiError` when the caller may not; the entity is null if there is none yet. Not asked where own code may do everything. */
  authorize?(operation: Operation, entity: Entity | null, context: OwnContext): Later;
  /**
   * Rules of a create, and of an update or an action that changes something. Their problems are answered in one 400 together with those
   * of the schema. A rule that looks at a property which the schema refuses ends there: of several, each is asked.
   */
  validate?: Rule<Entity, Properties, OwnContext> | readonly Rule<Entity, Properties, OwnContext>[];
  /** Changes `properties` in place, or returns what is stored instead of them. */
  beforeCreate?(properties: Properties, context: OwnContext): Later<Properties | void>;
  /** Likewise, of `next`; `stored` is what it was. */
  beforeUpdate?(
    next: Properties,
    stored: Readonly<Entity>,
    context: OwnContext,
  ): Later<Properties | void>;
  /** Not called for the children that go with their parent: the parent's own hook is (CHD-4). */
  beforeDelete?(stored: Readonly<Entity>, context: OwnContext): Later;
  /** The change as it will be written, identifier and dates included: for what is written in the same transaction. */
  beforeCommit?(change: Change<Entity>, context: OwnContext): Later;
  /**
   * Supplies what is shown and not stored, for all entities of an answer at once: embedded values of external references
   * (REP-4), and computed properties. A failure is logged, and what was not supplied is null. For a POST with an
   * `Idempotency-Key` it runs before the change is written, with its answer.
   */
  complete?(entities: readonly Entity[], context: OwnContext): Later;
  /** Runs when the change is durable and the answer has been sent; a failure is logged. */
  afterCommit?(change: Change<Entity>, context: OwnContext): Later;
}
