import { sendLoad, type LoadRequest } from "./http-load.js";
import { repeated } from "./repeated.js";
import type { Figure } from "./report.js";

/** Numbers of clients that send requests at the same time, each over one connection. */
const CONNECTIONS = [1, 8, 32, 64, 128] as const;

/** A kind of request, with the number of requests in a round. */
export interface Asked {
  readonly name: string;
  readonly count: number;
  readonly request: (index: number) => LoadRequest;
}

/** Measures latency and throughput at each number of connections; the clients share the machine with the service. */
export async function loadFigures(
  port: number,
  asked: readonly Asked[],
  rounds: number,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const one of asked) {
    for (const connections of CONNECTIONS) {
      const measure = (): Promise<readonly Figure[]> => roundOf(port, one, connections);
      // The first round warms up and is not counted.
      await measure();
      figures.push(...(await repeated(rounds, measure)));
    }
  }
  return figures;
}

async function roundOf(port: number, asked: Asked, connections: number): Promise<Figure[]> {
  const { count, request } = asked;
  const milliseconds: number[] = [];
  const onLatency = (took: number): void => void milliseconds.push(took);
  const started = performance.now();
  await sendLoad({ port, connections, count, request, onLatency });
  const seconds = (performance.now() - started) / 1000;
  const sorted = milliseconds.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  const name = `${asked.name} at ${connections} connections`;
  return [
    { name: `${name}: p50`, value: at(0.5), unit: "ms", ratio: null },
    { name: `${name}: p99`, value: at(0.99), unit: "ms", ratio: null },
    { name: `${name}: throughput`, value: count / seconds, unit: "requests/s", ratio: null },
  ];
}
