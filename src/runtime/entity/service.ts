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

/** An entity with the parts that its service for custom code needs. */
export interface ServedEntity<Entity extends CommonFields & Properties, Properties> {
  /** The parts of the entity. Their references have access rules. */
  readonly parts: EntityParts<Entity, Properties>;
  readonly checkParent: ParentCheck | null;
  readonly repository: EntityRepository<Entity, Properties>;
}

/** Puts together the parts that all requests to an `EntityService` share. */
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
 * The operations on the entities of one resource for custom code: with hooks, rules, states and access, without HTTP. In a
 * transaction, all calls are part of it; outside, each call is a transaction. Throws the `ApiError` of a 403, 404 or 409
 * response, and `OwnCodeFault` for an input that breaks a rule (REP-9).
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

  /** Creates an entity. A missing property is null, `[]` or its default. */
  async create(input: Input): Promise<Entity> {
    const call = await this.callOf("POST", "", input);
    const decide = async (): Promise<Properties> => this.propertiesOf(call, null);
    return this.told("create", async () => this.repository.insert(decide, call));
  }

  /** Changes the given properties, and keeps the rest (OPS-5). */
  async change(id: string, changes: PartOf<Input>): Promise<Entity> {
    const call = await this.callOf("PATCH", this.identify(id), changes);
    const decide = async (stored: Entity): Promise<Properties> => this.propertiesOf(call, stored);
    return this.told("change", async () => this.repository.update(decide, call));
  }

  /** Deletes an entity and its children (CHD-4). */
  async remove(id: string): Promise<void> {
    const call = await this.callOf("DELETE", this.identify(id));
    await this.repository.remove(call.id, call);
  }

  /** Reads an entity with the pending changes of the transaction. */
  async read(id: string): Promise<Entity> {
    const call = await this.callOf("GET", this.identify(id));
    return this.repository.read(({ entity }) => entity, call);
  }

  /**
   * Locks an entity until the transaction is written, and reads it. Waits for other transactions of this process in the order
   * of arrival; throws 503 after 20 seconds. After a conflict with another process, the transaction runs again. To protect a
   * rule about related entities, every change that could break it must lock this entity first.
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
   * Emits an event that the schema lists under `emits`, with the current entity (EVT-1), in this transaction or in its own. The
   * entity gets a new revision, which orders its events.
   */
  async emit(id: string, event: Emitted): Promise<void> {
    const call = await this.callOf("PATCH", this.identify(id));
    await this.repository.emit(call.id, event, call);
  }

  /** Returns one page of stored entities, without the pending changes of the transaction. */
  async list(query: ServiceQuery<Where> = {}): Promise<ServicePage<Entity>> {
    const { complete = true } = query;
    const listed = listQueryOf(query, this.parts.store.table);
    const { results, itemCount, pageSize, pageNumber } = await this.page(listed, complete);
    // `listQueryOf` requests the count and a page number.
    const told = { itemCount: itemCount ?? results.length, pageNumber: pageNumber ?? 1 };
    return { results, ...told, pageSize };
  }

  private async page(listed: ListQuery, isCompleted: boolean): Promise<Page<Entity>> {
    try {
      return await this.repository.list(listed, await this.callOf("GET", ""), isCompleted);
    } catch (error) {
      // No client requested this page, so none can request a smaller one.
      if (!(error instanceof ResultTooLarge)) throw error;
      const { fields = [] } = pageTooLarge(error.mostBytes).details;
      throw this.faultOf("list", fields);
    }
  }

  /** A missing property keeps its stored value. Custom code can also set properties that are read-only for clients. */
  private async propertiesOf(call: HttpCall, stored: Properties | null): Promise<Properties> {
    const { reader, references } = this.parts;
    const input = new BodyInput(withIdentifiers(call.body, references), "own");
    const resolved = await lookUp(references, call, stored);
    if (stored === null) await this.served.checkParent?.(resolved, call.context);
    return input.finish(reader.read(input, stored, resolved));
  }

  /** Creates the call of an operation. A change joins the current transaction, if there is one. Throws after too many calls. */
  protected async callOf(method: Method, id: string, body: object = {}): Promise<HttpCall> {
    const { request } = this;
    const isRead = method === "GET" && request.unit !== null;
    const context = isRead ? request.as(request.caller) : request.inPart();
    await countCall(context, request);
    return {
      method,
      id,
      // The readers reject values that are not JSON.
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

  /** Turns a refusal of properties into a fault of custom code, because no client sent them. */
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

/** The schema of one entity, independent of its resources. */
export interface EntityShape<
  Entity extends CommonFields & Properties,
  Properties,
  Leading extends References = References,
> {
  readonly store: EntityStore<Entity, Properties>;
  /** Reads an entity, from a body or from custom code (REP-9). */
  readonly reader: EntityReader<Properties, ResolvedReferences<References>>;
  /** The references by their paths (REP-4). */
  readonly references: Leading;
  /** STA. Null means that the entity has no states. */
  readonly states: StateChecks<Properties> | null;
  /** VER-2: the older versions that custom code converts. Defaults to none. */
  readonly older?: readonly OlderShape<Entity>[];
}

/** The schema of one entity, with custom code. */
export interface EntityParts<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext = Context,
  Leading extends References = References,
> extends EntityShape<Entity, Properties, Leading> {
  readonly hooks: EntityHooks<Entity, Properties, OwnContext>;
  /** Creates the context of custom code. */
  readonly contextOf: (request: RequestContext) => OwnContext;
}
