import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measuredRun } from "./measured-run.js";

/** Other generators, installed by `npm ci --prefix bench/peers`; nothing of ours depends on them. */
const PACKAGES = fileURLToPath(new URL("../peers/node_modules/", import.meta.url));

/** Another generator, which makes code from the OpenAPI document of the project that ours has made. */
export interface Peer {
  /** With its version and what it makes. */
  readonly name: string;
  /** It takes minutes from so many resources on, and is run once there, if at all. */
  readonly slowFrom: number;
  /** What node is called with. */
  command(document: string, folder: string): readonly string[];
}

/** Those that are installed. */
export function installedPeers(): readonly Peer[] {
  return [heyApi(), orval()].filter((peer) => peer !== null);
}

/** What it costs to make all of a peer's files new, in CPU seconds. Throws when it fails. */
export function peerSeconds(peer: Peer, document: string, folder: string): number {
  rmSync(folder, { recursive: true, force: true });
  return measuredRun(peer.command(document, folder), peersNode()).cpuSeconds;
}

function heyApi(): Peer | null {
  const version = versionOf("@hey-api/openapi-ts");
  if (version === null) return null;
  const plugins = ["@hey-api/typescript", "@hey-api/sdk", "zod", "@hey-api/client-fetch"];
  return {
    name: `@hey-api/openapi-ts ${version} (types, sdk, zod)`,
    slowFrom: Infinity,
    command: (document, folder) => [
      join(PACKAGES, "@hey-api/openapi-ts/bin/run.js"),
      ...["--input", document, "--output", folder, "--plugins", ...plugins],
      ...["--silent", "--no-log-file"],
    ],
  };
}

function orval(): Peer | null {
  const version = versionOf("orval");
  if (version === null) return null;
  return {
    name: `orval ${version} (hono server)`,
    slowFrom: 1000,
    command: (document, folder) => [
      join(PACKAGES, "orval/dist/bin/orval.mjs"),
      ...["--input", document, "--output", join(folder, "endpoints.ts"), "--client", "hono"],
    ],
  };
}

function versionOf(name: string): string | null {
  const path = join(PACKAGES, name, "package.json");
  if (!existsSync(path)) return null;
  // Every package names its version.
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** They want a newer Node than ours does; where there is none for this machine, the one that runs this. */
function peersNode(): string {
  const own = join(PACKAGES, `node-${process.platform}-${process.arch}`, "bin/node");
  return existsSync(own) ? own : process.execPath;
}
