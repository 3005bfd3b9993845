import type { CommonFields, Subject } from "../base/common-fields.js";
import { timestampWriter, type Clock } from "../base/time.js";
import { type Page, otherToken } from "../query/page.js";
import type { Filter, ListQuery } from "../query/query.js";
import { EVERYBODY, TENANT, tenantFilter, tenantOf, type TenantCaller } from "../query/tenant.js";
import { pageWithinBudget, nullIfTooLarge, type PageBounds, exactCount } from "./pages.js";
import {
  cascadeSteps,
  linkSteps,
  relinkSteps,
  changedPlaces,
  FIRST_REVISION,
  WriteSql,
  openEnded,
} from "./write-sql.js";
import { ALL_RIGHTS, type ChildRights, type EntityTable, selectSql } from "./entity-table.js";
import {
  ResultTooLarge,
  type Database,
  type Recipient,
  type RowBound,
  type SqlRow,
  type WriteStep,
} from "./database.js";
import {
  decodeRows,
  type DecodedRows,
  type ReadRows,
  lastModifiedValues,
  numberOf,
  textOf,
  NO_LINKED_ROWS,
  type LinkedRows,
  type LinkedReading,
} from "./rows.js";
import { DIALECTS } from "./dialect.js";
import {
  eventNamed,
  eventSteps,
  insertionSteps,
  type AnnouncedVersion,
  type EventKind,
  type EventOf,
} from "./entity-events.js";
import {
  JsonColumns,
  missingMemberLog,
  type JsonTexts,
  type MissingMemberLog,
} from "./json-columns.js";
import { KeyedLocks, KeyedMutex } from "./locks.js";
import { ListSql } from "./list-sql.js";
import { isDataException } from "./postgres/errors.js";
import { SearchEstimate, updateSearchSteps, searchSteps, type BoundSql } from "./search-sql.js";

/** An entity as stored, with the revision that a change of it must still find. */
export interface Stored<Entity> {
  readonly entity: Entity;
  readonly revision: number;
  /** AUT-4: null for an entity that all tenants share. */
  readonly tenant: string | null;
  /** The raw texts of JSON columns. */
  readonly json?: JsonTexts;
}

/** A prepared write, and the entity that it results in. Nothing happens until the steps are carried out. */
export interface Pending<Entity> extends Stored<Entity> {
  readonly steps: readonly WriteStep[];
}

interface Author {
  readonly subject: Subject;
  /** AUT-4: names the tenant of a new entity. Defaults to the caller that `of` was given. */
  readonly caller?: TenantCaller;
}

/** The steps of a deletion, and the stamps of entities that no longer refer to the deleted one (CHD-4). */
export interface Deletion {
  readonly steps: readonly WriteStep[];
  readonly stamps: CommonFields;
  /** The refusal, if others still refer to it. */
  readonly inUse: Error | null;
}

/** Checks properties from custom code, and returns them as they will be stored. Throws `OwnCodeFault`. */
type CustomCodeReader<Properties> = (
  properties: Properties,
  stored: Properties | null,
) => Properties;

interface StoreOptions extends MissingMemberLog {
  readonly database: Database;
  readonly clock: Clock;
  readonly newIdentifier: () => string;
  readonly settings: {
    readonly limits: { readonly pageBytes: number; readonly bodyBytes: number };
  };
  readonly logger: MissingMemberLog["logger"] & { error(fields: object, text: string): void };
}

/**
 * The stored entities of one resource, without hooks and access rules. Reads entities, and prepares writes. Custom code passes
 * the writes to `context.add`, so that they are committed together with the current change.
 */
export class EntityStore<Entity extends CommonFields & Properties, Properties> {
  /** Locks of entities. A change also takes one if the entity is locked, or after a conflict. */
  readonly locks: KeyedLocks;
  private readonly largePages = new KeyedMutex();
  /** Checks entities that custom code writes (REP-9). Set once, when the custom code of the entity is known. */
  readCustom: CustomCodeReader<Properties> = (properties) => properties;
  private readonly timestamp = timestampWriter();
  private readonly lists: ListSql;
  private readonly reach: SearchEstimate;
  private readonly json: JsonColumns;
  private readonly select: string;
  private readonly identifier: string;
  private readonly selectById: string;
  private readonly writes: WriteSql;
  /** AUT-4: whose tenant reads without a filter of their own are confined to. Null for the store itself. */
  private readonly caller: TenantCaller | null = null;

