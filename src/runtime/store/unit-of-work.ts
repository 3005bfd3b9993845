/** A unit of work collects the steps of one request, whose changes are committed together or not at all. */
import type { CommonFields, Subject } from "../base/common-fields.js";
import { alreadyExists } from "../base/errors.js";
import { identityOf, TENANT } from "../query/tenant.js";
import {
  ReferenceViolation,
  UniqueViolation,
  type Database,
  type WriteStep,
  OwnCodeConflict,
  WriteConflict,
} from "./database.js";
import type { Deletion, Pending, Stored } from "./entity-store.js";
import { LockSet, type LockOwner } from "./locks.js";

interface ChangedStore {
  readonly table: { readonly name: string; readonly entityType: string };
}

/** The caller that creates an entity, in its tenant (AUT-4). */
interface Creator {
  readonly subject: Subject;
  readonly tenant?: string;
}

/** Names of properties in bodies that differ from the stored ones (REP-7). */
type Names = Readonly<Record<string, string>>;

/** The pending change of one entity. */
interface PendingChange {
  /** Null if it is deleted. */
  readonly stored: Stored<unknown> | null;
  /** Its creator, if it was created in this unit: no filter finds it yet. */
  readonly creatorId: string | null;
  /** If it is deleted: the time and subject that become the last modification of entities whose reference is cleared. */
  readonly stamps: CommonFields | null;
}

/** The pending changes of one store, by identifier. */
interface Changes {
  /** Null if entities are only locked. */
  names: Names | null;
  readonly entities: Map<string, PendingChange>;
}

/** Called once a change is durable and the response is sent. */
type Announcement = () => Promise<void>;

interface PutOptions {
  readonly names: Names;
  readonly creator: Creator | null;
}

/**
 * The writes of one request, which are committed together. Later reads of single entities see pending changes, and lists do
 * not. A call of a service is a nested part, which can fail on its own.
 */
export class UnitOfWork {
  /** Custom code took part, so a conflict may be its mistake, and not the work of another request. */
  hasCustomCode = false;
  readonly announcements: Announcement[] = [];
  private readonly steps: WriteStep[] = [];
  private readonly added: WriteStep[] = [];
  private readonly changes = new Map<ChangedStore, Changes>();
  /** The version of each entity that was read first in this unit. */
  private seen: Map<ChangedStore, Map<string, Stored<unknown>>> | null = null;
  private calls = 0;
  private isDeleting = false;
  /** The refusal, if the database finds a reference to a deleted entity. */
  private inUse: Error | null = null;
  /** Nothing can be added any more. */
  private isClosed = false;
  /** True for a part that was added to its parent, and for a root that is stored. */
  private isJoined = false;

  constructor(
    /** Null for the root. */
    private readonly parent: UnitOfWork | null = null,
    private readonly owner: LockOwner = { locks: null },
  ) {}

  /** The entities that the transaction locks, or waits for. */
  get locks(): LockSet {
    const { owner } = this.root;
    return (owner.locks ??= new LockSet());
  }

  get isEmpty(): boolean {
    return this.changes.size === 0 && (this.parent === null || this.parent.isEmpty);
  }

  /** True once the root is stored, with this part in it. */
  get isWritten(): boolean {
    return this.isJoined && (this.parent === null || this.parent.isWritten);
  }

  get root(): UnitOfWork {
    return this.parent?.root ?? this;
  }

  /** Counts a call of a service, and returns the number of calls. */
  countCall(): number {
    if (this.parent !== null) return this.parent.countCall();
    this.calls += 1;
    return this.calls;
  }

  get hasDeletions(): boolean {
    return this.isDeleting || this.parent?.hasDeletions === true;
  }

  /** Null if the unit does not delete the entity. */
  deletionStamps(store: ChangedStore, id: string): CommonFields | null {
    const end = this.changes.get(store)?.entities.get(id)?.stamps;
    return end ?? this.parent?.deletionStamps(store, id) ?? null;
  }

  /** Adds this part to its parent. Throws if the parent, or a unit above it, is closed. */
  join(): void {
    this.isClosed = true;
    this.parent?.merge(this);
    this.isJoined = true;
  }

  drop(): void {
    this.isClosed = true;
  }

  checkOpen(): void {
    this.parent?.checkOpen();
    if (!this.isClosed) return;
    throw new Error(
      "The transaction is over: a hook, action or route has to await every change that it makes.",
    );
  }

  /** Adds a write that a store has prepared; `creator` is null for a change. */
  put<Entity>(
    store: ChangedStore,
    id: string,
    pending: Pending<Entity>,
    { names, creator }: PutOptions,
  ): void {
    this.addSteps(pending.steps);
    const changes = this.changesOf(store);
    changes.names = names;
    record(changes, id, {
      stored: pending,
      creatorId: creator && identityOf(creator),
      stamps: null,
    });
  }

