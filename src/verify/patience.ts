import { Unreachable, type Exchange, type Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";

const MOST_ATTEMPTS = 5;
const MOST_SECONDS_AT_ONCE = 60;
const TOLD_SECONDS = 30;

/** How long a run waits for a service that answers 429, in all. */
export class Patience {
  private seconds = 0;
  private isOver = false;

  /** `tell` hears after each half minute how many seconds it will have waited. */
  constructor(
    private readonly mostSeconds: number,
    private readonly tell: (seconds: number) => void,
  ) {}

  /** False where it is of no use, or no time is left. Throws `Unreachable` the first time that none is. */
  async wait(seconds: number): Promise<boolean> {
    if (this.isOver || !(seconds >= 0 && seconds <= MOST_SECONDS_AT_ONCE)) return false;
    if (this.seconds + seconds > this.mostSeconds) {
      this.isOver = true;
      throw new Unreachable(
        `The service goes on to answer 429 after waits of ${this.seconds} s in all. Verify it with a higher ` +
          "limits.requestsPerMinute, or fewer rules at a time (--rule).",
      );
    }
    const told = Math.floor(this.seconds / TOLD_SECONDS);
    this.seconds += seconds;
    if (Math.floor(this.seconds / TOLD_SECONDS) > told) this.tell(this.seconds);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return true;
  }
}

/** LIM-2: a service that counts its callers is asked at the pace that it allows. Throws `NoAnswer` and `Unreachable`. */
export async function sendPatiently(
  client: HttpClient,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Exchange> {
  for (let attempt = 1; ; attempt += 1) {
    const exchange = await client.send(method, path, sent);
    const { status, headers } = exchange.answer;
    const isLast = status !== 429 || attempt === MOST_ATTEMPTS;
    if (isLast || !(await client.patience.wait(Number(headers["retry-after"])))) return exchange;
  }
}
