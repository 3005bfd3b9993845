import { residentMebibytes } from "./process-figures.js";

/** The memory of a process, looked at again and again. */
export class MemoryTrend {
  private readonly samples: { readonly seconds: number; readonly mebibytes: number }[] = [];
  private readonly began = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number, everyMilliseconds = 250) {
    this.timer = setInterval(() => {
      try {
        const seconds = (performance.now() - this.began) / 1000;
        this.samples.push({ seconds, mebibytes: residentMebibytes(pid) });
      } catch {
        // The process has ended.
        this.stop();
      }
    }, everyMilliseconds);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The most that was seen. */
  peak(): number {
    return Math.max(0, ...this.samples.map(({ mebibytes }) => mebibytes));
  }

  /** What was seen last. */
  last(): number {
    return this.samples.at(-1)?.mebibytes ?? 0;
  }

  /** By how many MiB it grew, by a straight line through what came after a warm-up of a share of the time. */
  growth(warmUp = 0.4): number {
    const all = this.samples;
    const kept = all.slice(Math.floor(all.length * warmUp));
    const [first] = kept;
    const last = kept.at(-1);
    if (first === undefined || last === undefined || kept.length < 3) return 0;
    return slope(kept) * (last.seconds - first.seconds);
  }
}

/** MiB in a second, by least squares. */
function slope(
  samples: readonly { readonly seconds: number; readonly mebibytes: number }[],
): number {
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const seconds = mean(samples.map((sample) => sample.seconds));
  const mebibytes = mean(samples.map((sample) => sample.mebibytes));
  const products = samples.map((one) => (one.seconds - seconds) * (one.mebibytes - mebibytes));
  const squares = samples.map((one) => (one.seconds - seconds) ** 2);
  return mean(products) / mean(squares);
}