  /** Adds the lock of an entity to the root, so that it is kept even if this part fails. */
  lock<Entity>(store: ChangedStore, id: string, pending: Pending<Entity>): void {
    this.checkOpen();
    const { root } = this;
    root.addSteps(pending.steps);
    record(root.changesOf(store), id, { stored: pending, creatorId: null, stamps: null });
  }

  remove(store: ChangedStore, id: string, { steps, stamps, inUse }: Deletion, names: Names): void {
    this.addSteps(steps);
    const changes = this.changesOf(store);
    changes.names = names;
    record(changes, id, { stored: null, creatorId: null, stamps: stamps });
    this.isDeleting = true;
    this.inUse ??= inUse;
  }

  /** AUT-2: a subject may change what it has created in this unit. */
  isCreatedBy(store: ChangedStore, id: string, caller: Creator): boolean {
    const creatorId = this.changes.get(store)?.entities.get(id)?.creatorId ?? null;
    if (creatorId !== null) return creatorId === identityOf(caller);
    return this.parent?.isCreatedBy(store, id, caller) ?? false;
  }

  prepend(step: WriteStep): void {
    this.steps.unshift(step);
  }

  /** Adds statements of custom code, which are written last. */
  add(steps: readonly WriteStep[]): void {
    this.checkOpen();
    this.hasCustomCode = true;
    this.added.push(...steps);
  }

  /** The entity after this unit: null if it is deleted, undefined if it is not changed. */
  pendingOf<Entity>(store: ChangedStore, id: string): Stored<Entity> | null | undefined {
    // Entries of a store have its type.
    const own = this.changes.get(store)?.entities.get(id)?.stored as
      Stored<Entity> | null | undefined;
    return own === undefined ? this.parent?.pendingOf(store, id) : own;
  }

  /** Whether the unit changes or locks any entity besides this one. */
  hasOthers(store: ChangedStore, id: string): boolean {
    const entities = this.changes.get(store)?.entities;
    const own = entities?.has(id) === true ? 1 : 0;
    const isAlone = this.changes.size === own && (entities?.size ?? 0) === own;
    return !isAlone || this.parent?.hasOthers(store, id) === true;
  }

  /** Returns the version of an entity that was read first. If another request changes it later, the write conflicts. */
  snapshot<Entity>(store: ChangedStore, id: string, found: Stored<Entity>): Stored<Entity> {
    if (this.parent !== null) return this.parent.snapshot(store, id, found);
    this.seen ??= new Map();
    const known = this.seen.get(store) ?? new Map<string, Stored<unknown>>();
    // Entries of a store have its type.
    const first = (known.get(id) ?? found) as Stored<Entity>;
    this.seen.set(store, known.set(id, first));
    return first;
  }

  /** Commits. Throws 409 if a unique value is taken, and `WriteConflict` if another request was faster. */
  write(database: Database): Promise<void> {
    this.isClosed = true;
    const steps = this.added.length === 0 ? this.steps : [...this.steps, ...this.added];
    const written = steps.length === 0 ? Promise.resolve() : database.write(steps);
    return written.then(
      () => {
        this.isJoined = true;
      },
      (error: unknown) => {
        throw this.refusalOf(error);
      },
    );
  }

  private merge(part: UnitOfWork): void {
    this.addSteps(part.steps);
    this.hasCustomCode = true;
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
        for (const [id, made] of changes.entities) record(known, id, made);
      }
    }
  }

  private changesOf(store: ChangedStore): Changes {
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
      const Conflict = this.hasCustomCode ? OwnCodeConflict : WriteConflict;
      return new Conflict(error.message, { cause: this.inUse ?? error });
    }
    if (!(error instanceof UniqueViolation)) return error;
    const all = [...this.changes];
    const found = all.find(([{ table }]) => table.name === error.table);
    if (found === undefined) return error;
    const [{ table }, { names }] = found;
    const taken = error.columns
      .filter((column) => column !== TENANT)
      .map((column) => names?.[column] ?? column);
    const refusal = alreadyExists(table.entityType, taken);
    // With several resources, custom code may have checked the value before another request inserted it: a retry checks again.
    if (all.filter(([, changes]) => changes.names !== null).length === 1) return refusal;
    return new OwnCodeConflict(error.message, { cause: refusal });
  }
}

/** The creator stays the same. */
function record({ entities }: Changes, id: string, made: PendingChange): void {
  const creatorId = made.creatorId ?? entities.get(id)?.creatorId ?? null;
  entities.set(id, creatorId === made.creatorId ? made : { ...made, creatorId });
}
