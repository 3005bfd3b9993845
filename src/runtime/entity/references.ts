import { visibleFilters, type AccessRules, OPEN } from "../auth/access.js";
import type { Caller } from "../auth/authentication.js";
import type { CommonFields } from "../base/common-fields.js";
import type { FieldIssue } from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall } from "../http/routes.js";
import { object, type BodyInput } from "../input/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../input/json.js";
import { wrongType, type Reader, uuid, nullable } from "../input/reader.js";
import type { Report } from "../input/report.js";
import { text } from "../input/text.js";
import type { Filter } from "../query/query.js";
import type { EntityStore, Stored } from "../store/entity-store.js";
import { ByteBudget } from "../store/rows.js";
import type { UnitOfWork } from "../store/unit-of-work.js";

/** A reference of a resource: its form in a body, and access to its targets (REP-4). */
export interface Reference<Embedded> {
  /** `userId` */
  readonly idProperty: string;
  /** Path in a body: `lines.product`. Null means its stored path. */
  readonly bodyPath: string | null;
  readonly readIdentifier: Reader<string>;
  /** Property names in a body: the identifier, and embedded values, which are ignored. */
  readonly names: ReadonlySet<string>;
  /** `does not refer to an existing user` */
  readonly problem: string;
  /** `User`. Empty if another service keeps the entity. */
  readonly entityType: string;
  /** Access rules of the target in the version of the request (AUT-2). */
  readonly access: AccessRules;
  /** Returns the embedded values for any identifier, without a lookup. Null means that `find` looks them up. */
  readonly accept: ((id: string) => Embedded) | null;
  /** Maximum size of the embedded values in one entity, in bytes (LIM-1). Defaults to no limit. */
  readonly mostShownBytes?: number;
  /** AUT-4: the target belongs to a tenant. Defaults to false. */
  readonly hasTenant?: boolean;
  /** Returns the embedded values of the entities with these identifiers that pass the filters, in the caller's tenant. */
  find(
    ids: readonly string[],
    within: readonly Filter[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, Embedded>>;
  /** Returns embedded values with the changes of a unit. Null means that the unit deletes the entity, undefined no change. */
  pending?(id: string, unit: UnitOfWork): Embedded | null | undefined;
  /** Reports whether the caller created the entity in a pending unit (AUT-2). */
  isCreatedBy?(id: string, unit: UnitOfWork, caller: Caller): boolean;
  /**
   * CHD-4: returns the stamps of the change that clears the reference, or null if the unit does not delete the target. Absent
   * if the reference is never cleared.
   */
  deletionStamps?(id: string, unit: UnitOfWork): CommonFields | null;
  /** Reads embedded values of custom code (REP-9). Absent if custom code may not supply any. */
  readSupplied?(item: JsonObject, path: string, report: Report): Embedded;
}

/** One reference of a body, and the entities that it can refer to. */
export interface ResolvedReference<Embedded> {
  readonly reference: Reference<Embedded>;
  readonly entities: ReadonlyMap<string, Embedded>;
  /** Returns the embedded values that the stored entity has for this identifier: clients can send them back (ENT-3). */
  readonly stored: (id: string) => Embedded | undefined;
  /** Counts the embedded values that the body adds. Defaults to no limit. */
  readonly shown?: ShownBytes;
  /** The entity that the path names, in the reference that leads to it (CHD-1, CHD-2). */
  readonly parent?: Embedded;
  /** PATCH: an object without the identifier keeps the stored reference. */
  readonly isMerge: boolean;
}

/** The resolved references of one body, by their stored paths. */
export type ResolvedReferences<References> = {
  readonly [Name in keyof References]: References[Name] extends Reference<infer Embedded>
    ? ResolvedReference<Embedded>
    : never;
};

export type References = Readonly<Record<string, Reference<unknown>>>;

/** Looks up the entities that a body refers to and the caller may read. Malformed identifiers are reported by the reader. */
export async function lookUp<All extends References>(
  references: All,
  { body, method, context }: HttpCall,
  entity: unknown = null,
): Promise<ResolvedReferences<All>> {
  const isMerge = method === "PATCH";
  const placed = placedReferences(references);
  const named = placed.map(({ reference, bodySteps }) => identifiersIn(body, bodySteps, reference));
  // Most changes contain no reference, so they skip the wait.
  const found = named.every((ids) => ids.length === 0)
    ? []
    : await Promise.all(
        placed.map(({ reference }, index) =>
          visibleEntities(reference, named[index] ?? [], context),
        ),
      );
  const shown = new ShownBytes(() => storedBytes(placed, entity));
  if (isMerge && found.length > 0) shown.keep(placed.filter(isLeftOut(body)), entity);
  const resolved = placed.map((one, index) => {
    const entities = found[index] ?? NOTHING;
    const stored = entity === null ? nothingStored : storedAt(one, entity);
    return [one.path, { reference: one.reference, entities, stored, shown, isMerge }] as const;
  });
  // Each path has its own reference.
  return Object.fromEntries(resolved) as ResolvedReferences<All>;
}

/** Counts the bytes of embedded values, once for each place where they are embedded. */
class ShownBytes {
  private readonly text = new ByteBudget();
  private isTold = false;
  private storedBytes: number | null = null;

  /** `stored` returns the bytes that the entity embeds already: a client can send as many back (ENT-3). */
  constructor(private readonly stored: () => number) {}

  /** Counts the references that a PATCH leaves unchanged. */
  keep(placed: readonly PlacedReference[], entity: unknown): void {
    this.text.total += storedBytes(placed, entity);
  }

  /** Adds embedded values. Reports whether they are the first to exceed both the limit and the stored size. */
  passes(embedded: unknown, mostBytes: number): boolean {
    const bytes = this.text.add(embedded);
    if (this.isTold || bytes <= mostBytes) return false;
    this.storedBytes ??= this.stored();
    this.isTold = bytes > this.storedBytes;
    return this.isTold;
  }
}

function storedBytes(placed: readonly PlacedReference[], entity: unknown): number {
  const text = new ByteBudget();
  for (const { steps } of placed) forEachAt(entity, steps, 0, (one) => void text.add(one));
  return text.total;
}

/** Matches references whose property is missing in a body. */
function isLeftOut(body: object): (placed: PlacedReference) => boolean {
  return ({ bodySteps: [first = ""] }) => !(first in body);
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

function nothingStored(): undefined {
  return undefined;
}

/** Returns a lookup in the references of a stored entity, which are collected on first use. */
function storedAt(placed: PlacedReference, entity: unknown): (id: string) => unknown {
  let objects: ReadonlyMap<string, object> | null = null;
  return (id) => {
    objects ??= objectsByIdentifier(entity, placed);
    return objects.get(id);
  };
}

/** Returns embedded values by identifier. Omits entities that the caller may not read (AUT-2). */
export async function visibleEntities<Embedded>(
  reference: Reference<Embedded>,
  ids: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, Embedded>> {
  if (ids.length === 0) return new Map();
  const { caller, unit } = context;
  const within = visibleFilters(reference.access, context);
  if (within === null) return new Map();
  if (unit === null || unit.isEmpty) return reference.find(ids, within, caller);
  const pending = pendingEntities(reference, ids, unit);
  if (within.length === 0 && reference.hasTenant !== true) {
    const others = ids.filter((id) => !pending.has(id));
    return withoutNull([...(await reference.find(others, within, caller)), ...pending]);
  }
  // The stored entity decides who sees a pending change. A created entity is visible to its creator.
  const visible = await reference.find(ids, within, caller);
  const isSeen = (id: string): boolean =>
    visible.has(id) || reference.isCreatedBy?.(id, unit, caller) === true;
  return withoutNull([...visible, ...[...pending].filter(([id]) => isSeen(id))]);
}

/** Returns the referenced entities that a unit changes. Null means that the unit deletes the entity. */
function pendingEntities<Embedded>(
  reference: Reference<Embedded>,
  ids: readonly string[],
  unit: UnitOfWork | null,
): ReadonlyMap<string, Embedded | null> {
  if (unit === null || unit.isEmpty || reference.pending === undefined) return new Map();
  return new Map(
    ids.flatMap((id) => {
      const embedded = reference.pending?.(id, unit);
      return embedded === undefined ? [] : [[id, embedded] as const];
    }),
  );
}

/** Omits deleted entities. The last entry of an identifier wins. */
function withoutNull<Embedded>(
  entries: readonly (readonly [id: string, embedded: Embedded | null])[],
): ReadonlyMap<string, Embedded> {
  const last = [...new Map(entries)];
  return new Map(
    last.flatMap(([id, embedded]) => (embedded === null ? [] : [[id, embedded] as const])),
  );
}

/**
 * Reads a reference: an object with the identifier of an existing entity. A client can send the stored reference back, even
 * without access to its target (ENT-3).
 */
export function reference<Embedded, Stored extends Embedded | null = Embedded>(
  resolved: ResolvedReference<Embedded>,
  stored?: Stored,
): Reader<Embedded | Stored> {
  const isKept = stored !== undefined && stored !== null;
  const read = referenceItem(resolved);
  const { idProperty, names } = resolved.reference;
  return (value, path, report) => {
    const isUntouched = isJsonObject(value) && value[idProperty] === undefined;
    if (resolved.isMerge && isUntouched && stored !== undefined) {
      report.refuseUnknown(value, names, path);
      return stored;
    }
    const embedded = read(value, path, report);
    // Embedded values may be outdated, so only the identifier decides whether the reference changes.
    const isSame = isKept && idOf(embedded, idProperty) === idOf(stored, idProperty);
    return isSame ? stored : embedded;
  };
}

/** Reads an item of a list of references. Clients can send stored items back (ENT-3). */
export function referenceItem<Embedded>({
  reference,
  entities,
  stored,
  shown,
}: ResolvedReference<Embedded>): Reader<Embedded> {
  const { idProperty, names, problem, readIdentifier, accept, mostShownBytes } = reference;
  return (value, path, report) => {
    const idPath = `${path}.${idProperty}`;
    // Placeholder, never used: the report throws first.
    const unread = undefined as Embedded;
    if (!isJsonObject(value)) {
      report.add(path, wrongType(value, "an object"));
      return unread;
    }
    report.refuseUnknown(value, names, path);
    const issues = report.size;
    const id = readIdentifier(value[idProperty], idPath, report);
    if (report.size > issues) return unread;
    const embedded = entities.get(id) ?? stored(id) ?? accept?.(id);
    if (embedded === undefined) {
      report.add(idPath, problem);
      return unread;
    }
    if (mostShownBytes !== undefined && shown?.passes(embedded, mostShownBytes) === true) {
      report.add(
        path,
        `is too large: at most ${mostShownBytes} bytes of other entities can be shown here`,
      );
    }
    return embedded;
  };
}

function idOf(embedded: unknown, idProperty: string): unknown {
  return Reflect.get(Object(embedded), idProperty);
}

/** Creates a reference to a resource of this service. `toEmbedded` picks the embedded values from the target. */
export function localReference<
  Entity extends CommonFields & Properties,
  Properties,
  Embedded,
>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  readonly store: EntityStore<Entity, Properties>;
  /** CHD-4: deleting the target sets the reference to null. */
  readonly onDelete?: "setNull";
  readonly toEmbedded: (entity: Entity) => Embedded;
}): Reference<Embedded> {
  const { idProperty, embedded, words, store, toEmbedded } = options;
  return {
    idProperty,
    names: new Set([idProperty, ...embedded]),
    problem: `does not refer to an existing ${words}`,
    entityType: store.table.entityType,
    bodyPath: null,
    readIdentifier: uuid(),
    access: OPEN,
    accept: null,
    ...(embedded.length > 0 && { mostShownBytes: store.pageBytes }),
    ...(store.table.hasTenant === true && { hasTenant: true }),
    find: async (ids, within, caller) => {
      const entities = await store.of(caller).findAll(ids, within);
      return new Map(entities.map((entity) => [store.table.identify(entity), toEmbedded(entity)]));
    },
    ...(options.onDelete === "setNull" && {
      deletionStamps: (id, unit) => unit.deletionStamps(store, id),
    }),
    isCreatedBy: (id, unit, caller) => unit.isCreatedBy(store, id, caller),
    pending: (id, unit) => {
      const made = unit.pendingOf<Entity>(store, id);
      return made === null || made === undefined ? made : toEmbedded(made.entity);
    },
  };
}

const MOST_CHARACTERS = 10_000;
const readEmbedded = nullable(text({ maxLength: MOST_CHARACTERS }));

/** Creates a reference to an entity of another service: accepts every identifier. `toEmbedded` sets embedded values to null. */
export function externalReference<Embedded>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  /** Defaults to a UUID. */
  readonly readIdentifier?: Reader<string>;
  readonly toEmbedded: (id: string) => Embedded;
}): Reference<Embedded> {
  const { idProperty, embedded, words, readIdentifier = uuid(), toEmbedded } = options;
  return {
    idProperty,
    names: new Set([idProperty, ...embedded]),
    problem: `does not refer to an existing ${words}`,
    entityType: "",
    bodyPath: null,
    readIdentifier,
    access: OPEN,
    accept: toEmbedded,
    readSupplied: (item, path, report) => {
      const values = embedded.map((name) => {
        return [name, readEmbedded(item[name], `${path}.${name}`, report)] as const;
      });
      return { ...toEmbedded(String(item[idProperty])), ...Object.fromEntries(values) };
    },
    find: async () => new Map(),
  };
}

