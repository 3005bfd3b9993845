import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { SERVICE_MAIN } from "./service-folders.js";
import { runtimeFile, runtimePath } from "./runtime.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = fileURLToPath(new URL("../contract/support/service-main.ts", import.meta.url));

/** Takes the types of a service away, into its `dist`, so that a process of it starts in a moment. */
export async function transpileService(folder: string): Promise<void> {
  await transpile(join(folder, "src"), join(folder, "dist"));
}

/** The modules of the runtime that tests and hosts load. */
const DOORS = ["base/errors", "service/service", "service/start", "testing/development-commands"];

/** How a service is bundled. */
export interface Bundling {
  /** Where the bundle goes; left out: the service's own folder. */
  readonly folder?: string;
  /** The folder there, as deep below it as `src`; left out: `dist`. */
  readonly name?: string;
  /** What a file holds in place of its text; its path is below the service's folder, or one of `runtimeFile`. */
  readonly replaced?: { readonly path: string; readonly text: string };
}

/**
 * Bundles a service, so that it loads in a tenth of the time that its modules take. The bundle has the doors and the
 * service's own code alone, each module the whole bundle.
 */
export async function bundleService(
  source: string,
  { folder = source, name = "dist", replaced }: Bundling = {},
): Promise<void> {
  const dist = join(folder, name);
  rmSync(dist, { recursive: true, force: true });
  const custom = existsSync(join(source, "src/custom"))
    ? readdirSync(join(source, "src/custom"))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => `custom/${file.slice(0, -".ts".length)}`)
    : [];
  const own = ["generated/app", ...custom].map((door) => [door, `./${door}.ts`] as const);
  const ofRuntime = DOORS.map(
    (door) => [runtimePath(door), join(ROOT, runtimeFile(door))] as const,
  );
  const doors = [...own, ...ofRuntime];
  const options: BuildOptions = {
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "warning",
    plugins: [RUNTIME, ...(replaced === undefined ? [] : [replacing(source, replaced)])],
  };
  const contents = doors.map(([, from]) => `export * from "${from}";\n`).join("");
  const stdin = { contents, resolveDir: join(source, "src"), loader: "ts" } as const;
  const whole = join(dist, "generated/whole.js");
  await build({ ...options, stdin, outfile: whole });
  for (const [door] of doors) {
    const path = join(dist, `${door}.js`);
    mkdirSync(dirname(path), { recursive: true });
    const up = relative(dirname(path), whole);
    writeFileSync(path, `export * from "${up.startsWith(".") ? up : `./${up}`}";\n`);
  }
  const entryPoints = [join(ROOT, runtimeFile("store/sqlite/statement-process"))];
  // The bundle looks for it beside itself.
  await build({ ...options, entryPoints, outdir: join(dist, "generated") });
}

/** The runtime's source is bundled with the service, so that a fault can be put into it. */
const RUNTIME: Plugin = {
  name: "runtime",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@rulebound\/runtime/ }, ({ path }) => {
      const name = path.slice("@rulebound/runtime/".length).replaceAll("/", "-");
      return { path: join(ROOT, runtimeFile(`doors/${name === "" ? "index" : name}`)) };
    });
  },
};

function replacing(source: string, { path, text }: NonNullable<Bundling["replaced"]>): Plugin {
  const name = path.replaceAll(/[^\w/]/g, "\\$&");
  return {
    name: "replaced",
    setup: ({ onLoad }) => {
      onLoad({ filter: new RegExp(`/${name}$`) }, ({ path: found }) =>
        [source, ROOT].some((folder) => found === join(folder, path))
          ? { contents: text, loader: "ts" }
          : null,
      );
    },
  };
}

/** A copy of a service and its tests without their types, with its schemas, migrations and documents. */
export async function transpileWithTests(folder: string, copy: string): Promise<void> {
  await transpile(folder, copy);
  for (const name of readdirSync(folder)) {
    // Another service that stands below it has been copied with it.
    const isThere = CODE.includes(name) || existsSync(join(copy, name));
    if (!isThere) cpSync(join(folder, name), join(copy, name), { recursive: true });
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
