import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, parseJson, type JsonObject } from "../samples/json.js";

/** The events of a service that have come so far, in their order (EVT-1). */
export interface EventLog {
  readonly received: readonly JsonObject[];
}

/** Receives the events of a service as a webhook on this machine; what is no JSON object is refused. */
export class EventReceiver implements EventLog {
  readonly received: JsonObject[] = [];
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const event = parseJson(Buffer.concat(parts).toString());
      if (isObject(event)) this.received.push(event);
      response.writeHead(isObject(event) ? 204 : 400).end();
    });
  });

  /** Listens on a port of loopback; 0: any free one. Returns where. Rejects where the port is in use. */
  async listen(port: number): Promise<string> {
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
    // It listens on a port, never on a socket file.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
