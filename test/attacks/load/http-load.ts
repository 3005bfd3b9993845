import { isOfContract } from "../support/error-form.js";
import { pause } from "../support/pause.js";
import { WireConnection, type WireAnswer } from "../support/wire-connection.js";
import { serve, type Told } from "./serve.js";

/** A load on one service: closed-loop, or open-loop where it has a rate. */
export interface LoadSpec {
  readonly port: number;
  /** The bytes of the requests, which are sent in turns. */
  readonly requests: readonly string[];
  /** In an open loop: at most; an arrival that finds none is counted as not sent. */
  readonly connections: number;
  readonly seconds: number;
  /** Arrivals in a second, whether or not those before are answered; null: the next follows an answer. */
  readonly rate: number | null;
  /** Between an answer and the next request of a connection. */
  readonly pauseMilliseconds?: number;
  /** In a closed loop: each request is sent on a connection of its own. */
  readonly reconnects?: boolean;
}

/** What became of a load. */
export interface LoadResult {
  readonly seconds: number;
  readonly answered: number;
  /** Connections that ended before the answer, those that were refused among them. */
  readonly broken: number;
  /** Of these: sent before the moment that the parent has marked, in milliseconds since 1970. */
  readonly brokenBeforeMark: number;
  /** Of these: sent after it, on a connection that the service had taken. */
  readonly resetAfterMark: number;
  readonly notSent: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** 503 and 429 without Retry-After. */
  readonly withoutRetryAfter: number;
  /** 503 and 429 without the body of ERR-1. */
  readonly formless: number;
  /** Milliseconds, of all answers. */
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Milliseconds, of answers of 2xx. */
  readonly servedP99: number;
  /** Of each second: answers of 2xx, and the p99 of those. */
  readonly bySecond: readonly { readonly ok: number; readonly p99: number }[];
}

serve(async (spec: LoadSpec, told: Told): Promise<LoadResult> => {
  const load = new Load(spec, told);
  await (spec.rate === null ? load.closedLoop() : load.openLoop(spec.rate));
  return load.result();
});

class Load {
  private readonly began = performance.now();
  private readonly times: number[] = [];
  private readonly statuses: Record<string, number> = {};
  private readonly seconds: number[][] = [];
  private sent = 0;
  private broken = 0;
  private brokenBeforeMark = 0;
  private resetAfterMark = 0;
  private notSent = 0;
  private withoutRetryAfter = 0;
  private formless = 0;
  private mark = Infinity;

  constructor(
    private readonly spec: LoadSpec,
    private readonly told: Told,
  ) {
    told.onWord((moment) => (this.mark = Number(moment) - performance.timeOrigin));
  }

  async closedLoop(): Promise<void> {
    const { connections, port, pauseMilliseconds = 0, reconnects = false } = this.spec;
    const converse = async (): Promise<void> => {
      let connection = new WireConnection(port);
      while (!this.isOver()) {
        if (!connection.isOpen) connection = new WireConnection(port);
        const isAnswered = await this.ask(connection, performance.now());
        if (reconnects) connection.close();
        if (!isAnswered) await pause(5);
        if (pauseMilliseconds > 0) await pause(pauseMilliseconds);
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: connections }, converse));
  }

  async openLoop(rate: number): Promise<void> {
    const idle: WireConnection[] = [];
    const under: Set<Promise<void>> = new Set();
    for (let arrivals = 0; !this.isOver(); await pause(1)) {
      const due = Math.floor(((performance.now() - this.began) / 1000) * rate);
      for (; arrivals < due; arrivals += 1) {
        if (under.size >= this.spec.connections) this.notSent += 1;
        else {
          const done: Promise<void> = this.askIdle(idle).then(() => void under.delete(done));
          under.add(done);
        }
      }
    }
    await Promise.all(under);
    for (const connection of idle) connection.close();
  }

  private async askIdle(idle: WireConnection[]): Promise<void> {
    let connection = idle.pop();
    while (connection !== undefined && !connection.isOpen) connection = idle.pop();
    connection ??= new WireConnection(this.spec.port);
    await this.ask(connection, performance.now());
    if (connection.isOpen) idle.push(connection);
  }

  private async ask(connection: WireConnection, from: number): Promise<boolean> {
    const { requests } = this.spec;
    const text = requests[this.sent++ % requests.length] ?? "";
    const answer = await connection.ask(text);
    if (answer === null) {
      this.broken += 1;
      if (from < this.mark) this.brokenBeforeMark += 1;
      else if (connection.isConnected) this.resetAfterMark += 1;
    } else {
      this.count(answer, performance.now() - from);
      if (isRefusal(answer) && !isOfContract(Buffer.from(text), answer)) this.formless += 1;
    }
    return answer !== null;
  }

  private count(answer: WireAnswer, milliseconds: number): void {
    const { status, head } = answer;
    this.times.push(milliseconds);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (isRefusal(answer) && !/\r\nretry-after: \d/i.test(head)) this.withoutRetryAfter += 1;
    const second = Math.floor((performance.now() - this.began) / 1000);
    while (this.seconds.length <= second) this.seconds.push([]);
    if (status < 300) this.seconds[second]?.push(milliseconds);
  }

  private isOver(): boolean {
    return this.told.isStopped() || performance.now() - this.began > this.spec.seconds * 1000;
  }

  result(): LoadResult {
    const {
      times,
      broken,
      brokenBeforeMark,
      resetAfterMark,
      notSent,
      statuses,
      withoutRetryAfter,
      formless,
    } = this;
    const seconds = (performance.now() - this.began) / 1000;
    const bySecond = this.seconds.map((of) => ({ ok: of.length, p99: quantile(of, 0.99) }));
    const counts = {
      answered: times.length,
      broken,
      brokenBeforeMark,
      resetAfterMark,
      notSent,
      statuses,
    };
    const spread = {
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      most: quantile(times, 1),
      servedP99: quantile(this.seconds.flat(), 0.99),
    };
    return { seconds, ...counts, withoutRetryAfter, formless, ...spread, bySecond };
  }
}

function isRefusal({ status }: WireAnswer): boolean {
  return status === 503 || status === 429;
}

/** 0 of no numbers. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
