import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A request that a receiver of webhooks was sent. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Receives webhooks on loopback; `answer` says the status of each. */
export class EventReceiver {
  readonly received: Received[] = [];
  answer: (received: Received) => number | { redirect: string } = () => 204;
  url = "";
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const one = { headers: request.headers, body: Buffer.concat(parts).toString() };
      this.received.push(one);
      const answer = this.answer(one);
      if (typeof answer === "number") response.writeHead(answer).end();
      else response.writeHead(302, { location: answer.redirect }).end();
    });
  });

  async start(): Promise<this> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    // It listens on a port, never on a socket file.
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
    afterAll(() => void this.server.close());
    return this;
  }
}
