import { join } from "node:path";
import { nodeFiles } from "../files/node-files.js";

/** Fixed metadata, so that the archive does not depend on when, where or by whom it was packed. */
const REPRODUCIBLE = { portable: true, mtime: new Date(0) };

/** The package.json to pack, which bin/build.js writes; in a packed generator it is package.json itself. */
const PUBLISHED = "dist/published.json";

/** Returns where a service keeps one of our packages: `vendor/rulebound-runtime-0.1.0.tgz`. */
export function archiveOf(name: OwnPackage, version: string): string {
  return `vendor/rulebound-${name}-${version}.tgz`;
}

/** One of our packages. */
export type OwnPackage = "generator" | "runtime";

/** Packs one of our packages into an archive. */
export async function packOwn(
  name: OwnPackage,
  packageRoot: string,
  archive: string,
): Promise<void> {
  if (name === "generator") await packGenerator(packageRoot, archive);
  else packRuntime(packageRoot, archive);
}

const RUNTIME_ARCHIVE = "dist/runtime.tgz";

/** Copies the archive of the runtime, which bin/build.js has packed. */
export function packRuntime(packageRoot: string, archive: string): void {
  nodeFiles.copy(join(packageRoot, RUNTIME_ARCHIVE), archive);
}

/** The texts of the runtime's package by their paths, without what was compiled of them. */
export async function runtimeFiles(packageRoot: string): Promise<ReadonlyMap<string, string>> {
  const { list } = await import("tar");
  const texts = new Map<string, string>();
  list({
    sync: true,
    file: join(packageRoot, RUNTIME_ARCHIVE),
    onReadEntry: (entry) => {
      const path = entry.path.slice("package/".length);
      if (path.startsWith("dist/")) return;
      const parts: Uint8Array[] = [];
      entry.on("data", (part) => void parts.push(part));
      entry.on("end", () => void texts.set(path, Buffer.concat(parts).toString()));
    },
  });
  return texts;
}

/**
 * Packs the generator's own package as npm does, so that a new service can be built from its own folder alone: by
 * other developers, in Docker and in CI.
 */
export async function packGenerator(packageRoot: string, archive: string): Promise<void> {
  // Only `init` needs it.
  const { create } = await import("tar");
  create(
    {
      ...REPRODUCIBLE,
      sync: true,
      gzip: true,
      file: archive,
      cwd: packageRoot,
      onWriteEntry: (entry) => {
        entry.path = entry.path === PUBLISHED ? "package/package.json" : `package/${entry.path}`;
      },
    },
    packedFiles(packageRoot),
  );
}

/** The files that package.json lists, without those that are part of the bundle. */
function packedFiles(packageRoot: string): string[] {
  const isPacked = !nodeFiles.exists(join(packageRoot, PUBLISHED));
  const description = isPacked ? "package.json" : PUBLISHED;
  const listed = listedFiles(nodeFiles.readText(join(packageRoot, description)));
  return ["package.json", "README.md", "LICENSE", ...listed]
    .flatMap((path) => filesBelow(packageRoot, path))
    .filter((path) => isPacked || path !== "package.json")
    .filter((path) => !path.startsWith("dist/compiled/") || path.endsWith("/build-id.js"));
}

function filesBelow(packageRoot: string, path: string): string[] {
  const absolute = join(packageRoot, path);
  const kind = nodeFiles.lstat(absolute)?.kind;
  if (kind === "file") return [path];
  if (kind !== "directory") return [];
  return nodeFiles.list(absolute).flatMap((name) => filesBelow(packageRoot, `${path}/${name}`));
}

/** The paths under `files` in package.json. */
function listedFiles(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("files" in value)) return [];
  const { files } = value;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}
