import type { Limits } from "./settings.js";

/** A request that has waited for this long is refused. */
const MAXIMUM_WAIT_MILLISECONDS = 2000;
/** While the first has waited for this long, new ones are refused on arrival. */
const STANDING_MILLISECONDS = 1000;
const MAXIMUM_WAITING = 5000;
/** Clients that come again at once would keep the service busy with nothing but refusals, so it delays them. */
const REFUSAL_DELAY_MILLISECONDS = 2000;
const MAXIMUM_DELAYED = 5000;
/** Enough to keep a CPU-bound process busy, and for SQLite's writers to share a commit. */
const MINIMUM_CONCURRENCY = 64;
/** How far `concurrentRequests` is exceeded while the process only waits, such as for a locked table. */
const IDLE_FACTOR = 5;
/** The share of the time that a process works, from which on it is busy. */
const BUSY_UTILIZATION = 0.9;
const GROWTH = 1.5;
/** Longer than a request takes in a busy process, unless it waits for something else. */
const BLOCKED_MILLISECONDS = 250;
const SWEEP_MILLISECONDS = 100;
/** How long requests are begun before connections are looked at again; longer while there have been none for a second. */
const SLICE_MILLISECONDS = 5;
const CALM_MILLISECONDS = 1000;
const CALM_SLICE_MILLISECONDS = 50;
/** After a turn of the event loop, connections have this part of the time that it took to themselves. */
const CONNECTION_SHARE = 1 / 4;
/** The queue may hold ten times the requests that were begun between the last two sweeps: those of about a second. */
const QUEUE_SWEEPS = 10;
const REPORT_MILLISECONDS = 5000;

type Answer = { readonly destroyed: boolean };

export interface InFlightRequest extends Placed {
  readonly requestId: string;
  readonly answer: Answer;
  readonly since: number;
}

/** A request that has to wait; either `begin` or `refuse` is called. */
interface WaitingRequest {
  readonly since: number;
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Limits how many requests are handled at a time, and how long the others wait in one queue (LIM-2). In a busy process the
 * limit is low: more requests only make each other slower, and the garbage collector copies what they hold. In one that
 * waits for others it is high.
 *
 * Node accepts one connection in each turn of its event loop. If a turn handled everything that has arrived, clients would
 * wait for a connection in the operating system, where they cannot even be refused. So each turn is short.
 */
export class Admission {
  private readonly waiting: WaitingRequest[] = [];
  private waitingBytes = 0;
  private readonly inFlight = new SwapRemoveList<InFlightRequest>();
  private readonly minimum: number;
  private limit: number;
  private utilization = performance.eventLoopUtilization();
  private now = 0;
  private turnBegan: number | null = null;
  private connectedAt = 0;
  private hasConnected = false;
  private connectUntil = 0;
  private room = MAXIMUM_WAITING;
  private begun = 0;
  private isPumping = false;
  private sweeping: NodeJS.Timeout | null = null;
  private delayed = 0;
  private refused = 0;

  constructor(
    private readonly limits: Limits,
    /** Called with the number of refused requests, every few seconds. */
    private readonly report: (refused: number) => void,
  ) {
    this.minimum = Math.min(MINIMUM_CONCURRENCY, limits.concurrentRequests);
    this.limit = this.minimum;
  }

  /** Observes a request that arrives; returns whether it must be refused, since it would wait for too long. */
  refusesArrival(): boolean {
    this.observe();
    const { length, 0: first } = this.waiting;
    if (first === undefined) return false;
    return length >= this.room || this.now - first.since >= STANDING_MILLISECONDS;
  }

  refuseArrival(send: () => void): void {
    this.countRefused();
    if (this.delayed >= MAXIMUM_DELAYED) {
      send();
      return;
    }
    this.delayed += 1;
    setTimeout(() => {
      this.delayed -= 1;
      send();
    }, REFUSAL_DELAY_MILLISECONDS);
  }

  readonly connected = (): void => {
    this.hasConnected = true;
    this.observe();
    this.connectedAt = this.now;
  };

  /** Measures how long a turn of the event loop takes: requests fill it, and the ends of bodies. */
  observe(): void {
    this.now = performance.now();
    if (this.turnBegan !== null) return;
    this.turnBegan = this.now;
    setImmediate(this.endTurn, this.now);
  }

  private readonly endTurn = (began: number): void => {
    const now = performance.now();
    this.connectUntil = Math.max(this.connectUntil, now + (now - began) * CONNECTION_SHARE);
    this.turnBegan = null;
  };

  get hasRoom(): boolean {
    const isCalm = this.now - this.connectedAt > CALM_MILLISECONDS;
    const slice = isCalm ? CALM_SLICE_MILLISECONDS : SLICE_MILLISECONDS;
    const isShort = this.now - (this.turnBegan ?? this.now) < slice;
    return isShort && this.waiting.length === 0 && this.inFlight.size < this.limit;
  }

