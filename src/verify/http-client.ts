import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { beyond, MOST_ANSWER_BYTES, type AnswerBounds } from "./answer-bounds.js";
import type { Patience } from "./patience.js";
import {
  answerOf,
  clipped,
  NoAnswer,
  type Answer,
  type Exchange,
  type RequestText,
  type Sent,
} from "./exchange.js";

/** What a service may take for one answer. */
const BOUNDS: AnswerBounds = { milliseconds: 15_000, bytes: MOST_ANSWER_BYTES };

/** Requests over HTTP that add nothing of their own: no `Accept`, no compression, no redirect followed. */
export class HttpClient {
  private readonly agent: HttpAgent | HttpsAgent;
  /** How many requests were sent. */
  count = 0;

  constructor(
    readonly base: URL,
    /** For 429. */
    readonly patience: Patience,
    private readonly bounds = BOUNDS,
  ) {
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
    const once = async (): Promise<Answer> => {
      const open = this.base.protocol === "https:" ? requestHttps : requestHttp;
      const { hostname, port } = this.base;
      const whole = this.base.pathname.replace(/\/$/, "") + path;
      const host = hostname.replace(/^\[|\]$/g, "");
      const outgoing = open({ agent: this.agent, host, port, method, path: whole, headers });
      const received = receive(outgoing, this.bounds);
      outgoing.end(bytes ?? undefined);
      return received;
    };
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

/** The whole answer to a request, within bounds. */
function receive(outgoing: ClientRequest, bounds: AnswerBounds): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { late, large } = beyond(bounds);
    const end = (why: string): void => {
      reject(new Error(why));
      outgoing.destroy();
    };
    const timer = setTimeout(() => end(late), bounds.milliseconds);
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isLost = outgoing.reusedSocket && error.code === "ECONNRESET";
      reject(isLost ? new ReusedConnectionLost(error.message) : error);
    });
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > bounds.bytes) end(large);
      });
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))),
      );
    });
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
