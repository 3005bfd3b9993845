import type { CommonFields, Subject } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { ApiError, entityNotFound, pageTooLarge, type FieldIssue } from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall, Method } from "../http/routes.js";
import { BodyInput } from "../input/bodies.js";
import type { JsonObject } from "../input/json.js";
import type { EntityReader } from "../input/objects.js";
import { Problem } from "../input/reader.js";
import { type FilterValue, type ParameterFilter, uuidFilter } from "../query/filters.js";
import type { Page } from "../query/page.js";
import type {
  ListQuery,
  Comparison,
  Filter,
  SearchComparison,
  SortKey,
  ValueFilter,
} from "../query/query.js";
import { unsearchable } from "../query/search-text.js";
import type { Among, Comparisons } from "../query/where.js";
import { ResultTooLarge } from "../store/database.js";
import type { EntityStore } from "../store/entity-store.js";
import type { ListedTable } from "../store/entity-table.js";
import type { StoredPair } from "./conversion.js";
import { countCall, type Context, type EntityHooks } from "./hooks.js";
import { withIdentifiers, lookUp, type References, type ResolvedReferences } from "./references.js";
import type { EntityRepository, ParentCheck, ServiceRules, StateChecks } from "./repository.js";

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
 * transaction, all changes are part of it. Outside, each change is a transaction. Throws the `ApiError` of a 401, 403, 404 or
 * 409 response, and `OwnCodeFault` for an input that breaks a rule (REP-9).
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
  /** VER-2: the conversions between versions, the oldest first. Defaults to none. */
  readonly conversions?: readonly StoredPair[];
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

/** A search for words or a prefix, if the schema has `filterable: search` (QRY-7). Of several values, any may match. */
export interface SearchCondition {
  /** Words in any order. If none has three characters (two in Han, kana and Hangul), `list` throws `OwnCodeFault`. */
  readonly contains?: string | readonly string[];
  readonly startsWith?: string | readonly string[];
}

/** The values or comparisons for a property. */
export type FilterCondition<Value> = Among<Value> | Comparisons<Value>;

/** The filters, order and page of a list. */
export interface ServiceQuery<Where extends object> {
  /**
   * All conditions must hold, and one of those under `any`. An `undefined` value is an error, because without its condition
   * everything would match.
   */
  readonly where?: WithAlternatives<Where>;
  /** `-` means descending. The identifier breaks ties (QRY-4). */
  readonly sort?: readonly SortOf<Where>[];
  /** Page number, counted from 1. Defaults to 1. */
  readonly pageNumber?: number;
  /** Defaults to 20. */
  readonly pageSize?: number;
  /** False skips `complete`, so that a rule does not wait for another service. Defaults to true. */
  readonly complete?: boolean;
}

/** If a property is called `any`, the name means the property, and there are no alternatives. */
type WithAlternatives<Where> = "any" extends keyof Where
  ? Where
  : Where & { readonly any?: readonly Where[] };

/** One page for custom code, with the number of all matches. */
export interface ServicePage<Entity> extends Pick<Page<Entity>, "results" | "pageSize"> {
  readonly itemCount: number;
  readonly pageNumber: number;
}

/** The properties to sort by: subjects can only be filtered. */
type SortOf<Where> =
  `${"" | "-"}${Exclude<keyof Where & string, SubjectPath> | "createdDate" | "lastModifiedDate"}`;

type SubjectPath = `${"created" | "lastModified"}Subject.${keyof Subject}`;

const DEFAULT_SIZE = 20;
const SEARCHES: readonly SearchComparison[] = ["contains", "startsWith"];
const SIZES: readonly (keyof Comparisons<never> & Comparison)[] = [
  "atLeast",
  "moreThan",
  "atMost",
  "lessThan",
];

const UNDEFINED =
  "is compared with undefined, or in no way that is known: leave it out, or write null";

type Asked = Pick<ListedTable, "name" | "idProperty" | "columns" | "commonFilters" | "searches">;

