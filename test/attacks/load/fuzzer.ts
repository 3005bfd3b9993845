import { brokenBytes, hostileRequest } from "../support/hostile-texts.js";
import { Random } from "../support/random.js";
import type { ShopIds, Tokens } from "../support/shop-entities.js";
import { shopRequest } from "../support/shop-requests.js";
import { isOfContract } from "../support/error-form.js";
import { WireConnection, type WireAnswer } from "../support/wire-connection.js";
import { serve } from "./serve.js";

/** How many hostile requests go where. */
export interface FuzzSpec {
  readonly port: number;
  readonly tokens: Tokens;
  readonly ids: ShopIds;
  readonly count: number;
  readonly connections: number;
  readonly seed: number;
}

/** What became of them. */
export interface FuzzResult {
  readonly sent: number;
  readonly answered: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers of 5xx, but for 501, which ERR-2 says of a method that nobody knows. */
  readonly faults: number;
  /** Answers from 400 up that have not the body of ERR-1. */
  readonly formless: number;
  /** The first of both kinds, with what was sent. */
  readonly examples: readonly string[];
}

/** What announces more than it has is not answered before the time for a request is over: nobody waits for that here. */
const SILENCE_MILLISECONDS = 300;
const PATIENCE_MILLISECONDS = 2000;

serve(async (spec: FuzzSpec): Promise<FuzzResult> => {
  const fuzzer = new Fuzzer(spec);
  await Promise.all(Array.from({ length: spec.connections }, () => fuzzer.converse()));
  return fuzzer.result();
});

class Fuzzer {
  private readonly random: Random;
  private readonly statuses: Record<string, number> = {};
  private readonly examples: string[] = [];
  private sent = 0;
  private answered = 0;
  private faults = 0;
  private formless = 0;

  constructor(private readonly spec: FuzzSpec) {
    this.random = new Random(spec.seed);
  }

  async converse(): Promise<void> {
    const { port, count } = this.spec;
    let connection = new WireConnection(port);
    while (this.sent < count) {
      this.sent += 1;
      const isBroken = this.random.oneIn(6);
      if (isBroken || !connection.isOpen) {
        connection.close();
        connection = new WireConnection(port);
      }
      const bytes = this.request(isBroken);
      const answer = await connection.ask(
        bytes,
        isBroken ? SILENCE_MILLISECONDS : PATIENCE_MILLISECONDS,
      );
      if (answer !== null) this.judge(bytes, answer);
      if (isBroken) connection.close();
    }
    connection.close();
  }

  private request(isBroken: boolean): Buffer {
    const { random, spec } = this;
    const token = random.oneIn(2) ? spec.tokens.clerk : spec.tokens.customer;
    const bytes = hostileRequest(random, shopRequest(random, spec.ids), token);
    return isBroken ? brokenBytes(random, bytes) : bytes;
  }

  private judge(bytes: Buffer, answer: WireAnswer): void {
    const { status } = answer;
    this.answered += 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const isFault = status >= 500 && status !== 501;
    const isFormless = status >= 400 && !isOfContract(bytes, answer);
    if (isFault) this.faults += 1;
    if (isFormless) this.formless += 1;
    if ((isFault || isFormless) && this.examples.length < 5) {
      this.examples.push(
        `${bytes.toString("latin1").slice(0, 400)}\n -> ${answer.head}\n${answer.body.slice(0, 300)}`,
      );
    }
  }

  result(): FuzzResult {
    const { sent, answered, statuses, faults, formless, examples } = this;
    return { sent, answered, statuses, faults, formless, examples };
  }
}
