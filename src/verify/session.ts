import { originalOf } from "../model/original-of.js";
import { pathsOf } from "../model/references.js";
import type { VersionsOfResource } from "./versions-of.js";
import type { Operation, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { AnchorMaker } from "./anchor-maker.js";
import { Anchors } from "./anchors.js";
import type { BodySeed } from "./bodies.js";
import { CannotMake, MISSING, query } from "./check.js";
import { isCertain, NOBODY, reachOf, type Caller } from "./caller.js";
import { errorsOf, type Exchange, type Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { isList, isObject, parseJson, type Json, type JsonObject } from "../samples/json.js";
import { sendPatiently } from "./patience.js";
import { sendRaw } from "./raw-request.js";
import { MadeSamples } from "./made-samples.js";
import type { Samples } from "./samples.js";
import { leadingActions, type LeadingAction } from "./leading-actions.js";
import type { EventLog } from "./event-log.js";
import { bearer, conditionOf } from "./request-headers.js";
import { RefusedValues } from "./refused-values.js";
import { Spares } from "./spares.js";
import { statePath } from "./state-paths.js";
import { hasUnique, UniqueValues } from "./unique-values.js";

/** Changes of an entity, which has to be found first. */
const FINDING: readonly Operation[] = ["replace", "update", "delete"];

/** So many pages are read to see which values are taken. */
const MOST_PAGES = 20;

/** Everything that a client needs to clean up after itself. */
export interface Made {
  readonly path: string;
  readonly resource: ResourceModel;
  readonly caller: Caller;
}

/** Thrown when the run was stopped early. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor() {
    super("The run was stopped before its end.");
  }
}

/** What a session is made of. */
export interface SessionOptions {
  readonly model: ServiceModel;
  readonly versions: readonly VersionsOfResource[];
  readonly client: HttpClient;
  /** Unique for the run: a UUID. */
  readonly run: string;
  readonly now: () => number;
  /** AUT-4: all of one tenant. */
  readonly callers: readonly Caller[];
  /** AUT-4: those of each other tenant, in a session of their own with what they make. */
  readonly strangers: readonly Session[];
  /** AUT-4: those whose tokens name no tenant. */
  readonly nameless: readonly Caller[];
  /** Also creates entities that cannot be deleted again. */
  readonly leave: boolean;
  readonly samples: Samples;
  /** EVT-1; null: nobody receives them. */
  readonly events: EventLog | null;
  readonly signal: AbortSignal;
}

/** One run against one service: its callers and the entities that it created. */
export class Session {
  /** In the order in which it was made. */
  readonly made: Made[] = [];
  /** Paths of what could not be deleted so far, and is tried again at the end, or where values become scarce. */
  readonly lasting = new Set<string>();
  private readonly unique = new UniqueValues({
    given: (path) => this.given(path),
    isSpared: (resource, { target }) =>
      target === null || this.spares.targetOf(resource, target.name.plural) !== null,
  });
  /** What the schema allows and the service refused. */
  readonly refused = new RefusedValues();
  private readonly rightRefusals = new WeakMap<Exchange, string>();
  private bodies = 0;
  private readonly spares: Spares;
  private readonly madeSamples: MadeSamples;
  private readonly anchorMaker: AnchorMaker;
  /** What references of bodies lead to. */
  readonly anchors = new Anchors();
  private requestsRaw = 0;

  constructor(readonly options: SessionOptions) {
    this.spares = new Spares(this);
    this.madeSamples = new MadeSamples(this);
    this.anchorMaker = new AnchorMaker(this);
  }

  /** The schema. */
  get model(): ServiceModel {
    return this.options.model;
  }

  /** Every resource of every version except representations, which only REP-7 checks. */
  get resources(): readonly ResourceModel[] {
    return this.everyResource.filter(({ isRepresentation }) => !isRepresentation);
  }

  /** Every resource, including representations. */
  get everyResource(): readonly ResourceModel[] {
    return this.model.versions.flatMap(({ resources }) => resources);
  }

  /** The resource that shows the same entities under their own name, in the same version. */
  originalOf(resource: ResourceModel): ResourceModel | undefined {
    return originalOf(resource, this.resources);
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.options.client.count + this.requestsRaw;
  }

  /** Makes the next body differ from all others. */
  nextSeed(): BodySeed {
    this.bodies += 1;
    const anchors = (plural: string): readonly JsonObject[] => this.anchors.of(plural);
    const spare = (plural: string): JsonObject | undefined => this.spares.of(plural);
    const isTaken = (path: string, value: Json): boolean => this.unique.isTaken(path, value);
    const given = (path: string): JsonObject => this.given(path);
    const seed = { run: this.options.run, index: this.bodies, anchors, spare, isTaken, given };
    const place: BodySeed["place"] = (resource, body, isNew) => {
      const scarce = this.scarceIn(resource, isNew ? 1 : 0);
      const free = scarce === null ? this.unique.freeValues(resource, body, seed) : null;
      if (free !== null) return free;
      throw new CannotMake(scarce ?? `every ${resource.name.words} that could be made is there`);
    };
    return { ...seed, place };
  }

  /** Creates the entities that a resource refers to, in the order of dependence (REP-4). */
  async prepare(resource: ResourceModel): Promise<void> {
    await this.anchorMaker.prepare(resource);
    await this.spares.prepare(resource);
    await this.madeSamples.prepare(resource);
  }

  /** The values that samples give for the next body of the resource at a path. */
  given(path: string): JsonObject {
    return { ...this.options.samples.get(path)?.values, ...this.madeSamples.of(path) };
  }

  /** Whether references of later bodies may lead to the entity at a path. */
  isHeld(path: string): boolean {
    return this.anchors.has(path) || this.spares.has(path) || this.madeSamples.has(path);
  }

  /** Forgets entities that were deleted. */
  forget(gone: ReadonlySet<Made>): void {
    this.made.splice(0, this.made.length, ...this.made.filter((one) => !gone.has(one)));
    for (const { path } of gone) this.unique.forget(path);
  }

  /** The path to create entities of a resource: for a child, under the first known parent (CHD-1). */
  placeOf({ path, parent, name }: ResourceModel): string {
    if (parent === null) return path;
    const [first] = this.anchors.of(parent.name.plural);
    const id = first?.[parent.name.idProperty];
    return `${parent.path}/${typeof id === "string" ? id : MISSING}/${name.plural}`;
  }

  /** Sends a request as the caller with the most access to its path, and records what it creates. */
  async send(method: string, path: string, sent: Sent = {}, as?: Caller): Promise<Exchange> {
    if (this.options.signal.aborted) throw new Interrupted();
    const resource = this.resourceAt(path);
    const caller = as ?? (resource === undefined ? this.anybody : this.callerFor(resource));
    const demanded = sent.isUnconditional === true ? {} : conditionOf(method, resource);
    const headers = { ...bearer(caller), ...demanded, ...sent.headers };
    const exchange = await sendPatiently(this.options.client, method, path, { ...sent, headers });
    if (resource !== undefined) this.unique.observe(exchange, resource);
    if (resource !== undefined && exchange.answer.status === 409)
      await this.judgeRefusal(exchange, resource, sent);
    if (method === "POST" && resource !== undefined) this.remember(exchange, resource, caller);
    const isWritten = ["POST", "PUT", "PATCH"].includes(method) && exchange.answer.status < 300;
    if (isWritten && resource !== undefined) {
      await this.spares.renew(resource);
      await this.madeSamples.renew(resource);
    }
    return exchange;
  }

  /** Whether a resource has a unique list that can hold few entities. */
  isFew(resource: ResourceModel): boolean {
    return this.unique.isFew(resource);
  }

  /** Reads which values of unique lists are taken. */
  async readTaken(resource: ResourceModel): Promise<void> {
    const original = this.originalOf(resource) ?? resource;
    if (this.obstacle(original, ["list"]) !== null) return;
    const caller = this.callerFor(original);
    if (reachOf(original, "list", caller) !== "all") return;
    const { maximumSize } = original.paging;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const path = original.path + query(["pageNumber", page], ["pageSize", maximumSize]);
      const listed = await this.send("GET", path, {}, caller);
      const results = isObject(listed.answer.json) ? listed.answer.json["results"] : undefined;
      if (!isList(results)) return;
      if (page === 1) this.unique.forgetAll(original);
      this.unique.observe(listed, original);
      if (results.length < maximumSize) return;
    }
  }

  /** Why a refusal is right that a check did not expect; null if it is not. */
  rightRefusal(exchange: Exchange): string | null {
    return this.rightRefusals.get(exchange) ?? null;
  }

  /** Remembers what custom code may have refused of a request that the schema allows. */
  noteRefused(exchange: Exchange): void {
    const resource = this.resourceAt(exchange.request.path);
    if (resource !== undefined) this.refused.note(exchange, resource);
  }

  /** Sends a request as anybody would, and takes a 429 for an answer. */
  async sendOnce(method: string, path: string): Promise<Exchange> {
    if (this.options.signal.aborted) throw new Interrupted();
    return this.options.client.send(method, path, { headers: bearer(this.anybody) });
  }

  /** Sends bytes on a connection of their own. */
  async raw(bytes: string | Buffer): Promise<Exchange> {
    if (this.options.signal.aborted) throw new Interrupted();
    this.requestsRaw += 1;
    return sendRaw(this.options.client.base, bytes);
  }

  /** The caller with the most access to a resource. */
  callerFor(resource: ResourceModel): Caller {
    const score = (caller: Caller): number =>
      resource.operations.filter((operation) => isCertain(resource, operation, caller)).length;
    const ranked = [...this.options.callers].sort((a, b) => score(b) - score(a));
    const [first = NOBODY] = ranked;
    // Among equals, the owner of the parent has more access to its children.
    const above = this.resources.find(({ path }) => path === resource.parent?.path);
    const owner = above === undefined ? first : this.callerFor(above);
    return score(owner) === score(first) ? owner : first;
  }

  /**
   * Why a resource cannot be tried with these operations; null if it can. A new entity is what is changed, unless the
   * caller knows of states.
   */
  obstacle(
    resource: ResourceModel,
    operations: readonly Operation[],
    { inAnyState = false }: { readonly inAnyState?: boolean } = {},
  ): string | null {
    const { plural, words, article } = resource.name;
    const { states } = resource.entity;
    const missing = operations.find((operation) => !resource.operations.includes(operation));
    if (missing !== undefined) return `${plural} does not offer ${missing}`;
    const caller = this.callerFor(resource);
    // What a caller may not read is not found by a change either.
    const isFound = operations.some((operation) => FINDING.includes(operation));
    const asked = isFound ? ([...operations, "read"] as const) : operations;
    const forbidden = asked.find((operation) => !isCertain(resource, operation, caller));
    if (forbidden !== undefined) {
      return `none of the given callers may ${forbidden} ${plural}, as far as the schema says`;
    }
    const isChange = operations.includes("replace") || operations.includes("update");
    if (isChange && !inAnyState && states?.updatableIn.includes(states.initial) === false) {
      return `${article} ${words} cannot be changed in its initial state (see STA-3)`;
    }
    const scarce = operations.includes("create") ? this.scarceIn(resource, 1) : null;
    if (scarce !== null) return scarce;
    const lacking = operations.includes("create") ? this.anchors.lackingFor(resource) : null;
    if (lacking !== null) return `there are no ${lacking} that ${plural} could refer to`;
    if (!operations.includes("create") || this.options.leave) return null;
    return this.canDelete(resource, caller)
      ? null
      : `${plural} could not be deleted again (see --leave)`;
  }

  /** Whether a caller may make an entity that somebody who is known can delete again. */
  mayMake(resource: ResourceModel, caller: Caller): boolean {
    if (!resource.operations.includes("create")) return false;
    if (!isCertain(resource, "create", caller)) return false;
    if (this.anchors.lackingFor(resource) !== null || this.scarceIn(resource, 1) !== null) {
      return false;
    }
    if (this.options.leave || this.canDelete(resource, caller)) return true;
    const reachesAll = (other: Caller, operation: Operation): boolean =>
      reachOf(resource, operation, other) === "all";
    return this.options.callers.some(
      (other) =>
        // An entity that a caller may not read cannot be deleted by it either.
        (["delete", "read"] as const).every((operation) => reachesAll(other, operation)) &&
        this.canDelete(resource, other),
    );
  }

  /** Whether an entity may be led into a state: from there it can still be deleted. */
  mayEnter(resource: ResourceModel, state: string): boolean {
    const { states } = resource.entity;
    if (this.options.leave || states === null) return true;
    const isEnd = (one: string): boolean => states.deletableIn.includes(one);
    return statePath(states, state, isEnd, { leading: this.leading(resource) }) !== null;
  }

  /** The actions that lead an entity from state to state, whoever of the callers has made it. */
  leading(resource: ResourceModel, maker = this.callerFor(resource)): readonly LeadingAction[] {
    return leadingActions(resource, maker, this.options.callers);
  }

  private canDelete(resource: ResourceModel, caller: Caller): boolean {
    const may = (operation: Operation): boolean =>
      resource.operations.includes(operation) && isCertain(resource, operation, caller);
    const { states } = resource.entity;
    const isEnd = (state: string): boolean => states?.deletableIn.includes(state) ?? true;
    const ways = { isFixed: !may("update"), leading: this.leading(resource, caller) };
    const isReached = states === null || statePath(states, states.initial, isEnd, ways) !== null;
    return isReached && may("delete") && isCertain(resource, "read", caller);
  }

  private scarceIn(resource: ResourceModel, spared: number): string | null {
    const { parent } = resource;
    const above = this.anchors.of(parent?.name.plural ?? "")[0]?.[parent?.name.idProperty ?? ""];
    const reference = above === undefined ? null : { [parent?.name.idProperty ?? ""]: above };
    return this.unique.scarceIn(resource, reference, spared);
  }

  /** Another entity may have the values of a request that was refused as one that exists. */
  private async judgeRefusal(
    exchange: Exchange,
    resource: ResourceModel,
    { body, text = "" }: Sent,
  ): Promise<void> {
    const sent = body ?? parseJson(text);
    const [error] = errorsOf(exchange.answer);
    const isTaken = error?.["type"] === `${resource.entity.name.typeName}AlreadyExistsMessage`;
    if (!isObject(sent) || !isTaken || !hasUnique(resource)) return;
    await this.readTaken(resource);
    const names = this.unique.takenBy({ ...exchange.request, body: sent }, resource);
    if (names === null) return;
    const { plural } = resource.name;
    const reason = `another of ${plural} has the same ${names.join(" and ")} as what was sent`;
    this.rightRefusals.set(exchange, reason);
  }

  private get anybody(): Caller {
    return this.options.callers[0] ?? NOBODY;
  }

  /** Children are also found under their parents, and others under what they refer to, whose paths begin alike. */
  private resourceAt(target: string): ResourceModel | undefined {
    const [path = ""] = target.split("?");
    const below = (resource: ResourceModel): boolean =>
      pathsOf(resource).some(
        (above) =>
          path.startsWith(`${above.path}/`) &&
          path.slice(above.path.length + 1).split("/")[1] === resource.name.plural,
      );
    return (
      this.resources.find(below) ??
      this.everyResource.find(
        (resource) => path === resource.path || path.startsWith(`${resource.path}/`),
      )
    );
  }

  /** Records every created entity that an answer shows, even if the answer breaks a rule. */
  private remember({ answer }: Exchange, resource: ResourceModel, caller: Caller): void {
    if (answer.status < 200 || answer.status > 299 || !isObject(answer.json)) return;
    const id = answer.json[resource.name.idProperty];
    if (typeof id !== "string") return;
    // What represents it may not let go of it.
    const keeper = this.originalOf(resource);
    if (keeper !== undefined)
      this.made.push({ path: `${keeper.path}/${id}`, resource: keeper, caller });
  }
}
