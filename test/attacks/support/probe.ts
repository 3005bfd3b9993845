import type { LoadResult, LoadSpec } from "../load/http-load.js";
import { startLoad, type LoadProcess } from "./load-process.js";
import { requestText } from "./wire-connection.js";

/** Starts a load of the given requests; see `LoadSpec` for what may differ from a closed loop of ten connections. */
export function httpLoad(
  port: number,
  requests: readonly string[],
  differing: Partial<LoadSpec> = {},
): LoadProcess<LoadResult> {
  const usual = { port, requests, connections: 10, seconds: 600, rate: null };
  return startLoad<LoadResult>("http-load", { ...usual, ...differing });
}

/** The client who wants small answers and nothing else, beside an attack: it shows what others feel of that. */
export function bystander(
  port: number,
  token: string,
  paths: readonly string[],
): LoadProcess<LoadResult> {
  const requests = paths.map((path) => getText(path, token));
  return httpLoad(port, requests, { connections: 4, pauseMilliseconds: 10 });
}

/** The bytes of a GET. */
export function getText(path: string, token: string | null): string {
  return requestText({ method: "GET", path, token, body: null });
}
