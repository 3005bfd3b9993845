import { AuthenticationBusy } from "./authentication.js";

/** As many as keep Node's four threads at work; each ends in the event loop, where others wait for their turn. */
const MOST_AT_ONCE = 8;
const MOST_WAITING = 5000;
const LONGEST_WAIT_MILLISECONDS = 2000;

interface WaitingCheck {
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** Bounds how many signatures are checked at a time, and how long the others wait: tokens cost nothing to make up (LIM-2). */
export class SignatureChecks {
  private readonly waiting: WaitingCheck[] = [];
  private running = 0;

  /** Resolves when one more can be checked; `leave` has to follow. Rejects with `AuthenticationBusy` where that takes too long. */
  async enter(): Promise<void> {
    if (this.running < MOST_AT_ONCE) this.running += 1;
    else await this.room();
  }

  /** One has been checked: its place is the next one's. */
  leave(): void {
    const last = performance.now() - LONGEST_WAIT_MILLISECONDS;
    for (;;) {
      const first = this.waiting.shift();
      if (first === undefined) break;
      if (first.since > last) {
        first.begin();
        return;
      }
      // Who is told so only when its turn has come does not come back at once.
      first.refuse(new AuthenticationBusy());
    }
    this.running -= 1;
  }

  private room(): Promise<void> {
    if (this.waiting.length >= MOST_WAITING) throw new AuthenticationBusy();
    return new Promise((begin, refuse) => {
      this.waiting.push({ since: performance.now(), begin, refuse });
    });
  }
}
