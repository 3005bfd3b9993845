import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AnswerBounds } from "./answer-bounds.js";
import { answerOf, clipped, NoAnswer, type Answer, type Exchange } from "./exchange.js";

/** Without a byte. */
const SILENCE_MILLISECONDS = 5000;
/** An answer to what no client would send is short. */
const BOUNDS: AnswerBounds = { milliseconds: 15_000, bytes: 8 * 1024 * 1024 };

/** Sends bytes that no HTTP client would send, on a new connection, and returns the first whole answer. */
export async function sendRaw(
  base: URL,
  bytes: string | Buffer,
  bounds = BOUNDS,
): Promise<Exchange> {
  const text = clipped(bytes.toString("latin1"), 300);
  const request = { method: "(raw)", path: "", headers: {}, body: text };
  const received = await receive(base, bytes, bounds);
  const answer = parseAnswer(received);
  if (answer === null) {
    const said = received.length === 0 ? "nothing" : JSON.stringify(received.toString("latin1"));
    throw new NoAnswer(request, `no HTTP response came, but ${clipped(said, 200)}`);
  }
  return { request, answer };
}

/** Everything until the connection is closed, a whole answer is there, nothing comes for too long, or too much does. */
async function receive(base: URL, bytes: string | Buffer, bounds: AnswerBounds): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = open(base);
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    const timer = setTimeout(finish, bounds.milliseconds);
    socket.setTimeout(SILENCE_MILLISECONDS, finish);
    // What came before a reset is kept.
    socket.on("error", finish);
    socket.on("close", finish);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > bounds.bytes || parseAnswer(Buffer.concat(chunks)) !== null) finish();
    });
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol === "https:") {
    return connectTls({ host, port: Number(port === "" ? 443 : port), servername: host });
  }
  return connectPlain({ host, port: Number(port === "" ? 80 : port) });
}

/** The first answer in the bytes other than `100 Continue`; null until it is complete. */
function parseAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0);
  if (status === 0) return null;
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(rest);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers["content-length"] ?? 0);
  return rest.length < length ? null : answerOf(status, headers, rest.subarray(0, length));
}
