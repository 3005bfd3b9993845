import type { FastifyBaseLogger } from "fastify";

import type { Caller } from "../auth/caller.js";
import type { Subject } from "../base/common-fields.js";
import type { Clock } from "../base/time.js";
import type { RequestContext } from "../http/request-context.js";
import type { WriteStep } from "../store/database.js";
import { once } from "./once.js";
import type { Sql } from "./own-sql.js";

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
export interface ContextParts<Stores, Services, Provided extends object> {
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
