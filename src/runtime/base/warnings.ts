import type { Stopwatch } from "./time.js";

/** A mistake of own code can be met by every request. */
const QUIET_MILLISECONDS = 60_000;

/** What a service warns of in its log: each of them once in a minute. */
export class Warnings {
  private readonly told = new Map<string, number>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Whether it is to be told now. `text` says what is wrong, without the values of a request: each text is kept. */
  isDue(text: string): boolean {
    const now = this.elapsed();
    const last = this.told.get(text);
    if (last !== undefined && now - last < QUIET_MILLISECONDS) return false;
    this.told.set(text, now);
    return true;
  }
}
