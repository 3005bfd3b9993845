import type { Stopwatch } from "./time.js";

/** Every request can meet the same mistake of custom code. */
const QUIET_MILLISECONDS = 60_000;

/** Limits each warning to one a minute. */
export class Warnings {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Every text is kept, so it must not contain values of a request. */
  isDue(text: string): boolean {
    const now = this.elapsed();
    const last = this.loggedAt.get(text);
    if (last !== undefined && now - last < QUIET_MILLISECONDS) return false;
    this.loggedAt.set(text, now);
    return true;
  }
}
