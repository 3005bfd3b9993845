import type { Limits } from "./settings.js";
import { Unordered, type Placed } from "./unordered.js";

/** A request that has not been begun after this is refused. */
const LONGEST_WAIT_MILLISECONDS = 2000;
/** While the first has waited for this long, new ones are refused on arrival. */
const STANDING_MILLISECONDS = 1000;
const MOST_WAITING = 5000;
/** So long a refusal is kept back: who comes again at once would keep the service busy with nothing but refusals. */
const KEPT_BACK_MILLISECONDS = 2000;
const MOST_KEPT_BACK = 5000;
/** So many keep a process busy that does its work itself, and share a commit. */
const FEWEST = 64;
/** So many times `concurrentRequests` are worked on in a process that only waits for somebody else, such as a locked table. */
const BLOCKED = 5;
/** The share of the time that a process works, from which on it is busy. */
const BUSY = 0.9;
const GROWTH = 1.5;
const SWEEP_MILLISECONDS = 100;
/** How long requests are begun before connections are looked at again; longer while there have been none for a second. */
const SLICE_MILLISECONDS = 5;
const CALM_MILLISECONDS = 1000;
const CALM_SLICE_MILLISECONDS = 50;
/** So many turns of the event loop do nothing but take connections, after one that worked. */
const CONNECTION_TURNS = 16;
const TOLD_EVERY_MILLISECONDS = 5000;

/** The answer to a request. */
type Answer = { readonly destroyed: boolean };

/** A request that is worked on, and since when. */
export interface Work extends Placed {
  readonly requestId: string;
  readonly answer: Answer;
  readonly since: number;
}

/** A request that there was no room for; one of the two is called. */
interface WaitingRequest {
  readonly since: number;
  /** Of its body. */
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Bounds how many requests are worked on at a time, and how long the others wait in one queue (LIM-2). A busy process works on
 * few: more only make each of them slower, and the garbage collector copies what they hold. One that waits for others works
 * on many.
 *
 * Node takes one new connection in each turn of its event loop. If a turn worked on all that there is, clients would wait
 * unseen for their connection, where nobody can refuse them: so a turn ends soon, and the rest is done in the next ones.
 */
export class Admission {
  private readonly waiting: WaitingRequest[] = [];
  private waitingBytes = 0;
  private readonly inProgress = new Unordered<Work>();
  private readonly fewest: number;
  private most: number;
  private utilization = performance.eventLoopUtilization();
  private now = 0;
  private turnBegan: number | null = null;
  private connectedAt = 0;
  private hasConnected = false;
  private connectionTurns = 0;
  private isPumping = false;
  private sweeping: NodeJS.Timeout | null = null;
  private keptBack = 0;
  private refused = 0;

  constructor(
    private readonly limits: Limits,
    /** Told of what was refused, every few seconds. */
    private readonly tell: (refused: number) => void,
  ) {
    this.fewest = Math.min(FEWEST, limits.concurrentRequests);
    this.most = this.fewest;
  }

  /** Notes that a request has arrived; says whether it must be refused, since it would wait for too long. */
  refusesArrival(): boolean {
    this.note();
    const [first] = this.waiting;
    return first !== undefined && this.now - first.since >= STANDING_MILLISECONDS;
  }

  /** Sends the refusal of a request that has just arrived, in a while. */
  refuseArrival(send: () => void): void {
    this.countRefusal();
    if (this.keptBack >= MOST_KEPT_BACK) {
      send();
      return;
    }
    this.keptBack += 1;
    setTimeout(() => {
      this.keptBack -= 1;
      send();
    }, KEPT_BACK_MILLISECONDS);
  }

  /** Notes that a connection was made. */
  readonly connected = (): void => {
    this.hasConnected = true;
    this.note();
    this.connectedAt = this.now;
  };

  /** Notes that something has arrived: also bodies that end fill a turn. */
  note(): void {
    this.now = performance.now();
    if (this.turnBegan !== null) return;
    this.turnBegan = this.now;
    setImmediate(this.endTurn);
  }

  private readonly endTurn = (): void => {
    this.turnBegan = null;
  };

