import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderProject } from "../../src/commands/render-project.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { writeOutputs } from "./write-outputs.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A generator of services: this one, or one of another revision. */
export interface Generator {
  /** `ours`, or the short name of the revision: names what it makes. */
  readonly name: string;
  /** Where its templates stand. */
  readonly root: string;
  /** Writes what follows from the schemas of a folder into it. Throws when that fails. */
  readonly generate: (folder: string) => Promise<void>;
}

/** The generator as it stands in this folder. */
export const OURS: Generator = {
  name: "ours",
  root: ROOT,
  generate: async (folder) => {
    const rendered = await renderProject(nodeFiles, folder);
    if (!rendered.ok)
      throw new Error(rendered.diagnostics.map(({ message }) => message).join("\n"));
    writeOutputs(folder, rendered.value.outputs);
  },
};

/**
 * The generator of another revision, built in a temporary folder that `remove` deletes. It shares our packages; those
 * that only its services need are installed into the folder of the services.
 */
export function generatorAt(
  revision: string,
  services: string,
): Generator & { readonly remove: () => void } {
  const git = (...parameters: readonly string[]): string =>
    execFileSync("git", parameters, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
  const name = git("rev-parse", "--short", `${revision}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const root = join(folder, "generator");
  git("worktree", "add", "--detach", root, name);
  const remove = (): void => {
    git("worktree", "remove", "--force", root);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    run(root, "bin/build.js");
    install(services, packagesMissing(root));
  } catch (error) {
    remove();
    throw error;
  }
  const generate = async (service: string): Promise<void> => {
    run(service, join(root, "bin/generator.js"), "generate");
  };
  return { name, root, generate, remove };
}

/** The packages of another revision that ours does not have: `negotiator@1.0.0`. */
function packagesMissing(root: string): readonly string[] {
  const ours = packagesOf(ROOT);
  return Object.entries(packagesOf(root))
    .filter(([name]) => ours[name] === undefined)
    .map(([name, version]) => `${name}@${version}`);
}

/** What the generator and the runtime ask for; older revisions had no package of the runtime. */
function packagesOf(root: string): Readonly<Record<string, string>> {
  const files = ["package.json", "src/runtime/package.json"].map((name) => join(root, name));
  const asked = files.filter(existsSync).map((file) => {
    // What npm itself reads there.
    const json = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, object>>;
    return { ...json["devDependencies"], ...json["dependencies"], ...json["optionalDependencies"] };
  });
  return Object.assign({}, ...asked) as Readonly<Record<string, string>>;
}

function install(folder: string, packages: readonly string[]): void {
  if (packages.length === 0) return;
  mkdirSync(folder, { recursive: true });
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--legacy-peer-deps"];
  execFileSync("npm", ["install", "--prefix", folder, ...options, ...packages], { stdio: "pipe" });
}

function run(cwd: string, ...parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${parameters.join(" ")} fails:\n${stdout}${stderr}`);
}