  constructor(
    readonly table: EntityTable<Entity, Properties>,
    private readonly options: StoreOptions,
    readonly announced: readonly AnnouncedVersion<Entity>[] = NO_VERSIONS,
  ) {
    this.locks = new KeyedLocks(table.name);
    this.writes = new WriteSql(table);
    this.json = new JsonColumns(table.json, table.written, missingMemberLog(table.name, options));
    this.select = selectSql(table);
    this.lists = new ListSql(table, options.database.dialect, this.select);
    this.reach = new SearchEstimate(options.database, this.lists);
    this.identifier = `"${table.name}"."${table.idProperty}"`;
    this.selectById = `${this.select} WHERE ${this.identifier} = ?`;
  }

  get database(): Database {
    return this.options.database;
  }

  /** AUT-4: returns this store, confined to the tenant of a caller. */
  of(caller: TenantCaller): this {
    if (this.table.hasTenant !== true) return this;
    return Object.create(this, { caller: { value: caller } }) as this;
  }

  /** AUT-4: returns the filters of a read with that of the tenant. Without a caller, throws for filters that have none. */
  private confined(filters: readonly Filter[]): readonly Filter[] {
    const { caller, table } = this;
    if (table.hasTenant !== true) return filters;
    if (filters.some((filter) => "path" in filter && filter.path === TENANT)) return filters;
    if (caller === null) throw new Error(`${table.name} are read without a tenant.`);
    return [tenantFilter(caller), ...filters];
  }

  /** The limit of a page, except for pages of up to the default size (LIM-1). */
  get pageBytes(): number {
    return this.options.settings.limits.pageBytes;
  }

  /** Reads an entity. Null means that it does not exist, or does not pass the filters. */
  async find(id: string, filters: readonly Filter[] = []): Promise<Entity | null> {
    const stored = await this.findStored(id, filters);
    return stored === null ? null : stored.entity;
  }

  /** Reads existing entities that pass the filters, in any order. */
  async findAll(
    ids: readonly string[],
    filters: readonly Filter[] = [],
  ): Promise<readonly Entity[]> {
    if (ids.length === 0) return [];
    return (await this.decoded(() => this.rowsOf(ids, filters))).entities;
  }

  /**
   * Reads an entity with its revision. Null means that it does not exist, or does not pass the filters. If `isAnswered`, throws
   * `EmbeddedTooLarge` for an entity that embeds too much.
   */
  findStored(
    id: string,
    filters: readonly Filter[] = [],
    isAnswered = false,
  ): Promise<Stored<Entity> | null> {
    if (this.table.linked !== undefined) return this.findLinked(id, filters, isAnswered);
    // One more promise here would slow down every request.
    return this.rowOf(id, filters).then((row) =>
      row === undefined ? null : this.storedOf(row, this.decode(row, NO_LINKED_ROWS)),
    );
  }

  private async findLinked(
    id: string,
    filters: readonly Filter[],
    isAnswered: boolean,
  ): Promise<Stored<Entity> | null> {
    const look: ReadRows = async () => {
      const row = await this.rowOf(id, filters);
      return row === undefined ? [] : [row];
    };
    const { rows, entities } = await this.decoded(look, isAnswered ? { leaveOut: refuse } : {});
    const [row, entity] = [rows[0], entities[0]];
    return row === undefined || entity === undefined ? null : this.storedOf(row, entity);
  }

  /**
   * Reads one page, with the exact number of entities if the query counts them (COL-2). Throws `ResultTooLarge`,
   * `RecipientGone`, and 400 for keys of another list.
   */
  page(asked: ListQuery, recipient?: Recipient): Promise<Page<Entity>> {
    const filters = this.confined(asked.filters);
    const query = filters === asked.filters ? asked : { ...asked, filters };
    return pageWithinBudget(query, this.options.settings.limits, this.largePages, (part, bounds) =>
      this.boundedPage(part, bounds, recipient),
    );
  }

