import type { Limits } from "./settings.js";

/** Time in the queue after which a request is refused. */
const MAXIMUM_WAIT_MILLISECONDS = 2000;
/** If the first request has waited for this long, new ones are refused on arrival. */
const STANDING_MILLISECONDS = 1000;
const MAXIMUM_WAITING = 5000;
/** Refusals are delayed, because clients that retry at once would keep the service busy with refusals alone. */
const REFUSAL_DELAY_MILLISECONDS = 2000;
const MAXIMUM_DELAYED = 5000;
/** Enough to keep a CPU-bound process busy, and for SQLite's writers to share a commit. */
const MINIMUM_CONCURRENCY = 64;
/** Factor by which the limit may exceed `concurrentRequests` while the process mostly waits, such as for a locked table. */
const IDLE_FACTOR = 5;
/** A process with at least this utilization of its event loop counts as busy. */
const BUSY_UTILIZATION = 0.9;
const GROWTH = 1.5;
/** Longer than a request takes in a busy process, unless it waits for something else. */
const BLOCKED_MILLISECONDS = 250;
const SWEEP_MILLISECONDS = 100;
/** Time for starting requests in one turn of the event loop. */
const SLICE_MILLISECONDS = 5;
/** If no client has connected for this long, arriving requests may be started for longer. */
const CALM_MILLISECONDS = 1000;
const CALM_SLICE_MILLISECONDS = 50;
/** Share of a turn's duration that is reserved for new connections after it. */
const CONNECTION_SHARE = 1 / 4;
/** The queue may hold the requests of about a second: ten times those started between the last two sweeps. */
const QUEUE_SWEEPS = 10;
const REPORT_MILLISECONDS = 5000;

type Answer = { readonly destroyed: boolean };

export interface InFlightRequest extends Placed {
  readonly requestId: string;
  readonly answer: Answer;
  readonly since: number;
}

/** A request in the queue. Either `begin` or `refuse` is called. */
interface WaitingRequest {
  readonly since: number;
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Limits the number of concurrent requests, and the waiting time of the others (LIM-2). In a busy process the limit is low:
 * more requests only slow each other down, and the garbage collector copies their data. In a process that mostly waits, such
 * as for a database, the limit is high. Node accepts one connection in each turn of its event loop, so each turn is kept short.
 * In a long turn, clients would wait in the operating system, where they cannot even be refused.
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
    /** Called with the number of refused requests, every few seconds while there are any. */
    private readonly report: (refused: number) => void,
  ) {
    this.minimum = Math.min(MINIMUM_CONCURRENCY, limits.concurrentRequests);
    this.limit = this.minimum;
  }

  /** Observes a request that arrives. Returns true if it must be refused, because it would wait for too long. */
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

  /** Measures the duration of a turn of the event loop. Called for each connection, each request and each end of a body. */
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

  /** Queues a request with a body of this size. A full queue refuses it at once; an empty one takes any size. */
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
    // Halved at most, because few requests have started in the first sweeps, and the limit is about to grow.
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

  /** Releases the slots of requests whose custom code never ends. Their clients have had a 504 or have disconnected. */
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
    // Blocked requests must not keep others out of a busy process.
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

/** An item of a `SwapRemoveList`. Its place is -1 outside the list. */
export interface Placed {
  place: number;
}

/**
 * Items that come and go with every request. Not a `Map` or `Set`, whose old tables keep each other and their items alive once
 * one of them reaches the old generation.
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

  /** Does nothing if the item is not in the list. */
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
