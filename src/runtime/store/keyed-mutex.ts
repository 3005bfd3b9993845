/** Runs work with the same key one after another; work with different keys runs at the same time. */
export class KeyedMutex {
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Runs the work when all earlier work with this key has ended, whether it succeeded or failed. */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const current = (this.latest.get(key) ?? Promise.resolve()).then(work, work);
    this.latest.set(key, current);
    try {
      return await current;
    } finally {
      if (this.latest.get(key) === current) this.latest.delete(key);
    }
  }
}
