import { connect } from "node:net";
import { requestText } from "../support/wire-connection.js";
import { serve, type Told } from "./serve.js";

/** Clients that take all the time there is. */
export interface SlowSpec {
  readonly port: number;
  readonly token: string;
  /** Of each kind. */
  readonly headers: number;
  readonly bodies: number;
  readonly readers: number;
  /** What the readers ask for, and how often at once; they never read the answers. */
  readonly wanted: string;
  readonly times: number;
}

/** What became of their connections. */
export interface SlowResult {
  /** How many of those that send slowly were answered with 408 and a body of JSON, and closed. */
  readonly refused: number;
  /** How many of them are still open. */
  readonly open: number;
  readonly openReaders: number;
  readonly milliseconds: number;
}

const DRIP_MILLISECONDS = 1000;

serve(async (spec: SlowSpec, told: Told): Promise<SlowResult> => {
  const began = performance.now();
  let refused = 0;
  let open = 0;
  let openReaders = 0;
  const drip = (first: string): void => {
    const socket = connect(spec.port, "127.0.0.1");
    let received = "";
    open += 1;
    socket.write(first);
    const timer = setInterval(() => socket.write("a"), DRIP_MILLISECONDS);
    socket.on("data", (bytes: Buffer) => (received += bytes.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      open -= 1;
      if (/^HTTP\/1\.1 408 [^]*"TimeoutMessage"/.test(received)) refused += 1;
    });
  };
  const neverRead = (): void => {
    const socket = connect(spec.port, "127.0.0.1").pause();
    openReaders += 1;
    socket.write(spec.wanted.repeat(spec.times));
    socket.on("error", () => undefined);
    socket.on("close", () => (openReaders -= 1));
  };
  const { token } = spec;
  const head = requestText({
    method: "GET",
    path: "/api/v1/users",
    token,
    body: null,
    headers: ["X-A: "],
  });
  const body = requestText({
    method: "POST",
    path: "/api/v1/users",
    token,
    body: "x".repeat(9000),
  });
  const kinds = [
    ...Array.from({ length: spec.headers }, () => () => drip(head.slice(0, -4))),
    ...Array.from({ length: spec.bodies }, () => () => drip(body.slice(0, -8999))),
    ...Array.from({ length: spec.readers }, () => neverRead),
  ];
  for (const [index, begin] of kinds.entries()) {
    begin();
    if (index % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  while (!told.isStopped() && open > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  return { refused, open, openReaders, milliseconds: performance.now() - began };
});