/** The name of a reference in a version, with the names of its embedded values if they differ there (VER-2). */
type BodyName = string | { readonly name: string; readonly embedded: readonly string[] };

/** Selects the references that a body of one resource can contain, each with its name in that body (REP-7). */
export function renamedBy<All extends References, Name extends keyof All>(
  references: All,
  names: Readonly<Record<Name, BodyName>>,
): Pick<All, Name> {
  const named = Object.entries<BodyName>(names).map(([name, own]) => {
    const reference = references[name];
    if (typeof own === "string") return [name, { ...reference, bodyPath: own }] as const;
    const known = new Set([reference?.idProperty, ...own.embedded]);
    return [name, { ...reference, bodyPath: own.name, names: known }] as const;
  });
  // Known names, each with the type of its reference.
  return Object.fromEntries(named) as Pick<All, Name>;
}

/** Restricts references by the access rules of their targets (AUT-2). References without rules in `access` stay unchanged. */
export function guardedBy<All extends References>(
  references: All,
  access: { readonly [Name in keyof All]?: AccessRules },
): All {
  const restricted = Object.entries(references).map(([name, one]) => {
    return [name, { ...one, access: access[name] ?? one.access }] as const;
  });
  // The same names, each with the type of its reference.
  return Object.fromEntries(restricted) as All;
}

