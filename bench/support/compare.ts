import { sendLoad, type LoadRequest } from "./http-load.js";
import { median } from "./median.js";
import type { Figure } from "./report.js";
import type { ServerProcess } from "./server-process.js";

/** Who is measured: the hand-written floor, our service, and the service of another revision. */
export type Rival = "floor" | "service" | "before";

/** One kind of request, sent to all rivals in turns. */
export interface Comparison {
  readonly name: string;
  readonly rounds: number;
  /** Requests to each server a round. */
  readonly count: number;
  readonly connections: number;
  /** What to ask each of them: they have identifiers of their own. */
  readonly request: (of: Rival, index: number) => LoadRequest;
}

/** The servers that are compared. */
export interface Rivals {
  readonly floor: ServerProcess;
  readonly service: ServerProcess;
  /** Null where nothing is measured against another revision. */
  readonly before: ServerProcess | null;
}

/** A verdict at three per cent takes more rounds, and shorter ones, than one at a tenth. */
const FINER = 3;

/** CPU time of the rivals a request, in rounds in which they take turns; a ratio is the median of rounds. */
export async function compare(rivals: Rivals, asked: Comparison): Promise<readonly Figure[]> {
  const comparison = rivals.before === null ? asked : finer(asked);
  const { name, rounds } = comparison;
  const measured: Readonly<Record<Rival, number>>[] = [];
  const warmUp = rivals.before === null ? 1 : FINER;
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const costs = await costsOfRound(rivals, comparison, round);
    if (round >= warmUp) measured.push(costs);
  }
  const value = (of: Rival): number => median(measured.map((costs) => costs[of]));
  const ratio = median(measured.map((costs) => costs.service / costs.floor));
  const figures: readonly Figure[] = [
    { name: `${name}: floor`, value: value("floor"), unit: "us", ratio: 1 },
    { name: `${name}: generated`, value: value("service"), unit: "us", ratio },
  ];
  if (rivals.before === null) return figures;
  const ofBefore = median(measured.map((costs) => costs.service / costs.before));
  return [...figures, beforeFigure(name, { value: value("before"), unit: "us", ratio: ofBefore })];
}

/** As many requests, in shorter turns. */
function finer(comparison: Comparison): Comparison {
  const { rounds, count } = comparison;
  return { ...comparison, rounds: rounds * FINER, count: Math.ceil(count / FINER) };
}

/** What the other revision costs, and ours as a multiple of that. */
export function beforeFigure(
  name: string,
  measured: Pick<Figure, "value" | "unit" | "ratio">,
): Figure {
  return { ...measured, name: `${name}: before, and ours of that` };
}

const RIVALS: readonly Rival[] = ["floor", "service", "before"];

async function costsOfRound(
  rivals: Rivals,
  comparison: Comparison,
  round: number,
): Promise<Readonly<Record<Rival, number>>> {
  const from = round * comparison.count;
  const costs = { floor: NaN, service: NaN, before: NaN };
  // Of three, each comes first as often as last, and none twice in a row: it would find its caches as it left them.
  const first = rivals.before === null ? 0 : round;
  for (let place = 0; place < RIVALS.length; place += 1) {
    const of = RIVALS[(first + place) % RIVALS.length] ?? "floor";
    const server = rivals[of];
    if (server === null) continue;
    const request = (index: number): LoadRequest => comparison.request(of, from + index);
    costs[of] = await cpuPerRequest(server, { ...comparison, request });
  }
  return costs;
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
