import { connect } from "node:net";
import { parseAnswer, type Answer, type Client } from "./client.js";

/** Nothing more is to be expected after this long. */
const QUIET_MILLISECONDS = 300;

/** What a connection gave back until the service closed it, or said nothing more. */
export interface WireExchange {
  readonly answers: readonly Answer[];
  readonly closed: boolean;
}

/** How long the service may be silent before the exchange counts as over. */
export interface Patience {
  readonly quietMilliseconds?: number;
}

/** Writes the bytes on a connection of their own and reads every answer to them; the first is held against the document. */
export async function onWire(
  client: Client,
  bytes: string | Uint8Array,
  { quietMilliseconds = QUIET_MILLISECONDS }: Patience = {},
): Promise<WireExchange> {
  const exchange = await new Promise<WireExchange>((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: "127.0.0.1", port: client.port });
    const finish = (closed: boolean): void => {
      socket.destroy();
      try {
        resolve({ answers: splitAnswers(Buffer.concat(received)), closed });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    socket.setTimeout(quietMilliseconds, () => finish(false));
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    // A reset after an answer keeps the answer.
    socket.on("error", () => undefined);
    socket.on("close", () => finish(true));
    socket.write(bytes);
  });
  const [first] = exchange.answers;
  if (first !== undefined) client.expectFirst([bytes], first);
  return exchange;
}

/** Splits what was received into answers by their length; throws on bytes that belong to none. */
function splitAnswers(received: Buffer): Answer[] {
  const answers: Answer[] = [];
  let rest = received;
  while (rest.length > 0) {
    const head = rest.indexOf("\r\n\r\n");
    if (head < 0 || !rest.subarray(0, 9).equals(Buffer.from("HTTP/1.1 "))) {
      throw new Error(`bytes that are no answer: ${rest.toString("latin1").slice(0, 200)}`);
    }
    const answer = parseAnswer(rest);
    const length = answer.status < 200 ? 0 : Number(answer.headers["content-length"] ?? 0);
    answers.push(answer);
    rest = rest.subarray(head + 4 + length);
  }
  return answers;
}
