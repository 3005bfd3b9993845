import type { CommonFields, Subject } from "../base/common-fields.js";
import { timestampWriter, type Clock } from "../base/time.js";
import { type Page, otherToken } from "../query/page.js";
import type { Filter, ListQuery } from "../query/query.js";
import { pageWithinBudget, nullIfTooLarge, type PageBounds } from "./pages.js";
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
} from "./rows.js";
import type { Deletion } from "./deletion.js";
import { DIALECTS } from "./dialect.js";
import {
  eventNamed,
  eventSteps,
  insertionSteps,
  type AnnouncedVersion,
  type EventKind,
  type EventOf,
} from "./entity-events.js";
import { exactCount } from "./counts.js";
import {
  JsonColumns,
  missingMemberLog,
  type JsonTexts,
  type MissingMemberLog,
} from "./json-columns.js";
import { NO_LINKED_ROWS, type LinkedRows, type LinkedReading } from "./linked-rows.js";
import { KeyedLocks, KeyedMutex } from "./locks.js";
import { ListSql } from "./list-sql.js";
import { isDataException } from "./postgres/errors.js";
import { SearchEstimate, updateSearchSteps, searchSteps, type BoundSql } from "./search-sql.js";

/** An entity as stored, with the revision that a change of it must still find. */
export interface Stored<Entity> {
  readonly entity: Entity;
  readonly revision: number;
  /** The texts in the columns of objects, as they were read. */
  readonly json?: JsonTexts;
}

/** What a write will make, and the write; nothing happens before the write is carried out. */
export interface Pending<Entity> extends Stored<Entity> {
  readonly steps: readonly WriteStep[];
}

/** Who writes: a request's context. */
interface Author {
  readonly subject: Subject;
}

/** Makes of properties what can be kept. Throws `OwnCodeFault`. */
type CustomCodeReader<Properties> = (
  properties: Properties,
  stored: Properties | null,
) => Properties;

/** What a store needs of its service. */
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
 * The stored entities of one resource, without hooks and checks. It reads, and it prepares writes: the service's own
 * code gives them to `context.add`, so that they happen together with the change that it is looking at.
 */
export class EntityStore<Entity extends CommonFields & Properties, Properties> {
  /** Who locks which entity, and who waits for that: changes do as well, once they have conflicted. */
  readonly locks: KeyedLocks;
  private readonly largePages = new KeyedMutex();
  /** Reads what own code writes (REP-9): set once, when the entity's own code is known. */
  readCustom: CustomCodeReader<Properties> = (properties) => properties;
  private readonly timestamp = timestampWriter();
  private readonly lists: ListSql;
  private readonly reach: SearchEstimate;
  private readonly json: JsonColumns;
  private readonly select: string;
  private readonly identifier: string;
  private readonly selectById: string;
  private readonly writes: WriteSql;

