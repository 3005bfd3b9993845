import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { renderScaffold } from "../../src/render/render.js";
import type { RenderedProject } from "../../src/commands/render-project.js";
import { SERVICES } from "./service-folders.js";
import { writeTree } from "./read-tree.js";
import type { Texts } from "./render-files.js";

/** The compilers: the fast one, and the one that a generated service has in its package.json. */
export const COMPILERS = {
  fast: resolve("node_modules/@typescript/native/bin/tsc"),
  shipped: resolve("node_modules/typescript/bin/tsc"),
} as const;

/** The texts that a service is generated from, and those that are emitted for it. */
export function serviceTexts({ tree, outputs }: RenderedProject): Texts {
  const sources = [tree.service, ...tree.resources, ...tree.contracts];
  return Object.fromEntries([
    // JSON is YAML.
    ...sources.map(({ path, value }) => [path, JSON.stringify(value)] as const),
    ...outputs.map(({ path, text }) => [path, text ?? ""] as const),
  ]);
}

/** Every text of a whole service: its schemas, what is emitted for it, or `instead` of that, and what `init` adds. */
export async function wholeService(project: RenderedProject, instead: Texts = {}): Promise<Texts> {
  const scaffold = {
    service: project.model,
    packages: { generator: "file:vendor/generator.tgz", runtime: "file:vendor/runtime.tgz" },
    hasSeed: "tools/seed.ts" in instead,
  };
  const files = await renderScaffold(scaffold);
  return {
    ...serviceTexts(project),
    ...Object.fromEntries(files.map(({ path, text }) => [path, text ?? ""])),
    ...instead,
  };
}

/** Which compiler; and whether the types of packages are checked, which takes as long as all the rest. */
interface Compiling {
  readonly compiler?: keyof typeof COMPILERS;
  readonly withPackages?: boolean;
}

/** What a compiler says of services, their tests included, with the options that `init` gives them: "" when all is well. */
export function compilerErrors(
  name: string,
  services: Readonly<Record<string, Texts>>,
  { compiler = "fast", withPackages = false }: Compiling = {},
): Promise<string> {
  // Inside the repository, so that the packages are found.
  const folder = join(SERVICES, "types", name);
  const texts = Object.entries(services).flatMap(([service, files]) =>
    Object.entries(files).map(([path, text]) => [`${service}/${path}`, text]),
  );
  const config = {
    extends: `./${Object.keys(services)[0]}/tsconfig.json`,
    compilerOptions: { rootDir: ".", noEmit: true, skipLibCheck: !withPackages },
    include: ["*/src", "*/test", "*/tools", "*/client/*/src"],
  };
  writeTree(folder, { ...Object.fromEntries(texts), "tsconfig.json": JSON.stringify(config) });
  return errorsIn(folder, compiler);
}

/** What a compiler says of the project in a folder: "" when all is well. */
export function errorsIn(folder: string, compiler: keyof typeof COMPILERS): Promise<string> {
  const command = [COMPILERS[compiler], "-p", folder];
  return new Promise((done) => {
    execFile(process.execPath, command, (error, out, err) =>
      done(error === null ? "" : out + err + error.message),
    );
  });
}
