import { visibleFilters, type AccessRules, OPEN } from "../auth/access.js";
import type { CommonFields, Subject } from "../base/common-fields.js";
import type { RequestContext } from "../http/request.js";
import type { HttpCall } from "../http/routes.js";
import { object, type BodyInput } from "../input/bodies.js";
import { isJsonObject, type JsonObject } from "../input/json.js";
import { wrongType, type Reader, uuid, nullable } from "../input/reader.js";
import type { Report } from "../input/report.js";
import { text } from "../input/text.js";
import type { Filter } from "../query/query.js";
import type { EntityStore } from "../store/entity-store.js";
import { ByteBudget } from "../store/rows.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import {
  forEachAt,
  identifiersIn,
  objectsByIdentifier,
  placedReferences,
  type PlacedReference,
  withEmbedded,
} from "./reference-paths.js";

/** A reference of a resource: what a body may hold of it, and what it leads to (REP-4). */
export interface Reference<Embedded> {
  /** `userId` */
  readonly idProperty: string;
  /** Where it stands in a body: `lines.product`; null: where it is stored. */
  readonly bodyPath: string | null;
  /** Reads the identifier in a body. */
  readonly readIdentifier: Reader<string>;
  /** The identifier, and what is embedded: that is ignored in a body. */
  readonly names: ReadonlySet<string>;
  /** `does not refer to an existing user` */
  readonly problem: string;
  /** `User`; empty where another service keeps it. */
  readonly entityType: string;
  /** Who may read what it leads to, as the version says that the request is for (AUT-2). */
  readonly access: AccessRules;
  /** What is embedded of anything with this identifier; null: what there is has to be looked for. */
  readonly accept: ((id: string) => Embedded) | null;
  /** How much text one entity may show of others, in bytes; left out: it shows nothing that grows (LIM-1). */
  readonly mostShownBytes?: number;
  /** What is embedded of the entities with these identifiers that pass the filters. */
  find(ids: readonly string[], within: readonly Filter[]): Promise<ReadonlyMap<string, Embedded>>;
  /** What a unit that is being prepared makes of it: null where it deletes it, undefined where it does nothing to it. */
  pending?(id: string, unit: UnitOfWork): Embedded | null | undefined;
  /** Whether somebody has created it in a unit that is being prepared (AUT-2). */
  isCreatedBy?(id: string, unit: UnitOfWork, subject: Subject): boolean;
  /** CHD-4: the stamps of what lets go of it where a unit deletes it, or null; left out: nothing lets go of it. */
  letGo?(id: string, unit: UnitOfWork): CommonFields | null;
  /** Reads the embedded values that the service's own code supplied (REP-9); left out: it may supply none. */
  readSupplied?(item: JsonObject, path: string, report: Report): Embedded;
}

/** One reference of a body, and the entities that it can refer to. */
export interface ResolvedReference<Embedded> {
  readonly reference: Reference<Embedded>;
  readonly entities: ReadonlyMap<string, Embedded>;
  /** The one with this identifier that the stored entity refers to there: it can be sent back (ENT-3). */
  readonly stored: (id: string) => Embedded | undefined;
  /** Counts the text of other entities that the body makes this one show; left out: it is not bounded. */
  readonly shown?: ShownBytes;
  /** The parent that the path names; only in a reference to the parent (CHD-2). */
  readonly parent?: Embedded;
  /** PATCH: an object without the identifier keeps the one that is stored. */
  readonly isMerge: boolean;
}

/** The resolved references of one body, by the paths that they are stored at. */
export type ResolvedReferences<References> = {
  readonly [Name in keyof References]: References[Name] extends Reference<infer Embedded>
    ? ResolvedReference<Embedded>
    : never;
};

/** The references of an entity. */
export type References = Readonly<Record<string, Reference<unknown>>>;

