import { ConnectionRush } from "./connection-rush.js";
import { KeptBack } from "./kept-back.js";
import { QueuePace } from "./queue-pace.js";
import type { Limits } from "./settings.js";
import { Unordered, type Placed } from "./unordered.js";
import { RequestQueue } from "./request-queue.js";
import { WorkingBound } from "./working-bound.js";

/** A request that has not been begun after this is refused. */
const LONGEST_WAIT_MILLISECONDS = 2000;
/** While others have waited for this long, new ones are refused on arrival. */
const STANDING_MILLISECONDS = 1000;
/** How long requests are begun before connections are looked at again. */
const SLICE_MILLISECONDS = 5;
/** While no connection was made for a while, nobody waits for one: to put requests off would cost more than it helps. */
const CALM_MILLISECONDS = 1000;
const CALM_SLICE_MILLISECONDS = 50;
const SHORT_MILLISECONDS = 1;
/** So many times as many as there is room for are a crowd. */
const CROWD = 2;
const SWEEP_MILLISECONDS = 20;
/** What a request takes at most in a process that is not busy, unless it waits for somebody else. */
const BLOCKED_MILLISECONDS = 250;
/** So many times as many as are worked on may wait for somebody else. */
const BLOCKED = 4;
const TOLD_EVERY_MILLISECONDS = 5000;

/** The answer to a request. */
type Answer = { readonly destroyed: boolean };

/** A request that is worked on, since when, and among which others. */
export interface Work extends Placed {
  readonly requestId: string;
  readonly answer: Answer;
  readonly since: number;
  among: Unordered<Work>;
}

/**
 * Bounds how many requests are worked on at a time, and how long the others wait (LIM-2).
 *
 * Node takes one new connection in each turn of its event loop. If a turn worked on all that there is, clients would wait
 * unseen for their connection, where nobody can refuse them: so a turn ends soon, and the rest is done in the next ones.
 * While each turn brings a connection, some turns in between do nothing else.
 */
export class Admission {
  private readonly waiting: RequestQueue;
  private readonly pace = new QueuePace();
  private readonly working: WorkingBound;
  private readonly keptBack = new KeptBack();
  private readonly inProgress = new Unordered<Work>();
  /** What waits for something else than this process, such as a locked table: it takes no room. */
  private readonly blocked = new Unordered<Work>();
  /** The health of the service is answered however busy it is, and takes no room. */
  private readonly vital = new Unordered<Work>();
  private now = 0;
  private connectedAt = 0;
  private turnBegan: number | null = null;
  private lastTurnBegan = 0;
  private readonly rush = new ConnectionRush();
  private isPumping = false;
  private isSweeping = false;
  private refused = 0;

  constructor(
    private readonly limits: Limits,
    /** Told of what was refused, every few seconds. */
    private readonly tell: (refused: number) => void,
  ) {
    this.waiting = new RequestQueue(limits.receivingBytes);
    this.working = new WorkingBound(limits.concurrentRequests);
  }

  /** Notes that a request has arrived; says whether it must be refused, since it would wait for too long. */
  refusesArrival(): boolean {
    this.note();
    const { first } = this.waiting;
    if (first === undefined) return false;
    return this.waiting.size >= this.pace.room || this.now - first.since >= STANDING_MILLISECONDS;
  }

  /** Sends the refusal of a request that has just arrived, in a while. */
  refuseArrival(send: () => void): void {
    this.countRefusal();
    this.keptBack.add(this.now, send);
    this.sweepLater();
  }

  /** Notes that a connection was made. */
  readonly connected = (): void => {
    this.rush.connected();
    this.note();
    this.connectedAt = this.now;
  };

  /** Notes that something has arrived: also bodies that end fill a turn. */
  note(): void {
    this.now = performance.now();
    this.beginTurn();
  }

  /** Whether the request that has arrived can be begun at once. */
  get hasRoom(): boolean {
    return (
      this.waiting.size === 0 &&
      this.inProgress.size < this.working.most &&
      !this.rush.isFirst &&
      this.now - (this.turnBegan ?? this.now) < this.slice
    );
  }

  private get slice(): number {
    const isCalm = this.now - this.connectedAt > CALM_MILLISECONDS;
    return isCalm ? CALM_SLICE_MILLISECONDS : SLICE_MILLISECONDS;
  }

  /** A request is being worked on from now on; `end` has to follow. */
  begin(answer: Answer, requestId: string, isVital = false): Work {
    const among = isVital ? this.vital : this.inProgress;
    const work = { requestId, answer, since: this.now, place: -1, among };
    among.add(work);
    return work;
  }

  /** What a request is called that is worked on; null: it is not. */
  idOf(answer: Answer): string | null {
    const all = [...this.inProgress.all, ...this.blocked.all, ...this.vital.all];
    return all.find((work) => work.answer === answer)?.requestId ?? null;
  }

  /** The work of a request has ended. */
  end(work: Work): void {
    work.among.remove(work);
    if (this.waiting.size > 0) this.pumpLater();
  }

