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

/** What a unit has to know of a store whose entities it writes. */
interface UnitStore {
  readonly table: { readonly name: string; readonly entityType: string };
}

/** What clients call properties otherwise than they are stored (REP-7). */
type Names = Readonly<Record<string, string>>;

/** What becomes of one entity. */
interface Made {
  /** Null: it is deleted. */
  readonly stored: Stored<unknown> | null;
  /** Who has created it in this unit, since no filter finds it yet; null: it was there before. */
  readonly makerId: string | null;
  /** The stamps of its deletion: what lets go of it is changed then; null: it is not deleted. */
  readonly end: CommonFields | null;
}

/** What becomes of the entities of one store, by their identifiers. */
interface Changes {
  /** For refusals; null: nothing of them is changed, only locked. */
  names: Names | null;
  readonly entities: Map<string, Made>;
}

/** Tells of a change, once it is durable. */
type Announcement = () => Promise<void>;

/** How a change is put into a unit. */
interface Putting {
  readonly names: Names;
  readonly maker: Subject | null;
}

/**
 * The writes of one request: all of them happen or none. What they will make is known here before it is stored. What a
 * service does in it is a part of its own, which is dropped if it fails.
 */
export class Unit {
  /** Code of the service's own took part: what does not fit may be its mistake, and not another request's. */
  hasOwnCode = false;
  readonly announcements: Announcement[] = [];
  private readonly steps: WriteStep[] = [];
  private readonly added: WriteStep[] = [];
  private readonly changes = new Map<UnitStore, Changes>();
  /** What own code decides by; null: nothing yet, as in a request without any. */
  private seen: Map<UnitStore, Map<string, Stored<unknown>>> | null = null;
  private calls = 0;
  private isDeleting = false;
  /** What a deletion is refused with if it fails, since others referred to that; null: none did. */
  private inUse: Error | null = null;
  /** It has been dropped, is being written, or is part of its whole: whoever comes now comes too late. */
  private isOver = false;
  /** It was not dropped: what becomes of it is what becomes of its whole. */
  private isKept = false;

  constructor(
    /** What this is a part of; null: it is a whole one. */
    private readonly whole: Unit | null = null,
    private readonly holder: PlaceHolder = { places: null },
  ) {}

  /** Where the transaction waits for what others lock. */
  get places(): Places {
    const { holder } = this.root;
    return (holder.places ??= new Places());
  }

  get isEmpty(): boolean {
    return this.changes.size === 0 && (this.whole === null || this.whole.isEmpty);
  }

  /** It is stored: nothing can fail any more that it is a part of. */
  get isWritten(): boolean {
    return this.isKept && (this.whole === null || this.whole.isWritten);
  }

  /** The whole that this is a part of, however many lie between. */
  get root(): Unit {
    return this.whole?.root ?? this;
  }

  /** Counts a call of a service in it; how many there have been. */
  countCall(): number {
    if (this.whole !== null) return this.whole.countCall();
    this.calls += 1;
    return this.calls;
  }

  get hasDeletions(): boolean {
    return this.isDeleting || this.whole?.hasDeletions === true;
  }

  /** The stamps of a deletion in this unit; null: it does not delete that. */
  endOf(store: UnitStore, id: string): CommonFields | null {
    const end = this.changes.get(store)?.entities.get(id)?.end;
    return end ?? this.whole?.endOf(store, id) ?? null;
  }

  /** Adds a part to its whole, after what that has by now. Throws where the whole is over. */
  join(): void {
    this.isOver = true;
    this.whole?.take(this);
    this.isKept = true;
  }

  /** Gives up what it would have written, and takes nothing more. */
  drop(): void {
    this.isOver = true;
  }

  /** Throws where nothing can be added any more. */
  checkOpen(): void {
    this.whole?.checkOpen();
    if (!this.isOver) return;
    throw new Error(
      "The transaction is over: a hook, action or route has to await every change that it makes.",
    );
  }

  /** Writes what a store has prepared; `maker` is who creates it, and null for a change of what there is. */
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

  /**
   * Writes what a store has prepared to lock an entity, which changes nothing of it: for all parts, whatever becomes of this
   * one.
   */
  lock<Entity>(store: UnitStore, id: string, pending: Pending<Entity>): void {
    this.checkOpen();
    const { root } = this;
    root.addSteps(pending.steps);
    note(root.changesOf(store), id, { stored: pending, makerId: null, end: null });
  }

  /** Deletes an entity. */
  remove(store: UnitStore, id: string, { steps, stamps, inUse }: Deletion, names: Names): void {
    this.addSteps(steps);
    const changes = this.changesOf(store);
    changes.names = names;
    note(changes, id, { stored: null, makerId: null, end: stamps });
    this.isDeleting = true;
    this.inUse ??= inUse;
  }

  /** Says whether somebody has created an entity in this unit: they may go on with it (AUT-2). */
  isMadeBy(store: UnitStore, id: string, subject: Subject): boolean {
    const makerId = this.changes.get(store)?.entities.get(id)?.makerId ?? null;
    if (makerId !== null) return makerId === subject.subjectId;
    return this.whole?.isMadeBy(store, id, subject) ?? false;
  }

  /** Writes something before all else. */
  putFirst(step: WriteStep): void {
    this.steps.unshift(step);
  }

  /** Writes statements of the service's own, after all else. */
  add(steps: readonly WriteStep[]): void {
    this.checkOpen();
    this.hasOwnCode = true;
    this.added.push(...steps);
  }

  /** What this unit makes of an entity: null where it deletes it, undefined where it does nothing to it. */
  pendingOf<Entity>(store: UnitStore, id: string): Stored<Entity> | null | undefined {
    // What stands under a store was put there with it.
    const own = this.changes.get(store)?.entities.get(id)?.stored as
      Stored<Entity> | null | undefined;
    return own === undefined ? this.whole?.pendingOf(store, id) : own;
  }

  /** Says whether it makes or deletes anything beside one entity. */
  hasOthers(store: UnitStore, id: string): boolean {
    const entities = this.changes.get(store)?.entities;
    const own = entities?.has(id) === true ? 1 : 0;
    const isAlone = this.changes.size === own && (entities?.size ?? 0) === own;
    return !isAlone || this.whole?.hasOthers(store, id) === true;
  }

  /**
   * What own code saw of an entity first, which is what it decides by: a change of it since then is a conflict.
   */
  firstSeen<Entity>(store: UnitStore, id: string, found: Stored<Entity>): Stored<Entity> {
    if (this.whole !== null) return this.whole.firstSeen(store, id, found);
    this.seen ??= new Map();
    const known = this.seen.get(store) ?? new Map<string, Stored<unknown>>();
    // What stands under a store was put there with it.
    const first = (known.get(id) ?? found) as Stored<Entity>;
    this.seen.set(store, known.set(id, first));
    return first;
  }

  /** Writes everything. Throws 409 where a unique value is taken, and `WriteConflict` where another request was faster. */
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
        // The client knows the names of what it has called, and not those of own code.
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
    // What was looked up has been deleted meanwhile, or is referred to now: the next look will tell.
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
    // Another request may have made it from the same state of things: whoever looks again decides anew.
    if (all.filter(([, changes]) => changes.names !== null).length === 1) return refusal;
    return new OwnCodeConflict(error.message, { cause: refusal });
  }
}

/** Notes what becomes of an entity; whoever has created it stays the one. */
function note({ entities }: Changes, id: string, made: Made): void {
  const makerId = made.makerId ?? entities.get(id)?.makerId ?? null;
  entities.set(id, makerId === made.makerId ? made : { ...made, makerId });
}
