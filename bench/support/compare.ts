import { sendLoad, type LoadRequest } from "./http-load.js";
import { median } from "./median.js";
import type { Figure } from "./report.js";
import type { ServerProcess } from "./server-process.js";

/** One kind of request, sent to the floor and to the service in turns. */
export interface Comparison {
  readonly name: string;
  readonly rounds: number;
  /** Requests to each server a round. */
  readonly count: number;
  readonly connections: number;
  /** What to ask each of the two: they have identifiers of their own. */
  readonly ofFloor: (index: number) => LoadRequest;
  readonly ofService: (index: number) => LoadRequest;
  /** Of the floor's CPU time; null: none. */
  readonly atMost: number | null;
}

/** The two servers that are compared. */
export interface Rivals {
  readonly floor: ServerProcess;
  readonly service: ServerProcess;
}

/** CPU time of the floor and of the service a request, in rounds that alternate; the ratio is the median of rounds. */
export async function compare(
  { floor, service }: Rivals,
  comparison: Comparison,
): Promise<readonly Figure[]> {
  const { name, rounds, atMost, ofFloor, ofService } = comparison;
  const measured: { readonly floor: number; readonly service: number }[] = [];
  let sent = 0;
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    const from = sent;
    const ofRound = async (
      server: ServerProcess,
      request: (index: number) => LoadRequest,
    ): Promise<number> =>
      cpuPerRequest(server, { ...comparison, request: (index) => request(from + index) });
    const costs = {
      floor: await ofRound(floor, ofFloor),
      service: await ofRound(service, ofService),
    };
    if (round > 0) measured.push(costs);
    sent += comparison.count;
  }
  const goal = atMost === null ? null : { of: "ratio" as const, atMost };
  const value = (of: "floor" | "service"): number => median(measured.map((costs) => costs[of]));
  const ratio = median(measured.map((costs) => costs.service / costs.floor));
  return [
    { name: `${name}: floor`, value: value("floor"), unit: "us", ratio: 1, goal: null },
    { name: `${name}: generated`, value: value("service"), unit: "us", ratio, goal },
  ];
}

/** Microseconds of the server's CPU for each of `count` requests. */
export async function cpuPerRequest(
  server: ServerProcess,
  load: {
    readonly connections: number;
    readonly count: number;
    readonly request: (index: number) => LoadRequest;
  },
): Promise<number> {
  const { connections, count, request } = load;
  const before = await server.cpu();
  await sendLoad({ port: server.port, connections, count, request });
  return ((await server.cpu()) - before) / count;
}
