import type { FastifyBaseLogger } from "fastify";

import type { Caller } from "../auth/authentication.js";
import type { Subject } from "../base/common-fields.js";
import { customCodeRunning } from "../base/custom-code.js";
import type { Clock } from "../base/time.js";
import type { RequestContext } from "../http/request.js";
import type { WriteStep } from "../store/database.js";
import type { Sql } from "./custom-sql.js";
import type { Problems, BusinessRules } from "./problems.js";
import { once } from "./transaction.js";

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
  /** Changes `next` in place, or returns what is stored instead; `stored` is the entity before the change. */
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

/** What the service's own code may use while it works on a request. */
export interface Context<Stores = unknown, Services = unknown> {
  readonly caller: Caller;
  /** Who is calling (AUT-3). */
  readonly subject: Subject;
  /** The roles that the caller's token names (AUT-2). */
  readonly roles: readonly string[];
  /** Writes the request id into every line. */
  readonly logger: FastifyBaseLogger;
  readonly clock: Clock;
  readonly requestId: string;
  /** The stored entities of every resource: reads them, and prepares writes for `add`. */
  readonly stores: Stores;
  /** Everything that a request can do, without HTTP: with hooks and states, in the transaction of this request. */
  readonly services: Services;
  /**
   * Asks the database what `services` cannot: reports, sums. It reads what is committed, of every entity: no access rule
   * holds, and nothing is shown as a version shows it.
   */
  readonly sql: Sql<Stores, Services>;
  /**
   * Adds writes to the transaction of the change: all of them happen, or none. Throws where there is no transaction: when
   * nothing is being changed, or when the change has been committed.
   */
  add(...writes: readonly WriteStep[]): void;
  /**
   * Does work unless it was done under this key in the last seven days, such as the `id` of an event (EVT-1); resolves with
   * whether it did. What `work` changes through `services`, and the note that it was done, are one transaction.
   */
  once(key: string, work: () => Promise<unknown>): Promise<boolean>;
}

/** What every context of a service is made of. */
interface ContextParts<Stores, Services, Provided extends object> {
  readonly stores: Stores;
  readonly servicesOf: (request: RequestContext) => Services;
  readonly sqlOf: (request: RequestContext) => Sql<Stores, Services>;
  /** What `provide` of src/app.ts gave. */
  readonly provided: Provided;
}

/** The context of a request, as the service's own code sees it. */
export function makeContext<Stores, Services, Provided extends object>(
  request: RequestContext,
  parts: ContextParts<Stores, Services, Provided>,
): Context<Stores, Services> & Provided {
  return Object.assign(new OwnContext(request.forOwnCode(), parts), parts.provided);
}

class OwnContext<Stores, Services> implements Context<Stores, Services> {
  private known: Services | null = null;
  private knownSql: Sql<Stores, Services> | null = null;

  constructor(
    private readonly request: RequestContext,
    private readonly parts: ContextParts<Stores, Services, object>,
  ) {}

  get caller(): Caller {
    return this.request.caller;
  }

  get subject(): Subject {
    return this.request.subject;
  }

  get roles(): readonly string[] {
    return this.request.caller.roles;
  }

  get logger(): FastifyBaseLogger {
    return this.request.logger;
  }

  get clock(): Clock {
    return this.request.clock;
  }

  get requestId(): string {
    return this.request.requestId;
  }

  get stores(): Stores {
    return this.parts.stores;
  }

  get services(): Services {
    this.known ??= this.parts.servicesOf(this.request);
    return this.known;
  }

  get sql(): Sql<Stores, Services> {
    this.knownSql ??= this.parts.sqlOf(this.request);
    return this.knownSql;
  }

  add(...writes: readonly WriteStep[]): void {
    const { unit } = this.request;
    if (unit === null) {
      throw new Error(
        "context.add: there is no transaction here. It can be called where a change is being prepared: in beforeCreate, beforeUpdate, beforeDelete, beforeCommit and actions.",
      );
    }
    unit.add(writes);
  }

  once(key: string, work: () => Promise<unknown>): Promise<boolean> {
    return once(key, work, this.request);
  }
}

/** Asks `validate`, a function or a list of them, about what was read; `stored` is null where it is new. */
export async function askRules<Entity, Properties, OwnContext>(
  { validate = [] }: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  rules: BusinessRules<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<void> {
  for (const rule of Array.isArray(validate) ? validate : [validate]) {
    await rules.ask((problems) => rule(rules.next, stored, problems, context));
  }
}

/** Custom code that a service calls may call services itself: the most levels of that. */
const MOST_LEVELS = 16;
/** Of one transaction, or of one request where there is none. */
const MOST_CALLS = 10_000;
/** The most calls in a row before other requests have their turn. */
const TURN = 100;

/** Custom code calls services without end, or nearly so. */
class EndlessCalls extends Error {
  override readonly name = "EndlessCalls";
}

/** Counts a call of a service that `caller` makes; `call` is its context. Throws where there are too many. */
export async function countCall(call: RequestContext, caller: RequestContext): Promise<void> {
  call.level = caller.level + 1;
  const calls = call.countCall();
  const fault = faultOf(call.level, calls);
  // Also before it throws: code that catches the error and goes on must not stop everything else.
  if (fault !== null || (calls > 0 && calls % TURN === 0))
    await new Promise((resolve) => setImmediate(resolve));
  if (fault === null) return;
  const code = customCodeRunning() ?? "custom code";
  throw new EndlessCalls(`${code} calls context.services ${fault}`);
}

function faultOf(level: number, calls: number): string | null {
  if (level > MOST_LEVELS)
    return `more than ${MOST_LEVELS} levels deep. Does a hook call its own service?`;
  if (calls <= MOST_CALLS) return null;
  return `more than ${MOST_CALLS} times in one transaction. Divide the work, or do it in a job.`;
}
