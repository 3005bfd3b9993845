import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { SERVICES } from "../../support/service-folders.js";

/** How a process that migrates ended. */
export interface MigratingEnd {
  readonly wasKilled: boolean;
  /** What it said of a failure. */
  readonly written: string;
}

/** Makes the program; returns what starts it, to be killed before a call to its database, if it comes to that. */
export async function doomedProcess(
  name: string,
): Promise<(url: string, folder: URL, call: number, early?: "early") => Promise<MigratingEnd>> {
  // Inside the repository, so that it finds the drivers.
  const program = join(SERVICES, `${name}.mjs`);
  await build({
    entryPoints: [resolve("test/database/support/doomed-migration.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  return async (url, folder, call, early) => {
    const given = [program, url, folder.pathname, String(call), early ?? ""];
    const child = spawn(process.execPath, given, { stdio: ["ignore", "ignore", "pipe"] });
    let written = "";
    child.stderr.on("data", (chunk: Buffer) => (written += chunk.toString()));
    // Both are null never, and one of them always.
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    const wasKilled = signal === "SIGKILL";
    return { wasKilled, written: code === 0 || wasKilled ? "" : `${code} ${signal}: ${written}` };
  };
}