/** Updates the embedded values of an entity with the changes of a unit (REP-4). */
export function withFreshEmbeds<Entity>(
  entity: Entity,
  references: References,
  unit: UnitOfWork,
): Entity {
  return placedReferences(references).reduce<Entity>((before, placed) => {
    const ids = [...objectsByIdentifier(before, placed).keys()];
    const made = withoutNull([...pendingEntities(placed.reference, ids, unit)]);
    return made.size === 0 ? before : withEmbedded(before, placed, made);
  }, entity);
}

/** Reads a new object in a list. Its references are resolved already. */
export function referringObject<T, References>(
  read: (input: BodyInput, stored: null, references: References) => T,
  references: References,
): Reader<T> {
  return object((input) => read(input, null, references));
}

/** Resolves the references that custom code wrote, without access checks. Skips the lookup for references in `before`. */
export async function resolveOwn<All extends References>(
  references: All,
  { written, before }: { readonly written: JsonObject; readonly before: unknown },
  context: RequestContext,
): Promise<ResolvedReferences<All>> {
  const found = new Map<string, ReadonlyMap<string, unknown>>();
  for (const placed of placedReferences(references)) {
    const { path, reference, steps } = placed;
    const known = objectsByIdentifier(before, placed);
    const ids = identifiersIn(written, steps, reference).filter((id) => !known.has(id));
    const pending = pendingEntities(reference, ids, context.unit);
    const others = ids.filter((id) => !pending.has(id));
    const stored = others.length === 0 ? [] : await reference.find(others, [], context.caller);
    found.set(path, withoutNull([...known, ...stored, ...pending]));
  }
  return mapReferences(references, ({ path }) => found.get(path) ?? NOTHING);
}

