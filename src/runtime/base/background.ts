/** Work that continues after a response; the service waits for it when it stops. */
export class Background {
  private readonly underWay = new Set<Promise<void>>();

  /** `work` does not reject. */
  run(work: () => Promise<void>): void {
    const running = work().finally(() => this.underWay.delete(running));
    this.underWay.add(running);
  }

  /** Also waits for work that this work starts. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }
}

/** Rejects after the time; the work itself is not stopped. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response in ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
