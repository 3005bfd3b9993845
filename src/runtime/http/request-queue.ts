const MOST_WAITING = 5000;

/** A request that there was no room for; one of the two is called. */
export interface QueuedRequest {
  readonly since: number;
  /** Of its body. */
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** The requests that wait for room, the oldest first: a bounded number, with a bounded number of bytes (LIM-1, LIM-2). */
export class RequestQueue {
  private readonly requests: QueuedRequest[] = [];
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get size(): number {
    return this.requests.length;
  }

  get first(): QueuedRequest | undefined {
    return this.requests[0];
  }

  /** False where there is no room for one more; the first may be of any size. */
  add(request: QueuedRequest): boolean {
    const isTooLarge = this.size > 0 && this.bytes + request.bytes > this.mostBytes;
    if (isTooLarge || this.size >= MOST_WAITING) return false;
    this.requests.push(request);
    this.bytes += request.bytes;
    return true;
  }

  /** Removes the one that has waited longest. */
  takeFirst(): QueuedRequest | undefined {
    return this.without(this.requests.shift());
  }

  /** Removes the one that came last. */
  takeLast(): QueuedRequest | undefined {
    return this.without(this.requests.pop());
  }

  private without(request: QueuedRequest | undefined): QueuedRequest | undefined {
    this.bytes -= request?.bytes ?? 0;
    return request;
  }
}
