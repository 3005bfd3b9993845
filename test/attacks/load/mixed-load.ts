import { isOfContract } from "../support/error-form.js";
import { brokenBytes, hostileRequest } from "../support/hostile-texts.js";
import { pause } from "../support/pause.js";
import { Random } from "../support/random.js";
import type { ShopIds, Tokens } from "../support/shop-entities.js";
import { shopRequest, type ShopRequest } from "../support/shop-requests.js";
import { requestText, WireConnection, type WireAnswer } from "../support/wire-connection.js";
import { serve, type Told } from "./serve.js";

/** Clients of all kinds, for as long as they are not told to stop. */
export interface MixedSpec {
  readonly port: number;
  readonly tokens: Tokens;
  readonly ids: ShopIds;
  readonly connections: number;
  /** Of each connection between an answer and the next request. */
  readonly pauseMilliseconds: number;
  readonly seed: number;
}

/** What happened in a minute. */
export interface Minute {
  readonly statuses: Readonly<Record<string, number>>;
  readonly broken: number;
  readonly p50: number;
  readonly p99: number;
}

/** What happened altogether. */
export interface MixedResult {
  readonly minutes: readonly Minute[];
  /** Answers that no rule allows, and connections that broke while nothing was restarted. */
  readonly unexpected: readonly string[];
}

/** One in so many requests is hostile; one in so many of those is broken bytes. */
const HOSTILE = 8;
const BROKEN = 6;
const MOST_IDS = 300;
const MINUTE = 60_000;

serve(async (spec: MixedSpec, told: Told): Promise<MixedResult> => {
  const load = new MixedLoad(spec, told);
  await Promise.all(Array.from({ length: spec.connections }, () => load.converse()));
  return load.result();
});

class MixedLoad {
  private readonly began = performance.now();
  private readonly random: Random;
  private readonly minutes: {
    statuses: Record<string, number>;
    broken: number;
    times: number[];
  }[] = [];
  private readonly unexpected: string[] = [];
  /** Between `down` and `up` something is restarted: connections break, and 503 is an answer. */
  private isDown = false;
  private downs = 0;

  constructor(
    private readonly spec: MixedSpec,
    private readonly told: Told,
  ) {
    this.random = new Random(spec.seed);
    told.onWord((word) => {
      this.isDown = word === "down";
      this.downs += 1;
    });
  }

  async converse(): Promise<void> {
    const { port, pauseMilliseconds } = this.spec;
    let connection = new WireConnection(port);
    while (!this.told.isStopped()) {
      if (!connection.isOpen) connection = new WireConnection(port);
      const isHostile = this.random.oneIn(HOSTILE);
      if (isHostile) await this.attack();
      else await this.use(connection);
      await pause(pauseMilliseconds * (0.5 + this.random.next()));
    }
    connection.close();
  }

  /** A request as a client makes it, and an answer as the rules allow it. */
  private async use(connection: WireConnection): Promise<void> {
    const { random, spec } = this;
    const request = shopRequest(random, spec.ids);
    const token = random.oneIn(4) ? spec.tokens.customer : spec.tokens.clerk;
    const body = request.body === null ? null : JSON.stringify(request.body);
    const from = performance.now();
    const wasDown = this.isDown;
    const downs = this.downs;
    const answer = await connection.ask(requestText({ ...request, token, body }));
    const isExcused = wasDown || this.isDown || downs !== this.downs;
    if (answer === null) {
      this.minute().broken += 1;
      if (!isExcused) this.note(`${request.method} ${request.path}: the connection broke`);
      return;
    }
    this.count(answer, performance.now() - from);
    const isAllowed =
      request.statuses.includes(answer.status) || (isExcused && answer.status === 503);
    const isWhole = answer.status < 400 || isOfContract(Buffer.from(request.method), answer);
    if (!isAllowed || !isWhole) {
      this.note(`${request.method} ${request.path}: ${answer.status} ${answer.body.slice(0, 300)}`);
    }
    if (answer.status === 201) this.remember(request, answer);
  }

  /** A hostile request, on a connection of its own: any answer but a fault, if there is one. */
  private async attack(): Promise<void> {
    const { random, spec } = this;
    const usual = hostileRequest(random, shopRequest(random, spec.ids), spec.tokens.clerk);
    const bytes = random.oneIn(BROKEN) ? brokenBytes(random, usual) : usual;
    const connection = new WireConnection(spec.port);
    const wasDown = this.isDown;
    const answer = await connection.ask(bytes, 1000);
    connection.close();
    if (answer === null) return;
    this.count(answer, 0);
    const { status } = answer;
    const isFault =
      status >= 500 && status !== 501 && !((wasDown || this.isDown) && status === 503);
    const isFormless = status >= 400 && !isOfContract(bytes, answer);
    if (isFault || isFormless)
      this.note(
        `${bytes.toString("latin1").slice(0, 300)}: ${status} ${answer.body.slice(0, 300)}`,
      );
  }

  private remember({ creates }: ShopRequest, { head }: WireAnswer): void {
    const id = /\r\nlocation: \S+\/([0-9a-f-]{36})/i.exec(head)?.[1];
    if (creates === undefined || id === undefined) return;
    const ids = this.spec.ids[creates];
    ids.push(id);
    if (ids.length > MOST_IDS) ids.shift();
  }

  private count({ status }: WireAnswer, milliseconds: number): void {
    const { statuses, times } = this.minute();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (milliseconds > 0) times.push(milliseconds);
  }

  private minute() {
    const index = Math.floor((performance.now() - this.began) / MINUTE);
    while (this.minutes.length <= index) this.minutes.push({ statuses: {}, broken: 0, times: [] });
    const found = this.minutes[index];
    if (found === undefined) throw new Error("a minute that has just been made is not there");
    return found;
  }

  private note(problem: string): void {
    this.unexpected.push(problem);
  }

  result(): MixedResult {
    const minutes = this.minutes.map(({ statuses, broken, times }) => {
      const sorted = times.sort((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
      return { statuses, broken, p50: at(0.5), p99: at(0.99) };
    });
    return { minutes, unexpected: this.unexpected };
  }
}
