import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";

import { versionRetired, type ApiError } from "../base/errors.js";
import type { HttpRoute } from "./routes.js";
import { servedVersions, type VersionSettings, type ServiceSettings } from "./settings.js";

/** Interval of the log lines that count requests by version. */
export const USE_MILLISECONDS = 3_600_000;

/** One version: the headers of its responses, and its number of requests since the last log line. */
interface VersionCount {
  readonly name: string;
  /** `/api/v1` */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly isRetired: boolean;
  requests: number;
}

/** Adds the deprecation headers to each response of a deprecated version, and counts the requests of each version (VER-4). */
export class VersionUsage {
  private readonly versions: readonly VersionCount[];

  constructor(
    basePath: string,
    private readonly known: readonly VersionSettings[],
  ) {
    this.versions = known.map((version) => {
      const { name, status } = version;
      const isRetired = status === "retired";
      const path = `${basePath}/${name}`;
      return { name, path, headers: headersOf(version), isRetired, requests: 0 };
    });
  }

  /** Counts a request and sets the headers. Runs before all checks, so that errors have the headers, too. */
  enter(target: string, response: ServerResponse): void {
    const version = this.versionOf(target);
    if (version === undefined) return;
    version.requests += 1;
    for (const [name, value] of version.headers) response.setHeader(name, value);
  }

  /** Returns the headers for a request that has no response object, because the parser rejected it. */
  headersFor(target: string): readonly (readonly [string, string])[] {
    return this.versionOf(target)?.headers ?? [];
  }

  /** Returns 410 for a target below a retired version, otherwise null. */
  retirement(target: string): ApiError | null {
    const version = this.versionOf(target);
    if (version?.isRetired !== true) return null;
    const served = servedVersions(this.known).map(({ name }) => name);
    return versionRetired(version.name, served);
  }

  private versionOf(target: string): VersionCount | undefined {
    return this.versions.find(({ path }) => isBelow(target, path));
  }

  /** Returns the number of requests by version since the last call, or null if there were none. */
  take(): Readonly<Record<string, number>> | null {
    if (this.versions.every(({ requests }) => requests === 0)) return null;
    const counts = this.versions.map(({ name, requests }) => [name, requests] as const);
    for (const version of this.versions) version.requests = 0;
    return Object.fromEntries(counts);
  }
}

/** Reports whether a request target is a path or below it. */
function isBelow(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false;
  const next = target[path.length];
  return next === undefined || next === "/" || next === "?";
}

/** Returns `Deprecation` in seconds (RFC 9745) and `Sunset` as an HTTP date (RFC 8594), both at midnight UTC. */
function headersOf({ status, deprecated, sunset }: VersionSettings): [string, string][] {
  if (status !== "deprecated") return [];
  return [
    ...(deprecated === undefined
      ? []
      : [["deprecation", `@${midnight(deprecated).getTime() / 1000}`] as [string, string]]),
    ...(sunset === undefined
      ? []
      : [["sunset", midnight(sunset).toUTCString()] as [string, string]]),
  ];
}

function midnight(date: string): Date {
  return new Date(`${date}T00:00:00.000Z`);
}

const RETIRED = "a route of src/app.ts is below a retired version, and returns 410";

/** Removes custom routes below the path of a retired version, and logs a warning for each (VER-4). */
export function withoutRetired(
  routes: readonly HttpRoute[],
  { basePath, versions }: Pick<ServiceSettings, "basePath" | "versions">,
  logger: FastifyBaseLogger,
): readonly HttpRoute[] {
  const retired = versions.filter(({ status }) => status === "retired");
  return routes.filter(({ path }) => {
    const isGone = retired.some(({ name }) => isBelow(path, `${basePath}/${name}`));
    if (isGone) logger.warn({ path }, RETIRED);
    return !isGone;
  });
}
