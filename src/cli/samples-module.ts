import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../commands/usage-error.js";

/** The samples of a module such as test/samples.ts, which may hold functions; null for a file of values. */
export async function samplesOfModule(root: string, path: string): Promise<object | null> {
  if (!/\.[cm]?[jt]s$/.test(path)) return null;
  await readTypeScript(root);
  const { samples } = await loaded(pathToFileURL(resolve(root, path)).href, path);
  if (typeof samples === "object" && samples !== null) return samples;
  throw new UsageError(`${path} does not export an object "samples" (--samples).`);
}

async function loaded(url: string, path: string): Promise<{ readonly samples?: unknown }> {
  try {
    // What it exports is looked at before it is used.
    return (await import(url)) as { readonly samples?: unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} could not be loaded (--samples): ${reason}`);
  }
}

/** A service has tsx for its tests; a Node that reads TypeScript itself needs nothing. */
async function readTypeScript(root: string): Promise<void> {
  try {
    const tsx = createRequire(join(root, "package.json")).resolve("tsx/esm/api");
    // The module for `require` looks for its loader in the wrong folder.
    const url = pathToFileURL(tsx.replace(/\.cjs$/, ".mjs")).href;
    const { register } = (await import(url)) as { register(): unknown };
    register();
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    if (!isMissing) throw error;
  }
}
