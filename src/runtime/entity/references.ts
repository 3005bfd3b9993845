import { visibleFilters, type AccessRules } from "../auth/access.js";
import type { CommonFields, Subject } from "../base/common-fields.js";
import type { HttpCall } from "../http/http.js";
import type { RequestContext } from "../http/request-context.js";
import { isJsonObject, type JsonObject } from "../input/json.js";
import { wrongType, type Reader } from "../input/reader.js";
import type { Report } from "../input/report.js";
import type { Filter } from "../query/query.js";
import { ByteBudget } from "../store/linked-rows.js";
import type { UnitOfWork } from "../store/unit-of-work.js";
import {
  forEachAt,
  identifiersIn,
  objectsByIdentifier,
  placedReferences,
  type PlacedReference,
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
export class ShownBytes {
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
export const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** Of an entity that is new. */
export function nothingStored(): undefined {
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
export function pendingEntities<Embedded>(
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
export function withoutNull<Embedded>(
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
