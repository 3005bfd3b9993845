import type { Exchange, Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";

const MOST_ATTEMPTS = 5;

/** LIM-2: a service that counts its callers is asked at the pace that it allows. Throws `NoAnswer`. */
export async function sendPatiently(
  client: HttpClient,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Exchange> {
  for (let attempt = 1; ; attempt += 1) {
    const exchange = await client.send(method, path, sent);
    const { status, headers } = exchange.answer;
    const seconds = Number(headers["retry-after"]);
    if (status !== 429 || attempt === MOST_ATTEMPTS || !(seconds <= 60)) return exchange;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
