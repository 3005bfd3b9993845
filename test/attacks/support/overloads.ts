import type { LoadResult, LoadSpec } from "../load/http-load.js";
import { pause } from "./pause.js";
import { getText, httpLoad } from "./probe.js";
import { cpuMilliseconds } from "./process-figures.js";
import type { Listening } from "./bare-server.js";
import { newTicket, type ShopIds } from "./shop-entities.js";
import { requestText } from "./wire-connection.js";

/** What the clients of an overload want. */
export interface Wanted {
  readonly name: string;
  /** The bytes of the request. */
  readonly request: string;
  /** To answer it costs less than to have a connection. */
  readonly isCheap: boolean;
}

/** How they want it. */
export type Manner = "arrivals" | "clients" | "reconnecting clients";

/** In an order in which each peak is measured beside those of its own kind of connections. */
export const MANNERS: readonly Manner[] = ["arrivals", "clients", "reconnecting clients"];

/** So many connections, and in `arrivals` so many times as many requests as can be answered. */
export interface Crowd {
  readonly connections: number;
  /** At least as many connections as the service answers in this time: on a fast machine, too, some requests then wait too long. */
  readonly answeredSeconds: number;
  readonly times: number;
  readonly seconds: number;
  /** For each of the peaks. */
  readonly peakSeconds: number;
  /** For a few clients after it. */
  readonly afterSeconds: number;
}

/** An overload beside the peaks before and after it, each in requests of 2xx a second. */
export interface Overload {
  readonly peaks: readonly number[];
  readonly goodput: number;
  /** The goodput by the CPU time of the service, beside that of the peaks: other work on the machine does not change it. */
  readonly perCpu: number;
  readonly load: LoadResult;
  /** A few clients after it. */
  readonly after: LoadResult;
  /** Seconds until they were answered as fast as without it. */
  readonly normalAfter: number;
}

/** Peaks are measured with so many connections. */
const MODERATE = 32;
const NORMAL_MILLISECONDS = 200;
/** A load's connections are made in its first second. */
const FIRST_SECONDS = 1;

/** What an overload may ask for. */
export function wantedOf({ users, tickets }: ShopIds, token: string): readonly Wanted[] {
  const path = "/api/v1/tickets";
  const list = (size: number) => getText(`${path}?pageSize=${size}&priority=3`, token);
  const body = JSON.stringify(newTicket(users[0] ?? ""));
  return [
    {
      name: "one by its id",
      request: getText(`${path}/${tickets[0] ?? ""}`, token),
      isCheap: true,
    },
    { name: "a list of 20", request: list(20), isCheap: false },
    { name: "a list of 100", request: list(100), isCheap: false },
    {
      name: "a new one",
      request: requestText({ method: "POST", path, token, body }),
      isCheap: false,
    },
  ];
}

/** Overloads a service, and measures before and after what it can do. */
export async function overloadOf(
  service: Listening,
  { request }: Pick<Wanted, "request">,
  manner: Manner,
  { connections, answeredSeconds, times, seconds, peakSeconds, afterSeconds }: Crowd,
): Promise<Overload> {
  const reconnects = manner === "reconnecting clients";
  const measure = async (spec: Partial<LoadSpec> & { readonly seconds: number }) =>
    measured(service, request, { reconnects, ...spec });
  const moderate = { connections: MODERATE, seconds: peakSeconds };
  const before = await measure(moderate);
  const rate = manner === "arrivals" ? before.goodput * times : null;
  const tooMany = Math.max(connections, Math.ceil(before.goodput * answeredSeconds));
  const crowd = await measure({ connections: tooMany, seconds, rate });
  const after = await fewClients(service, request, afterSeconds);
  const again = await measure(moderate);
  return {
    peaks: [before.goodput, again.goodput],
    goodput: crowd.goodput,
    perCpu: crowd.perCpu / ((before.perCpu + again.perCpu) / 2),
    load: crowd.load,
    after,
    normalAfter: after.bySecond.findLastIndex(isSlow) + 1,
  };
}

/** What is left of the peaks. */
export function shareOf({ peaks, goodput }: Overload): number {
  return goodput / (peaks.reduce((sum, one) => sum + one, 0) / peaks.length);
}

interface Measured {
  readonly goodput: number;
  readonly perCpu: number;
  readonly load: LoadResult;
}

async function measured(
  { port, pid }: Listening,
  request: string,
  spec: Partial<LoadSpec> & { readonly seconds: number },
): Promise<Measured> {
  const cpu = cpuMilliseconds(pid);
  const load = await httpLoad(port, [request], spec).result;
  const seconds = load.bySecond.slice(FIRST_SECONDS, spec.seconds);
  const ok = load.bySecond.reduce((sum, second) => sum + second.ok, 0);
  return {
    goodput: seconds.reduce((sum, second) => sum + second.ok, 0) / seconds.length,
    perCpu: ok / (cpuMilliseconds(pid) - cpu),
    load,
  };
}

async function fewClients(
  { port }: Listening,
  request: string,
  seconds: number,
): Promise<LoadResult> {
  const load = httpLoad(port, [request], { connections: 4, pauseMilliseconds: 10 });
  await pause(seconds * 1000);
  return load.stop();
}

function isSlow({ ok, p99 }: LoadResult["bySecond"][number]): boolean {
  return ok === 0 || p99 > NORMAL_MILLISECONDS;
}