/** Looks up the entities that a body refers to, before it is read; the reader reports what is not an identifier. `entity` is the stored one. */
export async function lookUp<All extends References>(
  references: All,
  { body, method, context }: HttpCall,
  entity: unknown = null,
): Promise<ResolvedReferences<All>> {
  const isMerge = method === "PATCH";
  const placed = placedReferences(references);
  const named = placed.map(({ reference, bodySteps }) => identifiersIn(body, bodySteps, reference));
  // Most changes name nothing, and wait for nothing.
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

/** Counts the text that entities become where they are shown, each time. */
class ShownBytes {
  private readonly text = new ByteBudget();
  private isTold = false;
  private storedBytes: number | null = null;

  /** `stored` is what the entity shows already: that much can be sent back (ENT-3). */
  constructor(private readonly stored: () => number) {}

  /** Counts what a change leaves as it is. */
  keep(placed: readonly PlacedReference[], entity: unknown): void {
    this.text.total += storedBytes(placed, entity);
  }

  /** Says whether this one is the first that is too much. */
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

/** References at properties that a body does not name. */
function isLeftOut(body: object): (placed: PlacedReference) => boolean {
  return ({ bodySteps: [first = ""] }) => !(first in body);
}

/** Of what no reference is known. */
const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** Of an entity that is new. */
function nothingStored(): undefined {
  return undefined;
}

/** What a stored entity refers to, looked through when it is first asked about. */
function storedAt(placed: PlacedReference, entity: unknown): (id: string) => unknown {
  let objects: ReadonlyMap<string, object> | null = null;
  return (id) => {
    objects ??= objectsByIdentifier(entity, placed);
    return objects.get(id);
  };
}

/** What is embedded of the entities with these identifiers; those that the caller may not read are left out (AUT-2). */
export async function visibleEntities<Embedded>(
  reference: Reference<Embedded>,
  ids: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, Embedded>> {
  if (ids.length === 0) return new Map();
  const { unit } = context;
  const within = visibleFilters(reference.access, context);
  if (within === null) return new Map();
  if (unit === null || unit.isEmpty) return reference.find(ids, within);
  const pending = pendingEntities(reference, ids, unit);
  if (within.length === 0) {
    const others = ids.filter((id) => !pending.has(id));
    return withoutNull([...(await reference.find(others, within)), ...pending]);
  }
  // Whether what a unit changes may be seen follows from what is stored; what it creates is there for who has created it.
  const visible = await reference.find(ids, within);
  const isSeen = (id: string): boolean =>
    visible.has(id) || reference.isCreatedBy?.(id, unit, context.subject) === true;
  return withoutNull([...visible, ...[...pending].filter(([id]) => isSeen(id))]);
}

/** Those of the entities that a unit will make; null: that it deletes. */
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

/** What there is; the last entry of an identifier says whether it is deleted. */
function withoutNull<Embedded>(
  entries: readonly (readonly [id: string, embedded: Embedded | null])[],
): ReadonlyMap<string, Embedded> {
  const last = [...new Map(entries)];
  return new Map(
    last.flatMap(([id, embedded]) => (embedded === null ? [] : [[id, embedded] as const])),
  );
}

/**
 * Reads a reference: an object with the identifier of something that there is. The one that is stored can be sent back
 * by whoever may read it here, also without access to what it leads to (ENT-3).
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
    // What is embedded may have changed since: that makes it no other reference.
    const isSame = isKept && idOf(embedded, idProperty) === idOf(stored, idProperty);
    return isSame ? stored : embedded;
  };
}

/** Reads an item of a list of references; those that are in the list already can be sent back. */
export function referenceItem<Embedded>({
  reference,
  entities,
  stored,
  shown,
}: ResolvedReference<Embedded>): Reader<Embedded> {
  const { idProperty, names, problem, readIdentifier, accept, mostShownBytes } = reference;
  return (value, path, report) => {
    const idPath = `${path}.${idProperty}`;
    // Nobody uses what stands for a value that was not read: the report is thrown first.
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

/** A reference to a resource of this service. `toEmbedded` picks what is embedded from the other entity. */
export function localReference<
  Entity extends CommonFields & Properties,
  Properties,
  Embedded,
>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  readonly store: EntityStore<Entity, Properties>;
  /** CHD-4; left out: what is referred to cannot be deleted. */
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
    find: async (ids, within) => {
      const entities = await store.findAll(ids, within);
      return new Map(entities.map((entity) => [store.table.identify(entity), toEmbedded(entity)]));
    },
    ...(options.onDelete === "setNull" && { letGo: (id, unit) => unit.deletionStamps(store, id) }),
    isCreatedBy: (id, unit, subject) => unit.isCreatedBy(store, id, subject),
    pending: (id, unit) => {
      const made = unit.pendingOf<Entity>(store, id);
      return made === null || made === undefined ? made : toEmbedded(made.entity);
    },
  };
}

const MOST_CHARACTERS = 10_000;
const readEmbedded = nullable(text({ maxLength: MOST_CHARACTERS }));

/** A reference to what another service keeps: every identifier is accepted. `toEmbedded` sets the embedded values to null. */
export function externalReference<Embedded>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  /** Left out: a UUID. */
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

/** What a version calls a reference, and what it embeds where that is called otherwise there (VER-2). */
type BodyName = string | { readonly name: string; readonly embedded: readonly string[] };

/** Those of an entity's references that a body can hold here, each with the name that it has here (REP-7). */
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
  // The names are some of theirs, each with the same reference.
  return Object.fromEntries(named) as Pick<All, Name>;
}

/** References with the access of what some of them lead to; the others lead to what anyone may read (AUT-2). */
export function guardedBy<All extends References>(
  references: All,
  access: { readonly [Name in keyof All]?: AccessRules },
): All {
  const restricted = Object.entries(references).map(([name, one]) => {
    return [name, { ...one, access: access[name] ?? one.access }] as const;
  });
  // The same names, each with the same reference.
  return Object.fromEntries(restricted) as All;
}

/** An entity with what a unit makes of what it refers to, as whoever reads it afterwards will find it (REP-4). */
export function embeddedAnew<Entity>(
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

/** An item of a list that is an object with references, which were looked up before; nothing of it is stored yet. */
export function referringObject<T, References>(
  read: (input: BodyInput, stored: null, references: References) => T,
  references: References,
): Reader<T> {
  return object((input) => read(input, null, references));
}

/** Where what own code wrote leads, whoever calls; what `before` refers to already is not looked up again. */
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
    const stored = others.length === 0 ? [] : await reference.find(others, []);
    found.set(path, withoutNull([...known, ...stored, ...pending]));
  }
  return mapReferences(references, ({ path }) => found.get(path) ?? NOTHING);
}

/** Each reference, and what it can lead to. */
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
