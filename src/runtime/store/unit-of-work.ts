import type { CommonFields, Subject } from "../base/common-fields.js";
import { alreadyExists } from "../base/errors.js";
import {
  ReferenceViolation,
  UniqueViolation,
  type Database,
  type WriteStep,
  OwnCodeConflict,
  WriteConflict,
} from "./database.js";
import type { Deletion } from "./deletion.js";
import type { Pending, Stored } from "./entity-store.js";
import { Places, type PlaceHolder } from "./locks.js";

interface UnitStore {
  readonly table: { readonly name: string; readonly entityType: string };
}

/** The names of properties in bodies, where they differ from the stored ones (REP-7). */
type Names = Readonly<Record<string, string>>;

/** The pending change of one entity. */
interface Made {
  /** Null if it is deleted. */
  readonly stored: Stored<unknown> | null;
  /** Its creator, if it was created in this unit: no filter finds it yet. */
  readonly makerId: string | null;
  /** If it is deleted: the time and subject of entities that no longer refer to it. */
  readonly end: CommonFields | null;
}

/** The pending changes of one store, by identifier. */
interface Changes {
  /** Null if entities are only locked. */
  names: Names | null;
  readonly entities: Map<string, Made>;
}

/** Called once a change is durable. */
type Announcement = () => Promise<void>;

interface Putting {
  readonly names: Names;
  readonly maker: Subject | null;
}

/**
 * The writes of one request, which are committed together. Later reads of the request see them before they are stored. A call
 * of a service is a nested part, which can fail on its own.
 */
export class Unit {
  /** Custom code took part, so a conflict may be its mistake, and not the work of another request. */
  hasOwnCode = false;
  readonly announcements: Announcement[] = [];
  private readonly steps: WriteStep[] = [];
  private readonly added: WriteStep[] = [];
  private readonly changes = new Map<UnitStore, Changes>();
  /** The versions of entities that custom code has seen. */
  private seen: Map<UnitStore, Map<string, Stored<unknown>>> | null = null;
  private calls = 0;
  private isDeleting = false;
  /** The refusal, if the database finds a reference to a deleted entity. */
  private inUse: Error | null = null;
  /** Nothing can be added any more. */
  private isOver = false;
  /** It was not dropped: the root decides about it. */
  private isKept = false;

  constructor(
    /** Null for the root. */
    private readonly whole: Unit | null = null,
    private readonly holder: PlaceHolder = { places: null },
  ) {}

  /** The entities that the transaction locks, or waits for. */
  get places(): Places {
    const { holder } = this.root;
    return (holder.places ??= new Places());
  }

  get isEmpty(): boolean {
    return this.changes.size === 0 && (this.whole === null || this.whole.isEmpty);
  }

  /** It is stored. */
  get isWritten(): boolean {
    return this.isKept && (this.whole === null || this.whole.isWritten);
  }

  get root(): Unit {
    return this.whole?.root ?? this;
  }

  /** Counts a call of a service, and returns the number of calls. */
  countCall(): number {
    if (this.whole !== null) return this.whole.countCall();
    this.calls += 1;
    return this.calls;
  }

  get hasDeletions(): boolean {
    return this.isDeleting || this.whole?.hasDeletions === true;
  }

  /** Null if the unit does not delete the entity. */
  endOf(store: UnitStore, id: string): CommonFields | null {
    const end = this.changes.get(store)?.entities.get(id)?.end;
    return end ?? this.whole?.endOf(store, id) ?? null;
  }

  /** Adds this part to its root. Throws if the root is closed. */
  join(): void {
    this.isOver = true;
    this.whole?.take(this);
    this.isKept = true;
  }

  drop(): void {
    this.isOver = true;
  }

  checkOpen(): void {
    this.whole?.checkOpen();
    if (!this.isOver) return;
    throw new Error(
      "The transaction is over: a hook, action or route has to await every change that it makes.",
    );
  }

  /** Adds what a store has prepared; `maker` is the creator, or null for a change. */
  put<Entity>(
    store: UnitStore,
    id: string,
    pending: Pending<Entity>,
    { names, maker }: Putting,
  ): void {
    this.addSteps(pending.steps);
    const changes = this.changesOf(store);
    changes.names = names;
    note(changes, id, { stored: pending, makerId: maker?.subjectId ?? null, end: null });
  }

  /** Adds the lock of an entity to the root, so that it is kept even if this part fails. */
  lock<Entity>(store: UnitStore, id: string, pending: Pending<Entity>): void {
    this.checkOpen();
    const { root } = this;
    root.addSteps(pending.steps);
    note(root.changesOf(store), id, { stored: pending, makerId: null, end: null });
  }

