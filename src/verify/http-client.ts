import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import {
  answerOf,
  clipped,
  NoAnswer,
  type Answer,
  type Exchange,
  type RequestText,
  type Sent,
} from "./exchange.js";

/** The time that a service may take for one answer. */
const PATIENCE_MILLISECONDS = 15_000;

/** Requests over HTTP that add nothing of their own: no `Accept`, no compression, no redirect followed. */
export class HttpClient {
  private readonly agent: HttpAgent | HttpsAgent;
  /** How many requests were sent. */
  count = 0;

  constructor(readonly base: URL) {
    const options = { keepAlive: true, maxSockets: 4 };
    this.agent = base.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Sends a request; throws `NoAnswer`. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Exchange> {
    this.count += 1;
    const bytes = bytesOf(sent);
    const isJson = sent.body !== undefined && !(sent.body instanceof Uint8Array);
    const headers = {
      ...(isJson && { "content-type": "application/json" }),
      ...(bytes !== null && { "content-length": String(bytes.length) }),
      ...sent.headers,
    };
    const request = requestText(method, path, headers, bytes?.toString("utf8") ?? "");
    try {
      return { request, answer: await this.exchange({ method, path, headers, bytes }) };
    } catch (error) {
      throw new NoAnswer(request, error instanceof Error ? error.message : String(error));
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.agent.destroy();
  }

  private async exchange({ method, path, headers, bytes }: Outgoing): Promise<Answer> {
    const once = (): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const open = this.base.protocol === "https:" ? requestHttps : requestHttp;
        const { hostname, port } = this.base;
        const whole = this.base.pathname.replace(/\/$/, "") + path;
        const host = hostname.replace(/^\[|\]$/g, "");
        const outgoing = open({ agent: this.agent, host, port, method, path: whole, headers });
        receive(outgoing, resolve, reject);
        outgoing.end(bytes ?? undefined);
      });
    try {
      return await once();
    } catch (error) {
      // A kept connection may be closed at the very moment that it is used again.
      if (error instanceof ReusedConnectionLost) return once();
      throw error;
    }
  }
}

/** A request as it is sent. */
interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer | null;
}

class ReusedConnectionLost extends Error {}

function receive(
  outgoing: ClientRequest,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): void {
  outgoing.setTimeout(PATIENCE_MILLISECONDS, () =>
    outgoing.destroy(new Error(`no answer within ${PATIENCE_MILLISECONDS / 1000} seconds`)),
  );
  outgoing.on("error", (error: NodeJS.ErrnoException) => {
    const isLost = outgoing.reusedSocket && error.code === "ECONNRESET";
    reject(isLost ? new ReusedConnectionLost(error.message) : error);
  });
  outgoing.on("response", (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("end", () =>
      resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))),
    );
  });
}

function bytesOf({ body, text }: Sent): Buffer | null {
  if (text !== undefined) return Buffer.from(text);
  if (body === undefined) return null;
  return Buffer.from(body instanceof Uint8Array ? body : JSON.stringify(body));
}

/** Tokens are not shown in failures. */
function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): RequestText {
  const shown = Object.entries(headers)
    .filter(([name]) => name !== "content-length")
    .map(([name, value]) => [name, name === "authorization" ? "Bearer …" : clipped(value, 100)]);
  return {
    method,
    path: clipped(path, 300),
    headers: Object.fromEntries(shown),
    body: clipped(body),
  };
}
