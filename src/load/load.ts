import { join } from "node:path";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { contractSources, lostContracts } from "./contract-source.js";
import { findSources } from "./find-sources.js";
import { loadSource, type Origin, type ParsedCache } from "./load-source.js";
import { placeOfFile } from "./schema-text.js";
import type { SourceTree } from "./source-document.js";

/**
 * Reads service.yaml, resources/v<N>/*.yaml and the frozen contracts. Fails if service.yaml cannot be understood; mistakes in
 * other files are part of the tree, so that `validate` reports them together with its own.
 * A text whose SHA-256 is in `cached` is not parsed again; `given` are texts to read in place of those on disk, by path.
 */
export function load(
  files: FileSystem,
  root: string,
  cached: ParsedCache = () => undefined,
  given: ReadonlyMap<string, string> = new Map(),
): Result<SourceTree> {
  const missing = missingService(files, root);
  if (missing !== null) return failure([missing]);
  const origin: Origin = { files, root, cached, given };
  const service = loadSource(origin, "service.yaml");
  const found = findSources(files, root);
  const resources = found.paths.map((path) => loadSource(origin, path));
  const problems = [
    ...service.diagnostics,
    ...found.diagnostics,
    ...resources.flatMap((resource) => resource.diagnostics),
  ];
  // What is half of a merge makes mistakes elsewhere, which nobody has made.
  const conflicts = problems.filter(({ code }) => code === "SCH-434");
  if (conflicts.length > 0) return failure(conflicts);
  if (service.document === null) return failure(problems);
  const documents = resources.flatMap(({ document }) => (document === null ? [] : [document]));
  const contracts = contractSources(files, root);
  const lost = lostContracts(files, root, contracts);
  const own = { service: service.document, resources: documents, problems };
  return success({ ...own, contracts, mergedContracts: [], lostContracts: lost });
}

function missingService(files: FileSystem, root: string): Diagnostic | null {
  if (files.exists(join(root, "service.yaml"))) return null;
  if (files.exists(join(root, "service.yml"))) {
    const suggestion = "Rename it to service.yaml.";
    return diagnostic(
      "SCH-25",
      placeOfFile("service.yml"),
      { path: "service.yml" },
      { suggestion },
    );
  }
  const suggestion = projectElsewhere(files, root);
  return diagnostic("SCH-28", placeOfFile("service.yaml"), {}, { suggestion });
}

/** Advice about the folder that was probably meant. */
function projectElsewhere(files: FileSystem, root: string): string {
  const above = projectAbove(files, root);
  if (above !== null) {
    return `A folder above has one: run \`cd ${above}\` first.`;
  }
  const folders = projectsBelow(files, root);
  const [first] = folders;
  if (first === undefined) {
    return "Run `generator init` to create a project.";
  }
  return `There is one in ${folders.join(", ")}: run the command in ${first}, or name the folder.`;
}

/** The nearest folder above `root` with a service.yaml, such as `..`; null if there is none. */
function projectAbove(files: FileSystem, root: string): string | null {
  const above = ["..", "../..", "../../.."];
  return above.find((folder) => files.exists(join(root, folder, "service.yaml"))) ?? null;
}

/** The folders right below `root` that hold a service.yaml, at most five of them. */
function projectsBelow(files: FileSystem, root: string): string[] {
  if (files.lstat(root)?.kind !== "directory") return [];
  return files
    .list(root)
    .filter((name) => files.lstat(join(root, name))?.kind === "directory")
    .filter((name) => files.exists(join(root, name, "service.yaml")))
    .slice(0, 5);
}
