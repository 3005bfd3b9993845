/** How long a request should wait at most for its turn. */
const WAIT_MILLISECONDS = 500;
const WINDOW_MILLISECONDS = 100;
const FEWEST = 50;
const MOST = 5000;

/** How fast a queue moves, and so how many may wait in it (LIM-2): the more a request costs, the fewer. */
export class QueuePace {
  private since = 0;
  private begun = 0;
  private perMillisecond: number | null = null;
  /** Nothing is known of a queue that is new, so at first as many as there may be. */
  room = MOST;

  /** The queue was empty until now: what was begun before says nothing about it. */
  start(now: number): void {
    this.since = now;
    this.begun = 0;
    this.perMillisecond = null;
    this.room = MOST;
  }

  /** A request has left the queue to be worked on. */
  count(): void {
    this.begun += 1;
  }

  /** For so long nothing was begun, for another reason. */
  skip(milliseconds: number): void {
    this.since += milliseconds;
  }

  /** Brings `room` up to date. */
  measure(now: number): void {
    const elapsed = now - this.since;
    if (elapsed < WINDOW_MILLISECONDS) return;
    const latest = this.begun / elapsed;
    // The first that is known counts only together with the next: a crowd has just come, and that took time as well.
    if (this.perMillisecond === null) this.perMillisecond = latest;
    else {
      this.perMillisecond = (this.perMillisecond + latest) / 2;
      const room = Math.floor(this.perMillisecond * WAIT_MILLISECONDS);
      this.room = Math.min(MOST, Math.max(FEWEST, room));
    }
    this.since = now;
    this.begun = 0;
  }
}
