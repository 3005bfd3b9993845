import { didYouMean } from "../diagnostics/advice.js";
import { basename, dirname, join } from "node:path";
import { apply } from "../apply/apply.js";
import { EMPTY_MANIFEST } from "../apply/manifest.js";
import { plan } from "../apply/plan.js";
import { withLock } from "../apply/process-lock.js";
import { readDisk } from "../apply/read-disk.js";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import { MemoryFiles } from "../files/memory-files.js";
import { isDashedName, toDashedName } from "../naming/casing.js";
import type { OutputFile } from "../render/output-file.js";
import { renderScaffold } from "../render/render.js";
import type { Environment } from "./environment.js";
import { exampleFiles } from "./example-files.js";
import { NOTHING_ELSE, type Outcome } from "./outcome.js";
import { archiveOf, packOwn } from "./own-archives.js";
import { renderProject } from "./render-project.js";
import { UsageError } from "./usage-error.js";

/** What to create: `env.root` is the folder of the new service, which is named after it. */
export interface InitOptions {
  /** A folder of templates/examples: `helpdesk`. */
  readonly example: string;
  /** The folder of the generator's own package, absolute. */
  readonly packageRoot: string;
}

/** Files of a new repository or of an interrupted `init`: they do not prevent `init`, and are never replaced. */
const HARMLESS = /^(?:\.git|\.rulebound|vendor|(?:README|LICEN[CS]E)(?:\.(?:md|txt))?)$/i;

/** Creates a complete new service: its YAML, its code, and the generator that made it. */
export async function init(
  env: Environment,
  { example, packageRoot }: InitOptions,
): Promise<Result<Outcome>> {
  const { files, root, machine, version } = env;
  refuseOccupied(env);
  const written = exampleFiles(example, serviceName(root));
  const project = await renderProject(inMemory(written), "/");
  if (!project.ok) return project;
  const archives = {
    generator: archiveOf("generator", version),
    runtime: archiveOf("runtime", version),
  };
  const { model: service, outputs } = project.value;
  const scaffold = await renderScaffold({
    service,
    packages: { generator: `file:${archives.generator}`, runtime: `file:${archives.runtime}` },
    hasSeed: written.some(({ path }) => path === "tools/seed.ts"),
  });
  const emitted = new Set(outputs.map(({ path }) => path));
  const once = [...written.filter(({ path }) => !emitted.has(path)), ...scaffold];
  const disk = readDisk(files, root, EMPTY_MANIFEST);
  const planned = plan(withOwnCode(outputs, written), disk, { version, force: false, once });
  if (!planned.ok) return planned;
  files.makeDirectory(join(root, dirname(archives.generator)));
  await packOwn("generator", packageRoot, join(root, archives.generator));
  await packOwn("runtime", packageRoot, join(root, archives.runtime));
  return withLock(files, root, machine, () => {
    const { leftAlone } = apply(files, root, planned.value);
    return success({ changes: planned.value.changes, applied: true, leftAlone, ...NOTHING_ELSE });
  });
}

function refuseOccupied({ files, root }: Environment): void {
  const standing = files.lstat(root);
  if (standing === null) return;
  if (standing.kind !== "directory") throw new UsageError(`${root} is not a folder.`);
  const names = files.list(root).filter((name) => !HARMLESS.test(name));
  if (names.length === 0) return;
  const shown = names.slice(0, 5).join(", ");
  throw new UsageError(
    names.includes("service.yaml")
      ? `There is a service in ${root} already. Run "generator generate" there.`
      : `${root} is not empty (${shown}), and init overwrites nothing. Name a new folder.`,
  );
}

function serviceName(root: string): string {
  const name = basename(root);
  if (isDashedName(name)) return name;
  const near = toDashedName(name);
  throw new UsageError(
    `${JSON.stringify(name)} cannot name a service: lower-case letters, digits and single dashes, ` +
      `beginning with a letter, at most 60 characters.${near === null ? "" : ` ${didYouMean(near)}`}`,
  );
}

/** The schema files alone, as `load` reads them. */
function inMemory(written: readonly OutputFile[]): MemoryFiles {
  return new MemoryFiles(
    Object.fromEntries(written.map(({ path, text }) => [`/${path}`, text ?? ""])),
  );
}

/** The example has code of its own in place of some empty custom files. */
function withOwnCode(
  outputs: readonly OutputFile[],
  written: readonly OutputFile[],
): readonly OutputFile[] {
  const own = new Map(written.map((file) => [file.path, file]));
  return outputs.map((output) => own.get(output.path) ?? output);
}
