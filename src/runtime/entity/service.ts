import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ApiError, entityNotFound, pageTooLarge, type FieldIssue } from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall, Method } from "../http/routes.js";
import { BodyInput } from "../input/bodies.js";
import type { JsonObject } from "../input/json.js";
import type { EntityReader } from "../input/objects.js";
import type { Page } from "../query/page.js";
import type { ListQuery } from "../query/query.js";
import { ResultTooLarge } from "../store/database.js";
import type { EntityStore } from "../store/entity-store.js";
import type { PartOf } from "./body-types.js";
import type { OlderShape } from "./conversion.js";
import { countCall, type Context, type EntityHooks } from "./hooks.js";
import { withIdentifiers } from "./reference-paths.js";
import { lookUp, type References, type ResolvedReferences } from "./references.js";
import type { EntityRepository, ParentCheck, ServiceRules, StateChecks } from "./repository.js";
import { listQueryOf, type ServicePage, type ServiceQuery } from "./service-query.js";

/** An entity as the service's own code is served it. */
export interface ServedEntity<Entity extends CommonFields & Properties, Properties> {
  /** Its references ask for access. */
  readonly parts: EntityParts<Entity, Properties>;
  readonly checkParent: ParentCheck | null;
  readonly repository: EntityRepository<Entity, Properties>;
}

/** Puts together what all requests share of an `EntityService`. */
export function servedBy<
  Entity extends CommonFields & Properties,
  Properties,
  Repository extends EntityRepository<Entity, Properties>,
>(
  repository: Repository,
  parts: EntityParts<Entity, Properties>,
  { references = parts.references, parent }: ServiceRules<Properties>,
) {
  return { parts: { ...parts, references }, checkParent: parent ?? null, repository };
}

/**
 * What requests can do to the entities of one resource, for the service's own code: with hooks, rules, states and access, and
 * without HTTP. Inside a transaction all of it belongs to that one; outside, each call is one. What would be answered with
 * 403, 404 or 409 throws that `ApiError`; an input that breaks a rule throws `OwnCodeFault` (REP-9).
 */
export class EntityService<
  Entity extends CommonFields & Properties,
  Properties,
  Input extends object,
  Where extends object,
  Emitted extends string = never,
> {
  private readonly parts: EntityParts<Entity, Properties>;
  private readonly repository: EntityRepository<Entity, Properties>;

  constructor(
    private readonly served: ServedEntity<Entity, Properties>,
    private readonly request: RequestContext,
  ) {
    this.parts = served.parts;
    this.repository = served.repository;
  }

  /** Creates an entity. What is left out is null, `[]` or its default. */
  async create(input: Input): Promise<Entity> {
    const call = await this.callOf("POST", "", input);
    const decide = async (): Promise<Properties> => this.propertiesOf(call, null);
    return this.told("create", async () => this.repository.insert(decide, call));
  }

  /** Changes what is given, and keeps the rest (OPS-5). */
  async change(id: string, changes: PartOf<Input>): Promise<Entity> {
    const call = await this.callOf("PATCH", this.identify(id), changes);
    const decide = async (stored: Entity): Promise<Properties> => this.propertiesOf(call, stored);
    return this.told("change", async () => this.repository.update(decide, call));
  }

  /** Deletes an entity, and its children with it (CHD-4). */
  async remove(id: string): Promise<void> {
    const call = await this.callOf("DELETE", this.identify(id));
    await this.repository.remove(call.id, call);
  }

  /** Reads an entity, as the transaction that is being prepared leaves it. */
  async read(id: string): Promise<Entity> {
    const call = await this.callOf("GET", this.identify(id));
    return this.repository.read(({ entity }) => entity, call);
  }

  /**
   * Waits until no other transaction of this process has the entity locked, in the order of arrival, then reads it and keeps
   * it until this one is written; where another process was faster, this one runs again. Throws 503 after 20 seconds. A rule about what belongs to an entity holds where everybody who could break it locks that first, and looks then.
   */
  async lock(id: string): Promise<Entity> {
    if (this.request.unit === null) {
      const { name } = this.parts.store.table;
      throw new Error(`services.${name}.lock lasts as long as a transaction, and there is none.`);
    }
    const call = await this.callOf("PATCH", this.identify(id));
    return this.repository.lock(call.id, call);
  }

  /**
   * Emits an event that the schema names under `emits`, with the entity as it is then (EVT-1): in this transaction, or in one
   * of its own. The entity gets a new revision by it, which puts its events in order.
   */
  async emit(id: string, event: Emitted): Promise<void> {
    const call = await this.callOf("PATCH", this.identify(id));
    await this.repository.emit(call.id, event, call);
  }

  /** One page of those that are stored, without what the transaction that is being prepared will change. */
  async list(query: ServiceQuery<Where> = {}): Promise<ServicePage<Entity>> {
    const { complete = true } = query;
    const listed = listQueryOf(query, this.parts.store.table);
    const { results, itemCount, pageSize, pageNumber } = await this.page(listed, complete);
    // `listQueryOf` asks for the count, and for a page by its number.
    const told = { itemCount: itemCount ?? results.length, pageNumber: pageNumber ?? 1 };
    return { results, ...told, pageSize };
  }

  private async page(listed: ListQuery, isCompleted: boolean): Promise<Page<Entity>> {
    try {
      return await this.repository.list(listed, await this.callOf("GET", ""), isCompleted);
    } catch (error) {
      // No client has asked for this page, and none could ask for a smaller one.
      if (!(error instanceof ResultTooLarge)) throw error;
      const { fields = [] } = pageTooLarge(error.mostBytes).details;
      throw this.faultOf("list", fields);
    }
  }

  /** What is left out keeps what is stored; what clients only read can be given as well. */
  private async propertiesOf(call: HttpCall, stored: Properties | null): Promise<Properties> {
    const { reader, references } = this.parts;
    const input = new BodyInput(withIdentifiers(call.body, references), "own");
    const resolved = await lookUp(references, call, stored);
    if (stored === null) await this.served.checkParent?.(resolved, call.context);
    return input.finish(reader.read(input, stored, resolved));
  }

  /** A change is a part of the transaction that there is, or one of its own. Throws where there are too many calls. */
  protected async callOf(method: Method, id: string, body: object = {}): Promise<HttpCall> {
    const { request } = this;
    const isRead = method === "GET" && request.unit !== null;
    const context = isRead ? request.as(request.caller) : request.inPart();
    await countCall(context, request);
    return {
      method,
      id,
      // Whether its values are those of JSON is what the readers find out.
      body: body as JsonObject,
      path: "",
      search: "",
      headers: {},
      context,
      requestId: request.requestId,
    };
  }

  /** IDN-4 */
  protected identify(id: string): string {
    const known = parseIdentifier(id);
    if (known === null) throw entityNotFound(this.parts.store.table.entityType, id);
    return known;
  }

  /** A refusal of properties is about this input, and not about what a client has sent. */
  protected async told<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const fields = error instanceof ApiError ? error.details.fields : undefined;
      if (fields === undefined) throw error;
      throw this.faultOf(operation, fields);
    }
  }

  private faultOf(operation: string, fields: readonly FieldIssue[]): OwnCodeFault {
    return new OwnCodeFault(`services.${this.parts.store.table.name}.${operation}`, fields);
  }
}

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
