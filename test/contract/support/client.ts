import { request, type IncomingHttpHeaders } from "node:http";
import { expect } from "vitest";
import { exchange } from "./raw.js";

/** What JSON can say. */
export type Json = string | number | boolean | null | JsonObject | readonly Json[];

/** An object of an answer; a name that it lacks reads as undefined. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** What a request has beside its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON with its type; bytes and text go as they are, with no type of their own. */
  readonly body?: JsonObject | string | Uint8Array;
}

/** An answer, read to its end and not decoded: `bytes` of a compressed one are compressed. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body; throws where it is no JSON object. */
  readonly json: JsonObject;
}

/** What was asked for, as far as the request could be read: "" where it could not. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** Says whether an answer is one that the service has described. */
export interface Judge {
  problems(asked: Asked, answer: Answer): readonly string[];
}

/**
 * Sends requests with `node:http`, which adds nothing but `Host` and the length: no `Accept`, no compression. Every answer is held
 * against what the service says of itself, and a test in which one differs fails.
 */
export class Client {
  constructor(
    readonly port: number,
    private readonly judge: Judge,
  ) {}

  /** The base URL of the service. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Any request; `path` is the whole one: `/api/v1/widgets`. */
  async send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
    const isText = typeof body === "string" || body instanceof Uint8Array;
    const bytes = isText || body === undefined ? body : JSON.stringify(body);
    const own = {
      ...(body !== undefined && !isText && { "content-type": "application/json" }),
      ...(bytes !== undefined && { "content-length": String(Buffer.byteLength(bytes)) }),
    };
    const answer = await new Promise<Answer>((resolve, reject) => {
      const outgoing = request(
        { host: "127.0.0.1", port: this.port, method, path, headers: { ...own, ...headers } },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const { statusCode = 0, headers: received } = incoming;
            resolve(answerOf(statusCode, received, Buffer.concat(chunks)));
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(bytes);
    });
    this.expectDescribed({ method, path }, answer);
    return answer;
  }

  /** The same, again where a busy service refuses it, which has stored nothing then (LIM-2). */
  async sendPatiently(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    for (;;) {
      const answer = await this.send(method, path, sent);
      if (answer.status !== 503) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** A POST that must succeed; returns the entity answered. */
  async create(path: string, body: JsonObject): Promise<JsonObject> {
    const answer = await this.send("POST", path, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  }

  /** A GET that must succeed; returns the body. */
  async read(path: string): Promise<JsonObject> {
    const answer = await this.send("GET", path);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }

  /** Writes the bytes on a connection of their own; returns every byte that came back until the service closed it. */
  async raw(...parts: readonly (string | Uint8Array)[]): Promise<Buffer> {
    const received = await exchange(this.port, parts);
    if (received.includes("\r\n\r\n")) this.expectFirst(parts, parseAnswer(received));
    return received;
  }

  /** Holds the answer to bytes against the document; what their first line asks for counts. */
  expectFirst(parts: readonly (string | Uint8Array)[], answer: Answer): void {
    const [line = ""] = Buffer.from(parts[0] ?? "")
      .toString("latin1")
      .split("\r\n", 1);
    const [, method = "", path = ""] = /^(\S+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? [];
    this.expectDescribed({ method, path }, answer);
  }

  private expectDescribed(asked: Asked, answer: Answer): void {
    // An interim answer, such as 100 Continue, is nobody's.
    if (answer.status < 200) return;
    expect(this.judge.problems(asked, answer), `${asked.method} ${asked.path}`).toEqual([]);
  }
}

/** What was answered in bytes, such as `raw` returns: the first answer of them. */
export function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) throw new Error(`no answer of HTTP: ${JSON.stringify(bytes.toString("latin1"))}`);
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = Number(headers["content-length"] ?? bytes.length - end - 4);
  return answerOf(
    Number(statusLine.split(" ")[1]),
    headers,
    bytes.subarray(end + 4, end + 4 + length),
  );
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString("utf8");
  return {
    status,
    headers,
    bytes,
    text,
    get json() {
      const value: unknown = JSON.parse(text);
      expect(value).toBeTypeOf("object");
      // Every body of the contract is an object, never null or a list (REP-8, COL-1).
      expect(Array.isArray(value) || value === null).toBe(false);
      return value as JsonObject;
    },
  };
}
