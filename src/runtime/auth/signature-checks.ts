import { AuthenticationBusy } from "./authentication.js";

/** As many as keep Node's four threads at work; each ends in the event loop, where others wait for their turn. */
const MOST_AT_ONCE = 8;
const MOST_WAITING = 5000;
const LONGEST_WAIT_MILLISECONDS = 2000;

/** Bounds how many signatures are checked at a time, and how long the others wait: tokens cost nothing to make up (LIM-2). */
export class SignatureChecks {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** Resolves when one more can be checked; `leave` has to follow. Rejects with `AuthenticationBusy` where that takes too long. */
  async enter(): Promise<void> {
    if (this.running < MOST_AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MOST_WAITING) throw new AuthenticationBusy();
    const since = performance.now();
    await new Promise<void>((begin) => this.waiting.push(begin));
    if (performance.now() - since < LONGEST_WAIT_MILLISECONDS) return;
    // Refusing it only now, and not at once, keeps the caller from coming back immediately.
    this.leave();
    throw new AuthenticationBusy();
  }

  /** One has been checked: its place is the next one's. */
  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
