import { connect, type Socket } from "node:net";
import { serve, type Told } from "./serve.js";

/** Connections that all send the same bytes, and then do nothing more. */
export interface RawSpec {
  readonly port: number;
  readonly connections: number;
  /** Sent as often as `times` says. */
  readonly bytes: string;
  readonly times: number;
  /** Whether what comes back is read. */
  readonly reads: boolean;
  readonly seconds: number;
}

/** What came back. */
export interface RawResult {
  readonly received: number;
  /** Statuses of the first answer of each connection. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that the service has closed. */
  readonly closed: number;
}

serve(async (spec: RawSpec, told: Told): Promise<RawResult> => {
  const { port, connections, bytes, times, reads, seconds } = spec;
  const statuses: Record<string, number> = {};
  let received = 0;
  let closed = 0;
  const sockets: Socket[] = [];
  for (let count = 0; count < connections; count += 1) {
    const socket = connect(port, "127.0.0.1");
    let isFirst = true;
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (isFirst) {
        const status = chunk.subarray(9, 12).toString("latin1");
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      isFirst = false;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => (closed += 1));
    if (!reads) socket.pause();
    for (let time = 0; time < times; time += 1) socket.write(bytes);
    sockets.push(socket);
  }
  const last = performance.now() + seconds * 1000;
  while (!told.isStopped() && performance.now() < last && closed < connections) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const result = { received, statuses, closed };
  for (const socket of sockets) socket.destroy();
  return result;
});
