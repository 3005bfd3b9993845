import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SERVICE_MAIN } from "./service-folders.js";

const MAIN = fileURLToPath(new URL("../contract/support/service-main.ts", import.meta.url));

/** Takes the types of a service away, into its `dist`, so that a process of it starts in a moment. */
export async function transpileService(folder: string): Promise<void> {
  const source = join(folder, "src");
  const output = join(folder, "dist");
  rmSync(output, { recursive: true, force: true });
  const entries = readdirSync(source, { recursive: true, encoding: "utf8" });
  await build({
    entryPoints: entries.filter((path) => path.endsWith(".ts")).map((path) => join(source, path)),
    outbase: source,
    outdir: output,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
}

/** Makes the program that starts any of them. */
export async function bundleServiceMain(): Promise<void> {
  await build({
    entryPoints: [MAIN],
    outfile: SERVICE_MAIN,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
}