/** Creates the query of a list. Throws `OwnCodeFault` for unknown paths or impossible values in `where`, and for a bad page. */
export function listQueryOf<Where extends object>(
  query: ServiceQuery<Where>,
  table: Asked,
): ListQuery {
  const { where = {}, sort = [], pageNumber = 1, pageSize = DEFAULT_SIZE } = query;
  const issues = [...wholeIssue("pageNumber", pageNumber), ...wholeIssue("pageSize", pageSize)];
  const filters = conditionsOf(where, table, issues);
  if (issues.length > 0) {
    throw new OwnCodeFault(`services.${table.name}.list`, issues);
  }
  const page = { pageNumber, pageSize, defaultSize: DEFAULT_SIZE, isOfCustomCode: true };
  return { filters, sort: sort.map(sortKeyOf), ...page, counted: true };
}

function conditionsOf(where: object, table: Asked, issues: FieldIssue[]): Filter[] {
  const { idProperty, columns, commonFilters = {}, searches = [] } = table;
  // Types do not restrict custom code at run time.
  return Object.entries<Wanted | undefined>(where as never).flatMap(([path, wanted]): Filter[] => {
    if (path === "any" && isAlternatives(wanted, columns)) {
      return [{ any: wanted.map((one) => conditionsOf(one, table, issues)) }];
    }
    const isKnown =
      path === idProperty || Object.hasOwn(columns, path) || Object.hasOwn(commonFilters, path);
    if (!isKnown) {
      issues.push({ field: path, message: "cannot be compared" });
      return [];
    }
    const contains = columns[path]?.contains === true;
    const filters = wanted === undefined ? [] : filtersOf(path, wanted, contains);
    // Without a known comparison, everything would match.
    if (filters.length === 0) issues.push({ field: path, message: UNDEFINED });
    const reads =
      path === idProperty ? uuidFilter() : (columns[path]?.filter ?? commonFilters[path]);
    const isSearched = searches.some((one) => one.path === path);
    return filters.map((filter) => readFilter(filter, { reads, isSearched }, issues));
  });
}

function isAlternatives(wanted: unknown, columns: Asked["columns"]): wanted is readonly object[] {
  const isObject = (one: unknown): boolean => typeof one === "object" && one !== null;
  return Array.isArray(wanted) && (wanted.some(isObject) || !Object.hasOwn(columns, "any"));
}

/** Checks a page number or size. For less than 1, a database returns all rows or throws its own error. */
function wholeIssue(field: string, value: number): FieldIssue[] {
  if (Number.isSafeInteger(value) && value >= 1) return [];
  return [{ field, message: `must be a whole number of at least 1, and is ${value}` }];
}

/** Reads values like parameters, so that a mistake is an error and not an empty list. */
function readFilter(
  filter: ValueFilter,
  {
    reads,
    isSearched,
  }: { readonly reads: ParameterFilter | undefined; readonly isSearched: boolean },
  issues: FieldIssue[],
): ValueFilter {
  const { comparison } = filter;
  if (comparison === "contains" || comparison === "startsWith") {
    const messages = filter.values.map((value) =>
      typeof value === "string" ? unsearchable(value, comparison) : "must be a string",
    );
    if (!isSearched) messages.push("is not searched: its schema does not say so");
    const told = messages.filter((message) => message !== null);
    issues.push(...told.map((message) => ({ field: filter.path, message })));
    return filter;
  }
  const values = filter.values.flatMap((value: FilterValue | undefined): FilterValue[] => {
    if (value === undefined) {
      issues.push({ field: filter.path, message: UNDEFINED });
      return [];
    }
    const known = reads === undefined ? value : reads.read(String(value));
    if (!(known instanceof Problem)) return [known];
    issues.push({ field: filter.path, message: known.message });
    return [];
  });
  return { ...filter, values };
}

function sortKeyOf(key: string): SortKey {
  const descending = key.startsWith("-");
  return { path: descending ? key.slice(1) : key, descending };
}

