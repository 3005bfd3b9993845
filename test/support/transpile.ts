import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SERVICE_MAIN } from "./service-folders.js";

const MAIN = fileURLToPath(new URL("../contract/support/service-main.ts", import.meta.url));

/** Takes the types of a service away, into its `dist`, so that a process of it starts in a moment. */
export async function transpileService(folder: string): Promise<void> {
  await transpile(join(folder, "src"), join(folder, "dist"));
}

/** A copy of a service and its tests without their types, beside the same migrations and documents. */
export async function transpileWithTests(folder: string, copy: string): Promise<void> {
  await transpile(folder, copy);
  for (const name of readdirSync(folder)) {
    // Another service that stands below it has been copied with it.
    const isThere = CODE.includes(name) || existsSync(join(copy, name));
    if (!isThere) symlinkSync(join(folder, name), join(copy, name));
  }
}

/** What holds code; `dist` would be that of `transpileService`. */
const CODE = ["dist", "src", "test", "tools"];

async function transpile(source: string, output: string): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" });
  await build({
    entryPoints: paths.filter((path) => path.endsWith(".ts")).map((path) => join(source, path)),
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
