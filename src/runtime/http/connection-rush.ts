/** So many long turns of the event loop in a row that brought a connection: more are waiting for theirs. */
const RUSH_TURNS = 8;
/** The part of the time that connections may have to themselves; a rush after a while without one has this much at once. */
const PART = 1 / 8;
const MOST_MILLISECONDS = 400;

/**
 * Knows when more connections are waiting than Node takes, which is one in each turn of its event loop. Then they come
 * first: turns without other work are short. That time is limited, since clients that connect for each request never end.
 */
export class ConnectionRush {
  private turns = 0;
  private hasConnected = false;
  private hasConnectedSincePump = false;
  private credit = MOST_MILLISECONDS;
  private settledAt = 0;
  private spent = 0;
  /** Whether connections come before requests. */
  isFirst = false;

  connected(): void {
    this.hasConnected = true;
    this.hasConnectedSincePump = true;
  }

  /** Short turns take the connections that there are. */
  endTurn(now: number, isLong: boolean): void {
    this.settle(now);
    this.turns = this.hasConnected && (isLong || this.isFirst) ? this.turns + 1 : 0;
    this.hasConnected = false;
    this.decide();
  }

  /** Notes a turn while requests wait; returns for how many milliseconds connections have come first since the last. */
  pump(now: number): number {
    this.settle(now);
    if (!this.hasConnectedSincePump) this.turns = 0;
    this.hasConnectedSincePump = false;
    this.decide();
    const { spent } = this;
    this.spent = 0;
    return spent;
  }

  private settle(now: number): void {
    const elapsed = now - this.settledAt;
    this.settledAt = now;
    this.credit = Math.min(MOST_MILLISECONDS, this.credit + elapsed * PART);
    if (!this.isFirst) return;
    this.credit -= elapsed;
    this.spent += elapsed;
  }

  private decide(): void {
    this.isFirst = this.turns >= RUSH_TURNS && this.credit > 0;
  }
}
