import type {
  Operation,
  ResourceModel,
  ServiceModel,
  StatesModel,
} from "../model/service-model.js";
import { NOBODY, reachOf, type Caller } from "./caller.js";
import type { Exchange, Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { isObject } from "./json.js";
import { sendRaw } from "./raw-request.js";
import type { Seed } from "./seed.js";
import { statePath } from "./state-paths.js";

/** Everything that a client needs to clean up after itself. */
export interface Made {
  readonly path: string;
  readonly resource: ResourceModel;
  readonly caller: Caller;
}

/** Who asked for the end before it came. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** What a session is made of. */
export interface SessionOptions {
  readonly model: ServiceModel;
  readonly client: HttpClient;
  /** Unique for the run: a UUID. */
  readonly run: string;
  readonly now: () => number;
  readonly callers: readonly Caller[];
  /** Makes also what can not be deleted again. */
  readonly leave: boolean;
  readonly signal: AbortSignal;
}

/** One run against one service: who calls it, what was made there, what comes next. */
export class Session {
  /** In the order in which it was made. */
  readonly made: Made[] = [];
  private bodies = 0;
  private requestsRaw = 0;

  constructor(readonly options: SessionOptions) {}

  /** The schema. */
  get model(): ServiceModel {
    return this.options.model;
  }

  /** Every resource of every version. */
  get resources(): readonly ResourceModel[] {
    return this.model.versions.flatMap(({ resources }) => resources);
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.options.client.count + this.requestsRaw;
  }

  /** What makes the next body differ from all others. */
  nextSeed(): Seed {
    this.bodies += 1;
    return { run: this.options.run, index: this.bodies };
  }

  /** Sends a request as the caller that has most to say about its path; what it makes is remembered. */
  async send(method: string, path: string, sent: Sent = {}, as?: Caller): Promise<Exchange> {
    if (this.options.signal.aborted) throw new Interrupted();
    const resource = this.resourceAt(path);
    const caller = as ?? (resource === undefined ? this.anybody : this.callerFor(resource));
    const headers = { ...bearer(caller), ...sent.headers };
    const exchange = await this.options.client.send(method, path, { ...sent, headers });
    if (method === "POST" && resource !== undefined) this.remember(exchange, resource, caller);
    return exchange;
  }

  /** Sends bytes on a connection of their own. */
  async raw(bytes: string | Buffer): Promise<Exchange> {
    if (this.options.signal.aborted) throw new Interrupted();
    this.requestsRaw += 1;
    return sendRaw(this.options.client.base, bytes);
  }

  /** The caller who may do most with a resource. */
  callerFor(resource: ResourceModel): Caller {
    const score = (caller: Caller): number =>
      resource.operations.filter((operation) => reachOf(resource, operation, caller) !== "none")
        .length;
    const ranked = [...this.options.callers].sort((a, b) => score(b) - score(a));
    return ranked[0] ?? NOBODY;
  }

  /** Why a resource can not be tried with these operations; null: it can. */
  obstacle(resource: ResourceModel, operations: readonly Operation[]): string | null {
    const { plural } = resource.name;
    const missing = operations.find((operation) => !resource.operations.includes(operation));
    if (missing !== undefined) return `${plural} does not offer ${missing}`;
    const caller = this.callerFor(resource);
    const forbidden = operations.find(
      (operation) => reachOf(resource, operation, caller) === "none",
    );
    if (forbidden !== undefined) return `no caller that is known may ${forbidden} ${plural}`;
    if (!operations.includes("create") || this.options.leave) return null;
    return this.canDelete(resource, caller)
      ? null
      : `${plural} could not be deleted again (see --leave)`;
  }

  /** Whether a caller may make an entity that somebody who is known can delete again. */
  mayMake(resource: ResourceModel, caller: Caller): boolean {
    if (!resource.operations.includes("create")) return false;
    if (reachOf(resource, "create", caller) === "none") return false;
    if (this.options.leave || this.canDelete(resource, caller)) return true;
    const isDeletable = (other: Caller): boolean => reachOf(resource, "delete", other) === "all";
    return this.options.callers.some(
      (other) => isDeletable(other) && this.canDelete(resource, other),
    );
  }

  /** Whether an entity may be led into a state: from there it can still be deleted. */
  mayEnter(states: StatesModel, state: string): boolean {
    const isEnd = (one: string): boolean => states.deletableIn.includes(one);
    return this.options.leave || statePath(states, state, isEnd) !== null;
  }

  private canDelete(resource: ResourceModel, caller: Caller): boolean {
    const isOffered = resource.operations.includes("delete");
    const isOnce = resource.states === null || resource.states.deletableIn.length > 0;
    return isOffered && isOnce && reachOf(resource, "delete", caller) !== "none";
  }

  private get anybody(): Caller {
    return this.options.callers[0] ?? NOBODY;
  }

  private resourceAt(path: string): ResourceModel | undefined {
    return this.resources.find(
      (resource) => path === resource.path || path.startsWith(`${resource.path}/`),
    );
  }

  /** By what the answer says, whatever the rules say of it: nothing that was made is forgotten. */
  private remember({ answer }: Exchange, resource: ResourceModel, caller: Caller): void {
    if (answer.status < 200 || answer.status > 299 || !isObject(answer.json)) return;
    const id = answer.json[resource.name.idProperty];
    if (typeof id !== "string") return;
    this.made.push({ path: `${resource.path}/${id}`, resource, caller });
  }
}

function bearer({ token }: Caller): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