  begin(answer: Answer, requestId: string): InFlightRequest {
    return this.inFlight.add({ requestId, answer, since: this.now, place: -1 });
  }

  idOf(answer: Answer): string | null {
    return this.inFlight.all.find((request) => request.answer === answer)?.requestId ?? null;
  }

  end(request: InFlightRequest): void {
    this.inFlight.remove(request);
    if (this.waiting.length > 0) this.pumpLater();
  }

  /** Queues a request whose body has so many bytes, and later calls `begin` or `refuse`. A first one of any size fits. */
  wait(bytes: number, begin: () => void, refuse: () => void): void {
    const { length } = this.waiting;
    const isTooLarge = length > 0 && this.waitingBytes + bytes > this.limits.receivingBytes;
    if (isTooLarge || length >= MAXIMUM_WAITING) {
      this.countRefused();
      refuse();
      return;
    }
    this.waiting.push({ since: this.now, bytes, begin, refuse });
    this.waitingBytes += bytes;
    this.pumpLater();
    if (this.sweeping !== null) return;
    this.utilization = performance.eventLoopUtilization();
    this.room = MAXIMUM_WAITING;
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

  private readonly pump = (): void => {
    this.isPumping = false;
    const isForConnections = this.hasConnected && performance.now() < this.connectUntil;
    this.hasConnected = false;
    if (!isForConnections) this.beginWaiting();
    if (this.waiting.length > 0 && this.inFlight.size < this.limit) this.pumpLater();
  };

  private beginWaiting(): void {
    this.observe();
    const began = this.now;
    this.refuseLate();
    while (this.inFlight.size < this.limit && this.now - began < SLICE_MILLISECONDS) {
      const next = this.takeFirst();
      if (next === undefined) return;
      this.begun += 1;
      next.begin();
      this.now = performance.now();
    }
  }

  private refuseLate(): void {
    const last = this.now - MAXIMUM_WAIT_MILLISECONDS;
    while (this.waiting[0] !== undefined && this.waiting[0].since <= last) {
      this.countRefused();
      this.takeFirst()?.refuse();
    }
  }

  private readonly sweep = (): void => {
    this.now = performance.now();
    this.releaseAbandoned();
    this.adaptLimit();
    const soon = Math.max(MINIMUM_CONCURRENCY, this.begun * QUEUE_SWEEPS);
    // Halved at most: in the first sweeps few have begun, and the limit is about to grow.
    this.room = Math.max(soon, Math.floor(this.room / 2));
    this.begun = 0;
    this.refuseLate();
    if (this.waiting.length > 0) this.pumpLater();
    else if (this.sweeping !== null) {
      clearInterval(this.sweeping);
      this.sweeping = null;
      const usual = Math.max(this.limits.concurrentRequests, this.inFlight.size + this.minimum);
      this.limit = Math.min(this.limit, usual);
    }
  };

  /** Custom code that never ends must not count for ever: its caller has had a 504 by then. */
  private releaseAbandoned(): void {
    const last = this.now - this.limits.requestSeconds * 1000;
    const isAbandoned = ({ since, answer }: InFlightRequest): boolean =>
      since <= last && answer.destroyed;
    for (const request of this.inFlight.all.filter(isAbandoned)) this.end(request);
  }

  private adaptLimit(): void {
    const before = this.utilization;
    this.utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.utilization, before);
    const next =
      utilization < BUSY_UTILIZATION ? Math.ceil(this.limit * GROWTH) : this.limit / GROWTH;
    const most = this.limits.concurrentRequests * IDLE_FACTOR;
    // Those that wait for something else must not keep others out of a busy process.
    const last = this.now - BLOCKED_MILLISECONDS;
    const blocked = this.inFlight.all.filter(({ since }) => since < last);
    this.limit = Math.min(most, Math.max(this.minimum + blocked.length, Math.floor(next)));
  }

  private countRefused(): void {
    this.refused += 1;
    if (this.refused > 1) return;
    const timer = setTimeout(() => {
      this.report(this.refused);
      this.refused = 0;
    }, REPORT_MILLISECONDS);
    timer.unref();
  }
}

/** An item of a `SwapRemoveList`; outside of it the place is -1. */
export interface Placed {
  place: number;
}

/**
 * Items that come and go with every request, in any order. A `Map` or a `Set` leaves a table behind again and again that
 * points to the next one: once one of them has grown old, the collector keeps all of them, and every item in them.
 */
export class SwapRemoveList<Item extends Placed> {
  private readonly items: Item[] = [];

  get size(): number {
    return this.items.length;
  }

  get all(): readonly Item[] {
    return this.items;
  }

  add(item: Item): Item {
    item.place = this.items.length;
    this.items.push(item);
    return item;
  }

  /** Does nothing where the item is gone already. */
  remove(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.items.pop();
    if (last === undefined || last === item) return;
    last.place = place;
    this.items[place] = last;
  }
}