  private async boundedPage(
    query: ListQuery,
    { bytes, shown, text }: PageBounds,
    recipient?: Recipient,
  ): Promise<Omit<Page<Entity>, "mostBytes">> {
    const { after, pageNumber, pageSize } = query;
    const { page, count, few, sorted, walked } = this.lists.statements(query);
    const values = this.lists.values(query);
    const isWalked = walked !== null && (await this.reach.findsMany(query));
    const offset = Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER);
    const { database } = this.options;
    const found = isWalked ? walked : { page, sorted: walked === null ? sorted : null };
    const bindings = isWalked ? this.lists.values(query, "walk") : values;
    const order = this.lists.orderValues(query);
    const following =
      after && this.lists.following(query, after, isWalked ? "walk" : this.lists.usual(query));
    if (following === null) throw otherToken();
    const read = (rows: number): Promise<readonly SqlRow[]> => {
      const bound = bytes === undefined ? undefined : { rows, bytes };
      if (following) return this.readAfter(following, rows, bound, recipient);
      const list = { sql: found.page, values: [...order, ...bindings, rows, offset] };
      return found.sorted === null || database.sortedPage === undefined
        ? database.all(list.sql, list.values, bound, recipient)
        : database.sortedPage({ ...found.sorted, ...list }, bound, recipient);
    };
    let isFollowed = true;
    const look: ReadRows = async () => {
      // A count would see a later moment. Instead, one extra row shows whether others follow, unless it makes the page too large.
      const some = await nullIfTooLarge(read(pageSize + 1));
      isFollowed = some === null || some.length > pageSize;
      return some === null ? read(pageSize) : some.slice(0, pageSize);
    };
    const leaveOut = (id: string, err: Error): void => {
      const fields = { err, [this.table.idProperty]: id };
      this.options.logger.error(fields, "left out of a list: it cannot be shown");
    };
    const isBounded = bytes !== undefined;
    const reading = { recipient, bytes, shown, ...(isBounded && { leaveOut }) };
    const { rows, entities: results } = await this.decoded(look, reading);
    if (text !== undefined && rows.length > 1 && textBytes(rows) > text)
      throw new ResultTooLarge(text);
    const counted = { offset: after ? null : offset, rows: rows.length, isFollowed, recipient };
    const itemCount = query.counted
      ? await exactCount(database, { count, few, values }, counted)
      : null;
    const lastRow = isFollowed ? rows.at(-1) : undefined;
    const last = lastRow === undefined ? null : this.lists.keysOf(query, lastRow);
    return { results, itemCount, pageNumber: after ? null : pageNumber, pageSize, last };
  }

  /** Reads the rows after some keys. Throws as `page` does, such as 400 for keys that are not values of the order. */
  private async readAfter(
    statements: readonly BoundSql[],
    most: number,
    bound: RowBound | undefined,
    recipient: Recipient | undefined,
  ): Promise<readonly SqlRow[]> {
    const { database } = this.options;
    const rows: SqlRow[] = [];
    for (const { sql, values } of statements) {
      const limited = [...values, most - rows.length, 0];
      const left = bound && { ...bound, bytes: bound.bytes - textBytes(rows) };
      try {
        rows.push(...(await database.all(sql, limited, left, recipient)));
      } catch (error) {
        throw isDataException(error) ? otherToken() : error;
      }
      if (rows.length === most) break;
    }
    return rows;
  }

  /** Prepares a new entity for `context.add` (ENT-1). Throws `OwnCodeFault` if it breaks a rule (REP-9). */
  insertion(properties: Properties, author: Author): Pending<Entity> {
    return this.prepareInsertion(this.readCustom(properties, null), author);
  }

  /**
   * Prepares a change of an entity that was read, for `context.add`. Null means that nothing changes (ENT-4). Throws
   * `OwnCodeFault` if the change breaks a rule (REP-9). Writing it throws `WriteConflict` if the entity has changed since it was
   * read.
   */
  change(stored: Stored<Entity>, next: Properties, author: Author): Pending<Entity> | null {
    return this.prepareChange(stored, this.readCustom(next, stored.entity), author);
  }

  /** Prepares a new entity from checked properties (ENT-1). */
  prepareInsertion(properties: Properties, author: Author): Pending<Entity> {
    const { table, options } = this;
    const { subject, caller = this.caller } = author;
    const tenant = table.hasTenant === true ? tenantOf(caller ?? UNKNOWN) : null;
    const id = options.newIdentifier();
    const now = this.timestamp(options.clock());
    const common: CommonFields = {
      createdDate: now,
      createdSubject: subject,
      lastModifiedDate: now,
      lastModifiedSubject: subject,
    };
    const insert = this.writes.insert(id, table.encode(properties), common, tenant);
    const entity = table.assemble(id, properties, common);
    const { dialect } = options.database;
    const links = linkSteps(table.links, id, properties);
    const searched = searchSteps(dialect, table.searches, id, properties);
    const made = { entity, revision: FIRST_REVISION, tenant };
    const events = this.events("created", made);
    const steps = [...insertionSteps(insert, events, dialect), ...links, ...searched];
    return { ...made, steps };
  }

  /**
   * Returns the steps that update the searched texts (QRY-7), for a custom statement that changes them. `properties` are the
   * values after that statement.
   */
  searchSteps(id: string, properties: Properties): readonly WriteStep[] {
    return updateSearchSteps(this.database.dialect, this.table.searches, id, [null, properties]);
  }

  /** Whether a change has no effect (ENT-4). */
  isSame(stored: Properties, next: Properties): boolean {
    const { table } = this;
    return changedPlaces(table.encode(stored), table.encode(next)).length === 0;
  }

  /**
   * Prepares a change to checked properties. Null means that nothing changes (ENT-4). Writing it throws `WriteConflict` if the
   * entity has changed since it was read.
   */
  prepareChange(stored: Stored<Entity>, next: Properties, author: Author): Pending<Entity> | null {
    const { table } = this;
    const { entity, revision, tenant } = stored;
    const encoded = table.encode(next);
    const places = changedPlaces(table.encode(entity), encoded);
    if (places.length === 0) return null;
    const id = table.identify(entity);
    const common = this.modifiedNow(entity, author);
    const kept = this.json.withUnknownMembers(encoded, stored.json);
    const update = this.writes.update(places, kept, { id, revision, common });
    const json = this.json.textsIn(kept);
    const changed = table.assemble(id, next, common);
    const links = relinkSteps(table.links, id, [entity, next]);
    const { dialect } = this.options.database;
    const searched = updateSearchSteps(dialect, table.searches, id, [entity, next]);
    const made = { entity: changed, revision: revision + 1, tenant, json };
    return { ...made, steps: [update, ...links, ...searched, ...this.events("updated", made)] };
  }

  /**
   * Prepares a new revision of an unchanged entity, so that writes that rely on the former one fail. Writing it throws
   * `WriteConflict` if the entity has changed since it was read.
   */
  lockOf(stored: Stored<Entity>): Pending<Entity> {
    const { entity, revision } = stored;
    const id = this.table.identify(entity);
    const steps = [this.writes.update([], [], { id, revision, common: entity })];
    return { ...stored, revision: revision + 1, steps };
  }

  /**
   * Prepares an event of an unchanged entity, at a new revision that gives the event its place in the order (EVT-1). Null means
   * that no version has the event.
   */
  emission(stored: Stored<Entity>, eventOf: EventOf): Pending<Entity> | null {
    const { announced, options } = this;
    if (!announced.some((version) => eventOf(version) !== undefined)) return null;
    const { steps, ...locked } = this.lockOf(stored);
    const events = this.eventsOf(locked, eventOf, this.timestamp(options.clock()));
    return { ...locked, steps: [...steps, ...events] };
  }

  /**
   * Prepares the deletion of an entity that was read, and of its children (CHD-4). Writing it throws `WriteConflict`, and
   * `ReferenceViolation` if others still refer to the entity, such as children that the author may not delete (AUT-2). By
   * default, the author may delete all children.
   */
  deletion(
    stored: Stored<Entity>,
    author: Author,
    rights: ChildRights = ALL_RIGHTS,
  ): Omit<Deletion, "inUse"> {
    const { table } = this;
    const { entity, revision } = stored;
    const id = table.identify(entity);
    const stamps = this.modifiedNow(entity, author);
    const values = [...lastModifiedValues(stamps), id];
    const setNull = (table.setNull ?? []).map((sql) => openEnded(sql, values));
    const cascades = cascadeSteps(table.cascades, id, [author, rights]);
    const own = this.writes.delete({ id, revision });
    const time = stamps.lastModifiedDate;
    // Not open-ended: the steps after these change as many rows, and their number is checked before the write.
    const others = (table.announcements ?? []).map((sql) => ({ sql, values: [time, id] }));
    const events = this.events("deleted", { ...stored, revision: revision + 1 }, time);
    return { steps: [...others, ...setNull, ...cascades, own, ...events], stamps };
  }

  /** Returns why an entity cannot be deleted, or null if it can be (CHD-4). */
  async blockerOf(id: string): Promise<string | null> {
    for (const { reason, find } of this.table.blockers ?? []) {
      const row = await this.options.database.get(find, [id]);
      if (row !== undefined) return reason;
    }
    return null;
  }

  /** Whether an entity has children that the author may not delete (AUT-2). */
  async hasOthersChildren(id: string, author: Author, rights: ChildRights): Promise<boolean> {
    for (const cascade of this.table.cascades ?? []) {
      if (typeof cascade === "string") continue;
      const right = rights.get(cascade.children) ?? "all";
      if (right === "all") continue;
      const { database } = this.options;
      const row =
        right === "none"
          ? await database.get(cascade.find, [id])
          : await database.get(cascade.findOthers, [id, author.subject.subjectId]);
      if (row !== undefined) return true;
    }
    return false;
  }

  /**
   * Returns the current JSON of an entity in the version with this topic. Null means that the entity or the version no longer
   * exists. Throws if the version cannot show the entity.
   */
  async announcedView(topic: string, id: string): Promise<string | null> {
    const entity = await this.of(EVERYBODY).find(id);
    const version = this.announced.find((one) => one.topic === topic);
    return entity === null || version === undefined ? null : version.show(entity);
  }

  /** `changed` has the revision after the change. */
  private events(
    kind: EventKind,
    changed: Stored<Entity>,
    time = changed.entity.lastModifiedDate,
  ): readonly WriteStep[] {
    if (this.announced.length === 0) return NO_STEPS;
    return this.eventsOf(changed, eventNamed(kind), time);
  }

  private eventsOf(
    { entity, revision, tenant }: Stored<Entity>,
    eventOf: EventOf,
    time: string,
  ): readonly WriteStep[] {
    const { announced, table, options } = this;
    const change = { id: table.identify(entity), revision, time, tenant };
    const { newIdentifier } = options;
    return eventSteps(announced, eventOf, change, { entity, newIdentifier });
  }

  private decoded(
    look: ReadRows,
    bounds: Omit<LinkedReading, "database"> = {},
  ): Promise<DecodedRows<Entity>> {
    const { idProperty, linked = [] } = this.table;
    const table = { idProperty, linked, decode: this.decode };
    return decodeRows(table, look, { database: this.options.database, ...bounds });
  }

  private readonly decode = (row: SqlRow, linked: LinkedRows): Entity =>
    this.table.decode(row, linked, this.json.readers);

  private storedOf(row: SqlRow, entity: Entity): Stored<Entity> {
    const revision = numberOf(row["row_revision"]);
    const tenant = this.table.hasTenant === true ? textOf(row[TENANT]) : null;
    const stored = { entity, revision, tenant };
    // The row contains these texts by column name; copying them would slow down every read.
    return this.table.json === undefined ? stored : { ...stored, json: row };
  }

  private rowsOf(ids: readonly string[], asked: readonly Filter[]): Promise<readonly SqlRow[]> {
    const filters = this.confined(asked);
    const { database } = this.options;
    const dialect = DIALECTS[database.dialect];
    const [first = "", ...others] = ids;
    if (filters.length > 0) {
      const shape = { filters, sort: [] };
      const { some } = this.lists.statements(shape);
      return database.all(some, [...this.lists.values(shape, "one"), dialect.values(ids)]);
    }
    if (others.length === 0) return database.all(this.selectById, [first]);
    const sql = `${this.select} WHERE ${dialect.oneOf(this.identifier)}`;
    return database.all(sql, [dialect.values(ids)]);
  }

  private rowOf(id: string, asked: readonly Filter[]): Promise<SqlRow | undefined> {
    const filters = this.confined(asked);
    if (filters.length === 0) return this.options.database.get(this.selectById, [id]);
    const shape = { filters, sort: [] };
    const { one } = this.lists.statements(shape);
    return this.options.database.get(one, [...this.lists.values(shape, "one"), id]);
  }

  /** Keeps the date of the last change from going back when the clock is set back. */
  private modifiedNow(previous: Entity, { subject }: Author): CommonFields {
    const { createdDate, createdSubject, lastModifiedDate } = previous;
    const now = this.timestamp(this.options.clock());
    return {
      createdDate,
      createdSubject,
      lastModifiedDate: now < lastModifiedDate ? lastModifiedDate : now,
      lastModifiedSubject: subject,
    };
  }
}

const UNKNOWN: TenantCaller = { isAnonymous: true };
const NO_VERSIONS: readonly never[] = [];
const NO_STEPS: readonly WriteStep[] = [];

/** Returns the approximate size of the rows as JSON. */
function textBytes(rows: readonly SqlRow[]): number {
  return rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
}

function refuse(_id: string, error: Error): never {
  throw error;
}
