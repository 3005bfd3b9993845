import { join } from "node:path";
import { nodeFiles } from "../files/node-files.js";

/** Nothing in the archive says when, where or by whom it was made. */
const REPRODUCIBLE = { portable: true, mtime: new Date(0) };

/** package.json as it is packed; bin/build.js writes it. A packed generator has it in its place. */
const PUBLISHED = "dist/published.json";

/**
 * Packs the generator's own package as npm does, so that a new service can be built by its
 * teammates, in Docker and in CI with no more than its own folder.
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

/** The files that package.json lists, without what the bundle has swallowed. */
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

/** What package.json says belongs to the package. */
function listedFiles(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("files" in value)) return [];
  const { files } = value;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}