  remove(store: UnitStore, id: string, { steps, stamps, inUse }: Deletion, names: Names): void {
    this.addSteps(steps);
    const changes = this.changesOf(store);
    changes.names = names;
    note(changes, id, { stored: null, makerId: null, end: stamps });
    this.isDeleting = true;
    this.inUse ??= inUse;
  }

  /** AUT-2: a subject may change what it has created in this unit. */
  isMadeBy(store: UnitStore, id: string, subject: Subject): boolean {
    const makerId = this.changes.get(store)?.entities.get(id)?.makerId ?? null;
    if (makerId !== null) return makerId === subject.subjectId;
    return this.whole?.isMadeBy(store, id, subject) ?? false;
  }

  putFirst(step: WriteStep): void {
    this.steps.unshift(step);
  }

  /** Adds statements of custom code, which are written last. */
  add(steps: readonly WriteStep[]): void {
    this.checkOpen();
    this.hasOwnCode = true;
    this.added.push(...steps);
  }

  /** The entity after this unit: null if it is deleted, undefined if it is not changed. */
  pendingOf<Entity>(store: UnitStore, id: string): Stored<Entity> | null | undefined {
    // Entries of a store have its type.
    const own = this.changes.get(store)?.entities.get(id)?.stored as
      Stored<Entity> | null | undefined;
    return own === undefined ? this.whole?.pendingOf(store, id) : own;
  }

  /** Whether it creates or deletes anything but one entity. */
  hasOthers(store: UnitStore, id: string): boolean {
    const entities = this.changes.get(store)?.entities;
    const own = entities?.has(id) === true ? 1 : 0;
    const isAlone = this.changes.size === own && (entities?.size ?? 0) === own;
    return !isAlone || this.whole?.hasOthers(store, id) === true;
  }

  /** The version that custom code has seen first and decided by: a later change of it is a conflict. */
  firstSeen<Entity>(store: UnitStore, id: string, found: Stored<Entity>): Stored<Entity> {
    if (this.whole !== null) return this.whole.firstSeen(store, id, found);
    this.seen ??= new Map();
    const known = this.seen.get(store) ?? new Map<string, Stored<unknown>>();
    // Entries of a store have its type.
    const first = (known.get(id) ?? found) as Stored<Entity>;
    this.seen.set(store, known.set(id, first));
    return first;
  }

  /** Commits. Throws 409 if a unique value is taken, and `WriteConflict` if another request was faster. */
  write(database: Database): Promise<void> {
    this.isOver = true;
    const steps = this.added.length === 0 ? this.steps : [...this.steps, ...this.added];
    const written = steps.length === 0 ? Promise.resolve() : database.write(steps);
    return written.then(
      () => {
        this.isKept = true;
      },
      (error: unknown) => {
        throw this.refusalOf(error);
      },
    );
  }

  private take(part: Unit): void {
    this.addSteps(part.steps);
    this.hasOwnCode = true;
    for (const step of part.added) this.added.push(step);
    for (const tell of part.announcements) this.announcements.push(tell);
    this.isDeleting ||= part.isDeleting;
    this.inUse ??= part.inUse;
    for (const [store, changes] of part.changes) {
      const known = this.changes.get(store);
      if (known === undefined) this.changes.set(store, changes);
      else {
        // The client knows the resource that it has called, and not those that custom code uses.
        known.names ??= changes.names;
        for (const [id, made] of changes.entities) note(known, id, made);
      }
    }
  }

  private changesOf(store: UnitStore): Changes {
    const known = this.changes.get(store);
    if (known !== undefined) return known;
    const none: Changes = { names: null, entities: new Map() };
    this.changes.set(store, none);
    return none;
  }

  private addSteps(steps: readonly WriteStep[]): void {
    this.checkOpen();
    for (const step of steps) this.steps.push(step);
  }

  private refusalOf(error: unknown): unknown {
    // A referenced entity was deleted, or a deleted one is referenced now: the next attempt finds out.
    if (error instanceof ReferenceViolation) {
      const Conflict = this.hasOwnCode ? OwnCodeConflict : WriteConflict;
      return new Conflict(error.message, { cause: this.inUse ?? error });
    }
    if (!(error instanceof UniqueViolation)) return error;
    const all = [...this.changes];
    const found = all.find(([{ table }]) => table.name === error.table);
    if (found === undefined) return error;
    const [{ table }, { names }] = found;
    const taken = error.columns.map((column) => names?.[column] ?? column);
    const refusal = alreadyExists(table.entityType, taken);
    // Another request may have inserted the value after this one had looked.
    if (all.filter(([, changes]) => changes.names !== null).length === 1) return refusal;
    return new OwnCodeConflict(error.message, { cause: refusal });
  }
}

/** The creator stays the same. */
function note({ entities }: Changes, id: string, made: Made): void {
  const makerId = made.makerId ?? entities.get(id)?.makerId ?? null;
  entities.set(id, makerId === made.makerId ? made : { ...made, makerId });
}
