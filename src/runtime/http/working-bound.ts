/** So many keep a process busy that does its work itself, and share a commit. */
const FEWEST = 64;
/** The share of the time that a process works, from which on it is busy. */
const BUSY = 0.9;
const GROWTH = 1.5;

/**
 * How many requests are worked on at a time while others wait (LIM-2). More than a few help only a process that waits for
 * somebody else; in a busy one they all take longer, and what they hold is copied by the garbage collector again and again.
 */
export class WorkingBound {
  most: number;
  private readonly fewest: number;
  private last = performance.eventLoopUtilization();

  constructor(private readonly limit: number) {
    this.fewest = Math.min(FEWEST, limit);
    this.most = this.fewest;
  }

  /** Some wait from now on. */
  start(): void {
    this.last = performance.eventLoopUtilization();
  }

  /** Allows more where the process was at leisure since it was asked last, and fewer where it was busy. */
  adapt(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.last);
    this.last = now;
    const next = utilization < BUSY ? Math.ceil(this.most * GROWTH) : this.most / GROWTH;
    this.most = Math.min(this.limit, Math.max(this.fewest, Math.floor(next)));
  }
}