/** Resolves each reference to the entities that `find` returns. */
export function mapReferences<All extends References>(
  references: All,
  find: (placed: PlacedReference) => ReadonlyMap<string, unknown>,
): ResolvedReferences<All> {
  const entries = placedReferences(references).map((placed) => {
    const resolved: ResolvedReference<unknown> = {
      reference: placed.reference,
      entities: find(placed),
      stored: nothingStored,
      isMerge: false,
    };
    return [placed.path, resolved] as const;
  });
  // Each path has its own reference.
  return Object.fromEntries(entries) as ResolvedReferences<All>;
}

/** A reference of an entity, and the steps to it: `["lines", "product"]`. */
export interface PlacedReference {
  /** The stored path: `lines.product`. */
  readonly path: string;
  readonly reference: Reference<unknown>;
  readonly steps: readonly string[];
  readonly bodySteps: readonly string[];
}

/** A cache, because all requests use the same few sets of references, which never change. */
const PLACED = new WeakMap<References, readonly PlacedReference[]>();

function placedReferences(references: References): readonly PlacedReference[] {
  const known = PLACED.get(references);
  if (known !== undefined) return known;
  const placed = Object.entries(references).map(([path, reference]) => {
    const steps = path.split(".");
    const { bodyPath } = reference;
    return { path, reference, steps, bodySteps: bodyPath === null ? steps : bodyPath.split(".") };
  });
  PLACED.set(references, placed);
  return placed;
}

