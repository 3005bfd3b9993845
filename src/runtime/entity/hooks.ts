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

/** The operation that a caller requests. An action has its name: `action:cancel`. */
export type Operation =
  "create" | "list" | "read" | "replace" | "update" | "delete" | `action:${string}`;

/** A change of one entity. For a deletion, `entity` is the deleted one. */
export type Change<Entity> =
  | { readonly kind: "created"; readonly entity: Entity; readonly previous: null }
  | { readonly kind: "updated"; readonly entity: Entity; readonly previous: Entity }
  | { readonly kind: "deleted"; readonly entity: Entity; readonly previous: Entity };

/** A value, or a promise of it. */
export type Later<T = void> = T | Promise<T>;

/** A business rule: reports problems of `next`. `stored` is null for a new entity. */
export type Rule<Entity, Properties, OwnContext = Context> = Rules<
  Entity,
  Properties,
  OwnContext
>["ask"];

/** A method, so that TypeScript accepts a rule whose context type has more members. */
interface Rules<Entity, Properties, OwnContext> {
  ask(
    next: Readonly<Properties>,
    stored: Readonly<Entity> | null,
    problems: Problems<Properties>,
    context: OwnContext,
  ): Later;
}

/**
 * Custom code for one entity, in the order of the calls. Its writes follow the same rules as a body (REP-9). Hooks before the
 * commit can throw an `ApiError` to refuse the change. They run again after a conflict with another request.
 */
export interface EntityHooks<Entity, Properties, OwnContext = Context> {
  /**
   * Throws an `ApiError` to deny access. `entity` is null for a create, a list and an action on a collection. Not called for
   * unrestricted callers.
   */
  authorize?(operation: Operation, entity: Entity | null, context: OwnContext): Later;
  /**
   * Checks a create, or an update or action that changes something. Its problems and those of the schema are reported in one
   * 400 response. A rule ends when it reads a property that the schema refuses; other rules of a list still run.
   */
  validate?: Rule<Entity, Properties, OwnContext> | readonly Rule<Entity, Properties, OwnContext>[];
  /** Changes `properties` in place, or returns their replacement. */
  beforeCreate?(properties: Properties, context: OwnContext): Later<Properties | void>;
  /** Changes `next` in place, or returns its replacement. `stored` is the entity before the change. */
  beforeUpdate?(
    next: Properties,
    stored: Readonly<Entity>,
    context: OwnContext,
  ): Later<Properties | void>;
  /** Runs before a deletion, but not for children that are deleted with their parent (CHD-4). */
  beforeDelete?(stored: Readonly<Entity>, context: OwnContext): Later;
  /** Runs with the final change, including identifier and dates. Can add writes to the same transaction. */
  beforeCommit?(change: Change<Entity>, context: OwnContext): Later;
  /**
   * Supplies values that are shown but not stored, for all entities of a response at once: embedded values of external
   * references (REP-4), and computed properties. Failures are logged; missing values are null. A POST with an `Idempotency-Key`
   * calls it before the commit, because the response is stored with the change.
   */
  complete?(entities: readonly Entity[], context: OwnContext): Later;
  /** Runs after the change is durable and the response, if there is one, is sent. Failures are logged. */
  afterCommit?(change: Change<Entity>, context: OwnContext): Later;
}

/** The context of custom code while it works on a request. */
export interface Context<Stores = unknown, Services = unknown> {
  readonly caller: Caller;
  /** The caller as the author of changes (AUT-3). */
  readonly subject: Subject;
  /** The roles in the caller's token (AUT-2). */
  readonly roles: readonly string[];
  /** Logger that adds the request ID to every line. */
  readonly logger: FastifyBaseLogger;
  readonly clock: Clock;
  readonly requestId: string;
  /** The stores of all entities. They read entities, and prepare writes for `add`. */
  readonly stores: Stores;
  /** Everything that a request can do, without HTTP: with hooks and states, in the current transaction if there is one. */
  readonly services: Services;
  /**
   * Queries of the database, for reports and sums. They read committed data of all entities, without access rules and without
   * the conversions of versions.
   */
  readonly sql: Sql<Stores, Services>;
  /** Adds writes to the transaction of the change. Throws if no change is being prepared, or if the change is committed. */
  add(...writes: readonly WriteStep[]): void;
  /**
   * Does work unless it was done in the last seven days under the same key, such as the `id` of an event (EVT-1). Resolves with
   * true if it did the work. The key is stored in the same transaction as all changes of the work through `services`.
   */
  once(key: string, work: () => Promise<unknown>): Promise<boolean>;
}

/** The parts of every context of a service. */
interface ContextParts<Stores, Services, Provided extends object> {
  readonly storesOf: (request: RequestContext) => Stores;
  readonly servicesOf: (request: RequestContext) => Services;
  readonly sqlOf: (request: RequestContext) => Sql<Stores, Services>;
  /** The result of `provide` in src/app.ts. */
  readonly provided: Provided;
}

/** Creates the context of a request for custom code. */
export function makeContext<Stores, Services, Provided extends object>(
  request: RequestContext,
  parts: ContextParts<Stores, Services, Provided>,
): Context<Stores, Services> & Provided {
  return Object.assign(new OwnContext(request.forOwnCode(), parts), parts.provided);
}

class OwnContext<Stores, Services> implements Context<Stores, Services> {
  private known: Services | null = null;
  private knownStores: Stores | null = null;
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
    this.knownStores ??= this.parts.storesOf(this.request);
    return this.knownStores;
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

/** Runs `validate`, a function or a list of them. `stored` is null for a new entity. */
export async function runValidators<Entity, Properties, OwnContext>(
  { validate = [] }: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  rules: BusinessRules<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<void> {
  for (const rule of Array.isArray(validate) ? validate : [validate]) {
    await rules.ask((problems) => rule(rules.next, stored, problems, context));
  }
}

/** Maximum depth of services whose custom code calls services. */
const MOST_LEVELS = 16;
/** Maximum number of calls in one transaction, or in one request without a transaction. */
const MOST_CALLS = 10_000;
/** Number of calls in a row before other requests get a turn. */
const TURN = 100;

/** Thrown if custom code calls services in an endless or very long loop. */
class EndlessCalls extends Error {
  override readonly name = "EndlessCalls";
}

/** Counts a call of a service. `call` is its context, and `caller` the calling one. Throws after too many calls. */
export async function countCall(call: RequestContext, caller: RequestContext): Promise<void> {
  call.level = caller.level + 1;
  const calls = call.countCall();
  const fault = faultOf(call.level, calls);
  // Yields before an error as well, because code that catches the error must not block other requests.
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
