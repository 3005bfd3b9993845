import { connect } from "node:net";

/** Longer than any answer takes, shorter than a test. */
const PATIENCE_MILLISECONDS = 20_000;

/**
 * Writes the parts one after the other and returns every byte received until the other side closed the
 * connection; a reset after an answer keeps the answer. Rejects when nothing closes it.
 */
export async function exchange(
  port: number,
  parts: readonly (string | Uint8Array)[],
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: "127.0.0.1", port });
    socket.setTimeout(PATIENCE_MILLISECONDS, () => {
      socket.destroy(new Error(`nobody closed the connection: ${Buffer.concat(received)}`));
    });
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("error", (error) => {
      if (received.length === 0 || !("code" in error)) reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(received)));
    for (const part of parts) socket.write(part);
  });
}