/** Returns the distinct UUIDs in a reference of a body. */
function identifiersIn(
  body: object,
  steps: readonly string[],
  { idProperty }: Pick<Reference<unknown>, "idProperty">,
): readonly string[] {
  const ids = new Set<string>();
  forEachAt(body, steps, 0, (one) => {
    const id: unknown = Reflect.get(one, idProperty);
    const known = typeof id === "string" ? parseIdentifier(id) : null;
    if (known !== null) ids.add(known);
  });
  return [...ids];
}

/** Returns the embedded values in a reference of an entity, by identifier. */
export function objectsByIdentifier(
  value: unknown,
  { steps, reference: { idProperty } }: PlacedReference,
): ReadonlyMap<string, object> {
  const objects = new Map<string, object>();
  forEachAt(value, steps, 0, (one) => {
    const id: unknown = Reflect.get(one, idProperty);
    if (typeof id === "string") objects.set(id, one);
  });
  return objects;
}

/** Reduces references to identifiers: custom code may write whole entities. */
export function withIdentifiers(written: JsonObject, references: References): JsonObject {
  return placedReferences(references).reduce<JsonObject>((before, { steps, reference }) => {
    const { idProperty } = reference;
    const [first = "", ...rest] = steps;
    const bare = (one: JsonObject): JsonObject => ({ [idProperty]: one[idProperty] });
    return replacedIn(before, [first, rest], bare);
  }, written);
}

/** Replaces the embedded values in a reference of an entity, by identifier. */
function withEmbedded<Entity>(
  entity: Entity,
  { steps, reference: { idProperty } }: PlacedReference,
  embedded: ReadonlyMap<string, unknown>,
): Entity {
  const [first = "", ...rest] = steps;
  const anew = (one: JsonObject): JsonObject => {
    const { [idProperty]: id } = one;
    const other = typeof id === "string" ? embedded.get(id) : undefined;
    // Embedded values are JSON objects.
    return other === undefined ? one : (other as JsonObject);
  };
  // Other values need not be JSON, because only objects on the path are read.
  return replacedIn(entity as JsonObject, [first, rest], anew) as Entity;
}