  /** Whether the request that has arrived can be begun at once. */
  get hasRoom(): boolean {
    const isCalm = this.now - this.connectedAt > CALM_MILLISECONDS;
    const slice = isCalm ? CALM_SLICE_MILLISECONDS : SLICE_MILLISECONDS;
    const isShort = this.now - (this.turnBegan ?? this.now) < slice;
    return isShort && this.waiting.length === 0 && this.inProgress.size < this.most;
  }

  /** A request is being worked on from now on; `end` has to follow. */
  begin(answer: Answer, requestId: string): Work {
    const work = { requestId, answer, since: this.now, place: -1 };
    this.inProgress.add(work);
    return work;
  }

  /** What a request is called that is worked on; null: it is not. */
  idOf(answer: Answer): string | null {
    return this.inProgress.all.find((work) => work.answer === answer)?.requestId ?? null;
  }

  /** The work of a request has ended. */
  end(work: Work): void {
    this.inProgress.remove(work);
    if (this.waiting.length > 0) this.pumpLater();
  }

  /** Keeps a request with a body of so many bytes until there is room; one of the two is called. The first may be of any size. */
  wait(bytes: number, begin: () => void, refuse: () => void): void {
    const { length } = this.waiting;
    const isTooLarge = length > 0 && this.waitingBytes + bytes > this.limits.receivingBytes;
    if (isTooLarge || length >= MOST_WAITING) {
      this.countRefusal();
      refuse();
      return;
    }
    this.waiting.push({ since: this.now, bytes, begin, refuse });
    this.waitingBytes += bytes;
    this.pumpLater();
    if (this.sweeping !== null) return;
    this.utilization = performance.eventLoopUtilization();
    this.sweeping = setInterval(this.sweep, SWEEP_MILLISECONDS);
  }

  private takeFirst(): WaitingRequest | undefined {
    const first = this.waiting.shift();
    this.waitingBytes -= first?.bytes ?? 0;
    return first;
  }

  private pumpLater(): void {
    if (this.isPumping) return;
    this.isPumping = true;
    setImmediate(this.pump);
  }

  /** Begins what waits, for as long as a turn may take. */
  private readonly pump = (): void => {
    this.isPumping = false;
    if (this.hasConnected && this.connectionTurns < CONNECTION_TURNS) this.connectionTurns += 1;
    else {
      this.connectionTurns = 0;
      this.beginWaiting();
    }
    this.hasConnected = false;
    if (this.waiting.length > 0 && this.inProgress.size < this.most) this.pumpLater();
  };

  private beginWaiting(): void {
    const began = performance.now();
    this.now = began;
    this.refuseLate();
    while (this.inProgress.size < this.most && this.now - began < SLICE_MILLISECONDS) {
      const next = this.takeFirst();
      if (next === undefined) return;
      next.begin();
      this.now = performance.now();
    }
  }

  private refuseLate(): void {
    const last = this.now - LONGEST_WAIT_MILLISECONDS;
    while (this.waiting[0] !== undefined && this.waiting[0].since <= last) {
      this.countRefusal();
      this.takeFirst()?.refuse();
    }
  }

  /** While some wait, also where nothing ends at all. */
  private readonly sweep = (): void => {
    this.now = performance.now();
    this.forgetStuck();
    this.adapt();
    this.refuseLate();
    if (this.waiting.length > 0) this.pumpLater();
    else if (this.sweeping !== null) {
      clearInterval(this.sweeping);
      this.sweeping = null;
    }
  };

  /** Code of the service's own that never ends takes no room for ever: once its caller has had a 504, it has none. */
  private forgetStuck(): void {
    const last = this.now - this.limits.requestSeconds * 1000;
    const isStuck = ({ since, answer }: Work): boolean => since <= last && answer.destroyed;
    for (const work of this.inProgress.all.filter(isStuck)) this.end(work);
  }

  /** Allows more where the process was at leisure lately, and fewer where it was busy. */
  private adapt(): void {
    const before = this.utilization;
    this.utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.utilization, before);
    const next = utilization < BUSY ? Math.ceil(this.most * GROWTH) : this.most / GROWTH;
    const most = this.limits.concurrentRequests * BLOCKED;
    this.most = Math.min(most, Math.max(this.fewest, Math.floor(next)));
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