  /** Waits for another request, without taking room while not too many do so. */
  async aside<T>(answer: Answer, waiting: () => Promise<T>): Promise<T> {
    const work = this.inProgress.all.find((one) => one.answer === answer);
    if (work === undefined || this.asideRoom <= 0) return waiting();
    this.setAside(work);
    if (this.waiting.size > 0) this.pumpLater();
    try {
      return await waiting();
    } finally {
      if (this.blocked.all[work.place] === work) {
        this.blocked.remove(work);
        work.among = this.inProgress;
        this.inProgress.add(work);
      }
    }
  }

  private get asideRoom(): number {
    return this.limits.concurrentRequests * BLOCKED - this.blocked.size;
  }

  private setAside(work: Work): void {
    this.inProgress.remove(work);
    work.among = this.blocked;
    this.blocked.add(work);
  }

  /** Keeps a request with a body of so many bytes until there is room; one of the two is called. */
  wait(bytes: number, begin: () => void, refuse: () => void): void {
    const isFirst = this.waiting.size === 0;
    if (!this.waiting.add({ since: this.now, bytes, begin, refuse })) {
      this.countRefusal();
      refuse();
      return;
    }
    if (isFirst) {
      this.pace.start(this.now);
      this.working.start();
    }
    this.pumpLater();
    this.sweepLater();
  }

  private beginTurn(): void {
    // Short turns are many, and to look at each of them would cost more than it tells.
    if (this.turnBegan !== null || this.now - this.lastTurnBegan < SHORT_MILLISECONDS) return;
    this.turnBegan = this.now;
    this.lastTurnBegan = this.now;
    setImmediate(this.endTurn);
  }

  private readonly endTurn = (): void => {
    const now = performance.now();
    this.rush.endTurn(now, now - (this.turnBegan ?? now) >= SHORT_MILLISECONDS);
    this.turnBegan = null;
  };

  private pumpLater(): void {
    if (this.isPumping) return;
    this.isPumping = true;
    setImmediate(this.pump);
  }

  /** Begins what waits, for as long as a turn may take. */
  private readonly pump = (): void => {
    this.isPumping = false;
    const now = performance.now();
    this.pace.skip(this.rush.pump(now));
    if (!this.rush.isFirst) {
      this.pace.measure(now);
      this.refuseLate(now);
      this.beginWaiting(now);
    }
    if (this.waiting.size > 0 && this.inProgress.size < this.working.most) this.pumpLater();
  };

  private beginWaiting(began: number): void {
    let now = began;
    while (this.inProgress.size < this.working.most && now - began < SLICE_MILLISECONDS) {
      const next = this.waiting.takeFirst();
      if (next === undefined) break;
      this.pace.count();
      next.begin();
      now = performance.now();
    }
  }

  /** Code of the service's own that never ends takes no room for ever: once its caller has had a 504, it has none. */
  private forgetStuck(now: number): void {
    const last = now - this.limits.requestSeconds * 1000;
    for (const { all } of [this.inProgress, this.blocked]) {
      const stuck = all.filter(({ since, answer }) => since <= last && answer.destroyed);
      for (const work of stuck) this.end(work);
    }
  }

  /** A process that is at leisure and has begun a request long ago waits for somebody else to end it. */
  private setBlockedAside(now: number): void {
    const last = now - BLOCKED_MILLISECONDS;
    const waiting = this.inProgress.all.filter(({ since }) => since <= last);
    for (const work of waiting.slice(0, Math.max(0, this.asideRoom))) this.setAside(work);
    if (waiting.length > 0) this.pumpLater();
  }

  private refuseLate(now: number): void {
    for (;;) {
      const { first } = this.waiting;
      if (first === undefined || now - first.since < LONGEST_WAIT_MILLISECONDS) return;
      this.waiting.takeFirst();
      this.countRefusal();
      first.refuse();
    }
  }

  /** More wait than can be served in time, which shows when the first of a crowd have been: the last of it wait in vain. */
  private refuseCrowd(now: number): void {
    while (this.waiting.size > this.pace.room * CROWD) {
      const last = this.waiting.takeLast();
      if (last === undefined) return;
      this.countRefusal();
      this.keptBack.add(now, last.refuse);
    }
  }

  /** Also for a service in which nothing ends at all. */
  private sweepLater(): void {
    if (this.isSweeping) return;
    this.isSweeping = true;
    const due = performance.now() + SWEEP_MILLISECONDS;
    setTimeout(() => {
      this.isSweeping = false;
      const now = performance.now();
      this.now = now;
      this.forgetStuck(now);
      if (now - due < SWEEP_MILLISECONDS) this.setBlockedAside(now);
      if (this.waiting.size > 0) {
        this.working.adapt();
        this.pumpLater();
      }
      this.refuseLate(now);
      this.pace.measure(now);
      this.refuseCrowd(now);
      this.keptBack.sendDue(now);
      if (this.waiting.size > 0 || !this.keptBack.isEmpty) this.sweepLater();
    }, SWEEP_MILLISECONDS);
  }

  private countRefusal(): void {
    this.refused += 1;
    if (this.refused > 1) return;
    const timer = setTimeout(() => {
      this.tell(this.refused);
      this.refused = 0;
    }, TOLD_EVERY_MILLISECONDS);
    timer.unref();
  }
}