function filtersOf(path: string, wanted: Wanted, contains: boolean): ValueFilter[] {
  if (!isCompared(wanted)) return [anyOf(path, wanted, contains)];
  const searches = SEARCHES.flatMap((comparison): ValueFilter[] => {
    const searched = wanted[comparison];
    if (searched === undefined) return [];
    const values = isList(searched) ? searched : [searched];
    return [{ path, contains: false, comparison, values, orNull: false }];
  });
  const sizes = SIZES.flatMap((comparison): ValueFilter[] => {
    const value = wanted[comparison];
    return value === undefined
      ? []
      : [{ path, contains, comparison, values: [value], orNull: false }];
  });
  const { not } = wanted;
  if (not === undefined) return [...searches, ...sizes];
  return [...searches, ...sizes, { ...anyOf(path, not, contains), comparison: "noneOf" }];
}

function anyOf(path: string, wanted: Among<FilterValue>, contains: boolean): ValueFilter {
  const all: readonly (FilterValue | null)[] = isList(wanted) ? wanted : [wanted];
  const values = all.filter((value) => value !== null);
  return { path, contains, values, orNull: values.length < all.length };
}

function isList<Value>(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}

/** All comparisons of a property. */
type Compared = Comparisons<FilterValue> & SearchCondition;
type Wanted = Among<FilterValue> | Compared;

function isCompared(wanted: Wanted): wanted is Compared {
  return typeof wanted === "object" && wanted !== null && !Array.isArray(wanted);
}

declare const identifiedBy: unique symbol;

/** The base type of references. `Name` is the member that contains the identifier of the other entity (REP-4). */
export interface ReferenceTo<Name extends string> {
  readonly [identifiedBy]?: Name;
}

/**
 * The type of a body, or of input from custom code, made from the type `Shown` of a response. A reference needs only its
 * identifier, and nullable properties may be omitted. `Optional` are the paths of other properties that may be omitted: those
 * with a default, and lists that may be empty.
 */
export type InputOf<Shown, Optional extends string = never> = {
  readonly [Key in keyof Shown as Key extends LeftOut<Shown, Optional> ? never : Key]: ValueOf<
    Shown[Key],
    Below<Key, Optional>
  >;
} & {
  readonly [Key in keyof Shown as Key extends LeftOut<Shown, Optional> ? Key : never]?: ValueOf<
    Shown[Key],
    Below<Key, Optional>
  >;
};

type ValueOf<Shown, Optional extends string> = Shown extends readonly (infer Item)[]
  ? readonly ValueOf<Item, Optional>[]
  : Shown extends ReferenceTo<infer Name> & object
    ? typeof identifiedBy extends keyof Shown
      ? Readonly<Pick<Shown, Extract<Name, keyof Shown>>> & ReferenceTo<Name & string>
      : InputOf<Shown, Optional>
    : Shown;

type LeftOut<Shown, Optional> = {
  [Key in keyof Shown]: null extends Shown[Key] ? Key : Extract<Key, Optional>;
}[keyof Shown];

/** The name of the identifier in a reference. Never, if `Shown` is not a reference. */
export type IdentifierOf<Shown> = typeof identifiedBy extends keyof Shown
  ? Shown extends ReferenceTo<infer Name>
    ? Extract<Name, keyof Shown>
    : never
  : never;

/** The path below a key. */
type Below<Key, Optional> = Optional extends `${Key & string}.${infer Path}` ? Path : never;

/** The body of a PUT: every property of `Body` is required, except those in `Kept`, which keep their value if omitted (OPS-4). */
export type ReplacementOf<Body, Kept extends keyof Body = never> = Required<Omit<Body, Kept>> &
  Partial<Pick<Body, Kept>>;

/** The body of a PATCH: every property may be omitted, also in objects, but not in the items of lists (OPS-5, RFC 7396). */
export type PartOf<Body> = { readonly [Key in keyof Body]?: PartOfValue<Body[Key]> };

type PartOfValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? typeof identifiedBy extends keyof Value
      ? Value
      : PartOf<Value>
    : Value;

/** A page of a list (COL-1). */
export interface PageOf<Shown> {
  results: Shown[];
  /** Absent in a page that follows a token (QRY-9). */
  pageNumber?: number;
  pageSize: number;
  /** The token of the next page, if the envelope contains it. Null means the last page. */
  next?: string | null;
}

/** A page with the totals of all pages (COL-2). */
export interface CountedPageOf<Shown> extends PageOf<Shown> {
  itemCount: number;
  pageCount?: number;
}