/** Visits the objects at the end of a path. Lists on the path can lead to several. */
function forEachAt(
  value: unknown,
  steps: readonly string[],
  taken: number,
  visit: (one: object) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) forEachAt(item, steps, taken, visit);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const step = steps[taken];
  if (step === undefined) visit(value);
  else forEachAt(Reflect.get(value, step), steps, taken + 1, visit);
}

type Replace = (one: JsonObject) => JsonObject;

function replacedIn(
  object: JsonObject,
  [step, rest]: readonly [step: string, rest: readonly string[]],
  replace: Replace,
): JsonObject {
  const value = object[step];
  return value === undefined ? object : { ...object, [step]: replacedAt(value, rest, replace) };
}

function replacedAt(value: JsonValue, path: readonly string[], replace: Replace): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replacedAt(item, path, replace));
  if (!isJsonObject(value)) return value;
  const [step, ...rest] = path;
  return step === undefined ? replace(value) : replacedIn(value, [step, rest], replace);
}

/** Properties after the deletions of a unit. */
interface Left<Properties> {
  readonly properties: Properties;
  /** References to deleted entities that cannot be cleared (CHD-4). */
  readonly issues: readonly FieldIssue[];
}

/** Applies the deletions of a unit to an entity. Each cleared reference is a change of its own, as in the database. */
export function afterDeletions<Entity extends CommonFields>(
  made: Stored<Entity>,
  references: References,
  unit: UnitOfWork | null,
): Stored<Entity> {
  if (unit?.hasDeletions !== true) return made;
  const ends = deletedReferences(made.entity, references, unit);
  const stamps = ends.map(({ deletionStamps }) => deletionStamps).filter((end) => end !== null);
  const [first, ...others] = stamps;
  if (first === undefined) return made;
  const { lastModifiedDate, lastModifiedSubject } = others.reduce(later, first);
  const entity = {
    ...made.entity,
    ...clearedProperties(ends),
    lastModifiedDate,
    lastModifiedSubject,
  };
  return { ...made, entity, revision: made.revision + stamps.length };
}

/** Clears references to deleted entities in properties that are about to be written. */
export function withoutDeleted<Properties>(
  properties: Properties,
  references: References,
  unit: UnitOfWork,
): Left<Properties> {
  if (!unit.hasDeletions) return { properties, issues: [] };
  const ends = deletedReferences(properties, references, unit);
  const issues = ends
    .filter(({ deletionStamps }) => deletionStamps === null)
    .map(({ issue }) => issue);
  return { properties: { ...properties, ...clearedProperties(ends) }, issues };
}

/** A reference to an entity that the unit deletes. */
interface End {
  readonly path: string;
  /** The stamps of the change that clears the reference. Null if it cannot be cleared. */
  readonly deletionStamps: CommonFields | null;
  readonly issue: FieldIssue;
}

function deletedReferences(
  value: unknown,
  references: References,
  unit: UnitOfWork,
): readonly End[] {
  return placedReferences(references).flatMap((placed) => {
    const { path, reference } = placed;
    const ids = [...objectsByIdentifier(value, placed).keys()];
    const deleted = ids.filter((id) => reference.pending?.(id, unit) === null);
    const issue = { field: `${path}.${reference.idProperty}`, message: reference.problem };
    return deleted.map((id) => ({
      path,
      deletionStamps: reference.deletionStamps?.(id, unit) ?? null,
      issue,
    }));
  });
}

/** References that can be cleared are top-level properties. */
function clearedProperties(ends: readonly End[]): Readonly<Record<string, null>> {
  return Object.fromEntries(
    ends.filter(({ deletionStamps }) => deletionStamps !== null).map(({ path }) => [path, null]),
  );
}

function later(one: CommonFields, other: CommonFields): CommonFields {
  return other.lastModifiedDate >= one.lastModifiedDate ? other : one;
}
