import { request, type IncomingHttpHeaders } from "node:http";

/** What is asked of a service. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Nobody waits longer for one answer. */
const PATIENCE = 60_000;

/** One request on a connection of its own; rejects when the connection breaks. */
export function ask(
  port: number,
  { method = "GET", path, headers = {}, body }: Asked,
): Promise<Answer> {
  const text = body === undefined ? null : JSON.stringify(body);
  const own =
    text === null
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: false,
        timeout: PATIENCE,
        headers: { ...own, ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode = 0, headers: received } = incoming;
          resolve({
            status: statusCode,
            headers: received,
            text: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)));
    outgoing.on("error", reject);
    outgoing.end(text ?? undefined);
  });
}

/** The same where the answer must have a status; returns its body. Throws, with the answer, when it has another. */
export async function expectAnswer(
  port: number,
  asked: Asked,
  status: number,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(port, asked);
  if (answer.status !== status) {
    const { method = "GET", path } = asked;
    throw new Error(
      `${method} ${path} is ${answer.status}, not ${status}: ${answer.text.slice(0, 500)}`,
    );
  }
  // Every body of the contract is an object (REP-8); 204 has none.
  return answer.text === "" ? {} : (JSON.parse(answer.text) as Readonly<Record<string, unknown>>);
}