  constructor(
    readonly table: EntityTable<Entity, Properties>,
    private readonly options: StoreOptions,
    /** The versions that announce changes (EVT-1). */
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

  /** Where the writes are carried out. */
  get database(): Database {
    return this.options.database;
  }

  /** What a page holds at most, unless it is one of the default size (LIM-1). */
  get pageBytes(): number {
    return this.options.settings.limits.pageBytes;
  }

  /** The entity with this identifier, or null; also where it does not pass the filters. */
  async find(id: string, filters: readonly Filter[] = []): Promise<Entity | null> {
    const stored = await this.findStored(id, filters);
    return stored === null ? null : stored.entity;
  }

  /** Those of the entities that there are and that pass the filters, in any order. */
  async findAll(
    ids: readonly string[],
    filters: readonly Filter[] = [],
  ): Promise<readonly Entity[]> {
    if (ids.length === 0) return [];
    return (await this.decoded(() => this.rowsOf(ids, filters))).entities;
  }

  /**
   * The entity with its revision, or null; also where it does not pass the filters. `isAnswered`: throws `EmbeddedTooLarge` for one
   * that shows too much of others.
   */
  findStored(
    id: string,
    filters: readonly Filter[] = [],
    isAnswered = false,
  ): Promise<Stored<Entity> | null> {
    if (this.table.linked !== undefined) return this.findLinked(id, filters, isAnswered);
    // Each promise more would cost every request something.
    return this.rowOf(id, filters).then((row) =>
      row === undefined ? null : this.storedOf(row, this.decode(row, NO_LINKED_ROWS)),
    );
  }

  /** The same of an entity that is read with rows of other tables. */
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

  /** One page of the entities, with their exact number where it is counted (COL-2). Throws `ResultTooLarge`, and `RecipientGone`. */
  page(query: ListQuery, recipient?: Recipient): Promise<Page<Entity>> {
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
      // A count would be of another moment: one row more tells whether others follow, unless it is too much.
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

  /** Reads what follows some keys. Throws as `page`, and 400 for keys that are no values of the order. */
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

  /** A new entity, for `context.add` (ENT-1). Throws `OwnCodeFault` for one that breaks a rule (REP-9). */
  insertion(properties: Properties, author: Author): Pending<Entity> {
    return this.prepareInsertion(this.readCustom(properties, null), author);
  }

  /** A change of an entity that was read, for `context.add`. As `prepareChange`; throws `OwnCodeFault` as well (REP-9). */
  change(stored: Stored<Entity>, next: Properties, author: Author): Pending<Entity> | null {
    return this.prepareChange(stored, this.readCustom(next, stored.entity), author);
  }

  /** A new entity whose values have been read (ENT-1). */
  prepareInsertion(properties: Properties, { subject }: Author): Pending<Entity> {
    const { table, options } = this;
    const id = options.newIdentifier();
    const now = this.timestamp(options.clock());
    const common: CommonFields = {
      createdDate: now,
      createdSubject: subject,
      lastModifiedDate: now,
      lastModifiedSubject: subject,
    };
    const insert = this.writes.insert(id, table.encode(properties), common);
    const entity = table.assemble(id, properties, common);
    const { dialect } = options.database;
    const links = linkSteps(table.links, id, properties);
    const searched = searchSteps(dialect, table.searches, id, properties);
    const events = this.events("created", entity, FIRST_REVISION);
    const steps = [...insertionSteps(insert, events, dialect), ...links, ...searched];
    return { entity, revision: FIRST_REVISION, steps };
  }

  /**
   * What a statement of own code adds after it has changed texts that are searched (QRY-7): `properties` are those of the entity then.
   */
  searchSteps(id: string, properties: Properties): readonly WriteStep[] {
    return updateSearchSteps(this.database.dialect, this.table.searches, id, [null, properties]);
  }

  /** Says whether a change would change nothing (ENT-4). */
  isSame(stored: Properties, next: Properties): boolean {
    const { table } = this;
    return changedPlaces(table.encode(stored), table.encode(next)).length === 0;
  }

  /** A change to values that have been read; null when it changes nothing (ENT-4). Written, it throws `WriteConflict`. */
  prepareChange(stored: Stored<Entity>, next: Properties, author: Author): Pending<Entity> | null {
    const { table } = this;
    const { entity, revision } = stored;
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
    const events = this.events("updated", changed, revision + 1);
    const steps = [update, ...links, ...searched, ...events];
    return { entity: changed, revision: revision + 1, json, steps };
  }

  /** An entity as it is, at a new revision: whoever has seen the former one writes nothing. Written, it throws `WriteConflict`. */
  lockOf(stored: Stored<Entity>): Pending<Entity> {
    const { entity, revision } = stored;
    const id = this.table.identify(entity);
    const steps = [this.writes.update([], [], { id, revision, common: entity })];
    return { ...stored, revision: revision + 1, steps };
  }

  /** An entity as it is, with an event at a new revision, which puts that in order (EVT-1); null: no version has the event. */
  emission(stored: Stored<Entity>, eventOf: EventOf): Pending<Entity> | null {
    const { announced, options } = this;
    if (!announced.some((version) => eventOf(version) !== undefined)) return null;
    const { steps, ...locked } = this.lockOf(stored);
    const { entity, revision } = locked;
    const events = this.eventsOf(entity, eventOf, revision, this.timestamp(options.clock()));
    return { ...locked, steps: [...steps, ...events] };
  }

  /**
   * The end of an entity that was read, and of what belongs to it (CHD-4). Written, it throws `WriteConflict`, and
   * `ReferenceViolation` where children are left to which the author has no right (AUT-2; left out: to all).
   */
  deletion(
    { entity, revision }: Stored<Entity>,
    author: Author,
    rights: ChildRights = ALL_RIGHTS,
  ): Omit<Deletion, "inUse"> {
    const { table } = this;
    const id = table.identify(entity);
    const stamps = this.modifiedNow(entity, author);
    const values = [...lastModifiedValues(stamps), id];
    const setNull = (table.setNull ?? []).map((sql) => openEnded(sql, values));
    const cascades = cascadeSteps(table.cascades, id, [author, rights]);
    const own = this.writes.delete({ id, revision });
    const time = stamps.lastModifiedDate;
    // As many as what follows deletes or changes, which is looked at before it is written.
    const others = (table.announcements ?? []).map((sql) => ({ sql, values: [time, id] }));
    const events = this.events("deleted", entity, revision + 1, time);
    return { steps: [...others, ...setNull, ...cascades, own, ...events], stamps };
  }

  /** Why an entity cannot be deleted; null if it can be (CHD-4). */
  async blockerOf(id: string): Promise<string | null> {
    for (const { reason, find } of this.table.blockers ?? []) {
      const row = await this.options.database.get(find, [id]);
      if (row !== undefined) return reason;
    }
    return null;
  }

  /** Says whether an entity has children to which the author has no right (AUT-2). */
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

  /** An entity as a version that announces it shows it now; null: it is gone. Throws where the version cannot show it. */
  async announcedView(topic: string, id: string): Promise<string | null> {
    const entity = await this.find(id);
    const version = this.announced.find((one) => one.topic === topic);
    return entity === null || version === undefined ? null : version.show(entity);
  }

  /** The events of a change, after which the entity has this revision. */
  private events(
    kind: EventKind,
    entity: Entity,
    revision: number,
    time = entity.lastModifiedDate,
  ): readonly WriteStep[] {
    if (this.announced.length === 0) return NO_STEPS;
    return this.eventsOf(entity, eventNamed(kind), revision, time);
  }

  private eventsOf(
    entity: Entity,
    eventOf: EventOf,
    revision: number,
    time: string,
  ): readonly WriteStep[] {
    const { announced, table, options } = this;
    const change = { id: table.identify(entity), revision, time };
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
    // The row holds their texts by name: to pick them out would cost every read something.
    return this.table.json === undefined ? { entity, revision } : { entity, revision, json: row };
  }

  private rowsOf(ids: readonly string[], filters: readonly Filter[]): Promise<readonly SqlRow[]> {
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

  /** One statement, whose conditions are those of a list. */
  private rowOf(id: string, filters: readonly Filter[]): Promise<SqlRow | undefined> {
    if (filters.length === 0) return this.options.database.get(this.selectById, [id]);
    const shape = { filters, sort: [] };
    const { one } = this.lists.statements(shape);
    return this.options.database.get(one, [...this.lists.values(shape, "one"), id]);
  }

  /** The clock may have been set back; the date of the last change never goes back. */
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

const NO_VERSIONS: readonly never[] = [];
const NO_STEPS: readonly WriteStep[] = [];

/** What rows become as text, about. */
function textBytes(rows: readonly SqlRow[]): number {
  return rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
}

function refuse(_id: string, error: Error): never {
  throw error;
}
