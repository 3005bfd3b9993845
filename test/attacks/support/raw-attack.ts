import type { RawResult, RawSpec } from "../load/raw-senders.js";
import { atMost, holds, told, type Finding } from "./attack.js";
import { startLoad } from "./load-process.js";
import { pause } from "./pause.js";
import { bystander } from "./probe.js";
import { residentMebibytes } from "./process-figures.js";
import type { RunningService } from "./running-service.js";

/** More than this ends the service: the machine is not the one that is attacked. */
const MOST_MEBIBYTES = 3000;

/** What connections do, and what they may cost. */
export interface RawAttack {
  readonly name: string;
  readonly sent: Omit<RawSpec, "port">;
  readonly memoryMebibytes: number;
  readonly p99Milliseconds: number;
}

/** Lets connections do something to a service, and measures its memory and what others feel. */
export async function rawAttack(
  service: RunningService,
  { name, sent, memoryMebibytes, p99Milliseconds }: RawAttack,
  { token, path }: { readonly token: string; readonly path: string },
): Promise<readonly Finding[]> {
  const idle = residentMebibytes(service.pid);
  const probe = bystander(service.port, token, [path]);
  await pause(500);
  let peak = idle;
  let isOver = false;
  const spec: RawSpec = { port: service.port, ...sent };
  const senders = startLoad<RawResult>("raw-senders", spec).result.finally(() => (isOver = true));
  while (!isOver && service.isAlive()) {
    peak = Math.max(peak, residentMebibytes(service.pid));
    if (peak > MOST_MEBIBYTES) await service.end("SIGKILL");
    await pause(20);
  }
  const result = await senders;
  const { p50, p99, most, broken } = await probe.stop();
  const isEnded = peak > MOST_MEBIBYTES ? "killed, to save the machine" : "ended by itself";
  return [
    told(
      `${name}: came back`,
      `${(result.received / 2 ** 20).toFixed(1)} MiB, ${JSON.stringify(result.statuses)}, ${result.closed} closed`,
    ),
    atMost(`${name}: memory over idle`, peak - idle, memoryMebibytes, " MiB"),
    told(`${name}: others' p50 and longest`, `${p50.toFixed(1)} ms, ${most.toFixed(0)} ms`),
    atMost(`${name}: others' p99`, p99, p99Milliseconds, " ms"),
    holds(
      `${name}: the process lives`,
      service.isAlive() && broken === 0,
      service.isAlive() ? `yes, ${broken} broken` : isEnded,
    ),
  ];
}
