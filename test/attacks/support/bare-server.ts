import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RunningService } from "./running-service.js";

/** A process that listens. */
export type Listening = Pick<RunningService, "port" | "pid">;

/** Lets something be done with Node's own server, which answers everything with one body; then stops it. */
export async function withBareServer<Result>(
  body: string,
  use: (server: Listening) => Promise<Result>,
): Promise<Result> {
  const path = fileURLToPath(new URL("../load/bare-server.ts", import.meta.url));
  const child = fork(path, [], { execArgv: ["--import", import.meta.resolve("tsx")] });
  const { pid } = child;
  if (pid === undefined) throw new Error("the bare server did not start");
  child.send(body);
  const [port] = await once(child, "message");
  try {
    return await use({ port: Number(port), pid });
  } finally {
    child.disconnect();
  }
}
