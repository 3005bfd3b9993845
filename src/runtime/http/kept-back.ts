/** So long a refusal is kept back: who comes again at once would keep the service busy with nothing but refusals. */
const SHORTEST_MILLISECONDS = 1000;
const LONGEST_MILLISECONDS = 3000;
/** Between two refusals: many clients wait for longer than few, so that refusals cost the service the same. */
const SPACING_MILLISECONDS = 1;
const MOST = 5000;

interface Refusal {
  readonly due: number;
  readonly send: () => void;
}

/** Refusals that have not been sent yet (LIM-2). */
export class KeptBack {
  private readonly refusals: Refusal[] = [];
  private lastDue = 0;

  get isEmpty(): boolean {
    return this.refusals.length === 0;
  }

  /** Keeps a refusal for a while; sends it at once where too many are kept. */
  add(now: number, send: () => void): void {
    if (this.refusals.length >= MOST) {
      send();
      return;
    }
    const spaced = Math.max(now + SHORTEST_MILLISECONDS, this.lastDue + SPACING_MILLISECONDS);
    this.lastDue = Math.min(now + LONGEST_MILLISECONDS, spaced);
    this.refusals.push({ due: this.lastDue, send });
  }

  /** Sends those whose time has come. */
  sendDue(now: number): void {
    for (;;) {
      const [first] = this.refusals;
      if (first === undefined || first.due > now) return;
      this.refusals.shift();
      first.send();
    }
  }
}
