/** Work that no answer waits for; the service waits for it when it stops. */
export class Background {
  private readonly underWay = new Set<Promise<void>>();

  /** `work` does not reject. */
  run(work: () => Promise<void>): void {
    const running = work().finally(() => this.underWay.delete(running));
    this.underWay.add(running);
  }

  /** Resolves when all of it has ended, what it has begun itself included. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }
}
