import { connect, type Socket } from "node:net";

/** An answer as it came over a connection. */
export interface WireAnswer {
  readonly status: number;
  readonly head: string;
  /** Bytes, one character each. */
  readonly body: string;
  /** Whether the service has said that it closes the connection. */
  readonly isLast: boolean;
}

/** A connection for one request at a time: a bare socket costs the least beside the service. */
export class WireConnection {
  private readonly socket: Socket;
  private received = "";
  private waiting: ((answer: WireAnswer | null) => void) | null = null;
  private isHead = false;
  isOpen = true;
  /** Whether the service has taken the connection. */
  isConnected = false;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.socket.on("connect", () => (this.isConnected = true));
    this.socket.on("data", (bytes) => this.take(bytes.toString("latin1")));
    // What went wrong does not matter: the connection is over.
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => this.over());
  }

  /** Sends a request; null when the connection ends before the answer is whole. */
  ask(bytes: string | Uint8Array, milliseconds = 60_000): Promise<WireAnswer | null> {
    if (!this.isOpen) return Promise.resolve(null);
    this.isHead = Buffer.from(bytes.slice(0, 5)).toString("latin1") === "HEAD ";
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.socket.destroy(), milliseconds);
      this.waiting = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes);
    });
  }

  close(): void {
    this.isOpen = false;
    this.socket.destroy();
  }

  private take(text: string): void {
    this.received += text;
    const answer = wholeAnswer(this.received, this.isHead);
    if (answer === null) return;
    this.received = "";
    if (answer.isLast) this.close();
    this.settle(answer);
  }

  private over(): void {
    this.isOpen = false;
    this.settle(null);
  }

  private settle(answer: WireAnswer | null): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.(answer);
  }
}

/** The answer, once all of it is there; a service sends a Content-Length wherever there is a body. */
function wholeAnswer(received: string, isHead: boolean): WireAnswer | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  // An interim answer, such as 100 Continue, is followed by the one that counts.
  if (received.startsWith("HTTP/1.1 1")) return wholeAnswer(received.slice(end + 4), isHead);
  const head = received.slice(0, end);
  const length = isHead ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return null;
  return {
    status: Number(head.slice(9, 12)),
    head,
    body: received.slice(end + 4, end + 4 + length),
    isLast: /\r\nconnection: close/i.test(head),
  };
}

/** The bytes of a request. */
export function requestText(asked: {
  readonly method: string;
  readonly path: string;
  readonly token: string | null;
  /** JSON, or null. */
  readonly body: string | null;
  readonly headers?: readonly string[];
}): string {
  const { method, path, token, body, headers = [] } = asked;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === null
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
