import { closeSync, openSync } from "node:fs";
import { ask } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, holds, type Attack, type Finding } from "../support/attack.js";
import { freePort } from "../support/free-port.js";
import { pause, until } from "../support/pause.js";
import type { RunningService } from "../support/running-service.js";

const REQUESTS = 300;
/** A line for each request. */
const VARIABLES = { LOG_LEVEL: "debug" };

/** The disk that the log goes to is full, or its reader has gone: the service stays. */
export const logFaults: Attack = {
  name: "log-faults",
  databases: ["sqlite"],
  async run(arena) {
    const full = openSync("/dev/full", "w");
    const first = await freePort();
    const onFull = await arena.start({
      variables: VARIABLES,
      output: { stdio: ["ignore", full, full], port: first },
    });
    closeSync(full);
    const found = await survives("its log on a full disk", onFull);
    const second = await freePort();
    const piped = await arena.start({
      variables: VARIABLES,
      output: { stdio: ["ignore", "pipe", "pipe"], port: second },
    });
    piped.child.stdout?.resume();
    await until(() => answers(second), 10_000);
    // Nobody reads any more: the next line meets a pipe without an end.
    piped.child.stdout?.destroy();
    piped.child.stderr?.destroy();
    return [...found, ...(await survives("nobody reads its log", piped))];
  },
};

async function survives(what: string, service: RunningService): Promise<readonly Finding[]> {
  const { clerk } = await arenaTokens();
  const isUp = await until(async () => !service.isAlive() || (await answers(service.port)), 10_000);
  let failed = 0;
  for (let count = 0; isUp && count < REQUESTS; count += 1) {
    const headers = { authorization: `Bearer ${clerk}` };
    const answer = await ask(service.port, { path: "/api/v1/users", headers }).catch(() => null);
    if (answer?.status !== 200) failed += 1;
  }
  await pause(300);
  const { code } = await service.end("SIGTERM");
  return [
    atMost(`${what}: requests not answered, of ${REQUESTS}`, isUp ? failed : REQUESTS, 0),
    holds(`${what}: it stops as usual`, code === 0, `exit code ${code}`),
  ];
}

async function answers(port: number): Promise<boolean> {
  const answer = await ask(port, { path: "/healthz" }).catch(() => null);
  return answer?.status === 200;
}
