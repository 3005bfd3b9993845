import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";

import { versionRetired, type ApiError } from "../base/errors.js";
import type { HttpRoute } from "./routes.js";
import { servedVersions, type VersionSettings, type ServiceSettings } from "./settings.js";

/** How often the use of the versions is told in the log. */
export const USE_MILLISECONDS = 3_600_000;

/** One version: what its answers carry, and how many requests there were since the last line of the log. */
interface VersionCount {
  readonly name: string;
  /** `/api/v1` */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly isRetired: boolean;
  requests: number;
}

/** VER-4: tells the callers of a deprecated version so on every answer, and counts how much each version is used. */
export class VersionUse {
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

  /** Before anything is known of a request but its target, so that errors carry the headers, too. */
  enter(target: string, response: ServerResponse): void {
    const version = this.versionOf(target);
    if (version === undefined) return;
    version.requests += 1;
    for (const [name, value] of version.headers) response.setHeader(name, value);
  }

  /** What an answer carries to whom no response leads: the parser refuses what was sent. */
  headersFor(target: string): readonly (readonly [string, string])[] {
    return this.versionOf(target)?.headers ?? [];
  }

  /** 410 for what is below a retired version; null: it is not. */
  retirement(target: string): ApiError | null {
    const version = this.versionOf(target);
    if (version?.isRetired !== true) return null;
    const served = servedVersions(this.known).map(({ name }) => name);
    return versionRetired(version.name, served);
  }

  private versionOf(target: string): VersionCount | undefined {
    return this.versions.find(({ path }) => isBelow(target, path));
  }

  /** The requests of each version since it was asked last; null: there were none. */
  take(): Readonly<Record<string, number>> | null {
    if (this.versions.every(({ requests }) => requests === 0)) return null;
    const counts = this.versions.map(({ name, requests }) => [name, requests] as const);
    for (const version of this.versions) version.requests = 0;
    return Object.fromEntries(counts);
  }
}

/** Whether the target of a request is a path, or below it. */
function isBelow(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false;
  const next = target[path.length];
  return next === undefined || next === "/" || next === "?";
}

/** RFC 9745 counts seconds, RFC 8594 writes a date of HTTP; both at midnight UTC. */
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

/** VER-4: a route of the service's own goes with the version in whose path it stands; the log tells of it. */
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
