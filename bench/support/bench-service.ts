import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBenchProject, type BenchProject } from "./bench-project.js";
import { OURS, type Generator } from "./generator-revision.js";
import { ownServiceModule, registryModule, serviceModule } from "./service-module.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMPILER = join(ROOT, "node_modules/@typescript/native/bin/tsc");
const COMPILE = [
  "--ignoreConfig",
  "--module",
  "nodenext",
  "--target",
  "es2023",
  "--lib",
  "es2023",
  "--skipLibCheck",
  "--types",
  "node",
];

/** A generated service, compiled as its own build script would do it. */
export interface BenchService {
  readonly folder: string;
  /** The names of its resources. */
  readonly resources: readonly string[];
  readonly generator: Generator;
}

/** Where the services of the benches stand: inside the repository, so that they find its packages. */
export function serviceFolder(name: string): string {
  return join(ROOT, "test/.services/bench", name);
}

/** Generates and compiles a service. Throws when either fails. */
export async function buildService(
  name: string,
  project: BenchProject,
  generator: Generator = OURS,
): Promise<BenchService> {
  const folder = serviceFolder(`${name}-${generator.name}`);
  const resources = writeBenchProject(folder, project);
  await generator.generate(folder);
  compile(folder, generator);
  return { folder, resources, generator };
}

/** The same of an example, without the code that is its user's. */
export async function buildExample(
  name: string,
  example: string,
  generator: Generator = OURS,
): Promise<BenchService> {
  const folder = serviceFolder(`${name}-${generator.name}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(generator.root, "templates/examples", example), folder, { recursive: true });
  const resources = readdirSync(join(folder, "resources/v1")).map((file) => parse(file).name);
  await generator.generate(folder);
  compile(folder, generator);
  return { folder, resources, generator };
}

/** The same of a project under `fixtures/`, with the code that is its user's. */
export async function buildFixture(name: string, generator: Generator = OURS): Promise<string> {
  const folder = serviceFolder(`${name}-${generator.name}`);
  const fixture = join(generator.root, "fixtures", name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(fixture, folder, { recursive: true });
  await generator.generate(folder);
  cpSync(join(fixture, "custom"), join(folder, "src/custom"), { recursive: true });
  compile(folder, generator);
  return folder;
}

/** A program that starts the service, listens and stops: as compiled, and as one bundle. */
export interface BootPrograms {
  readonly compiled: string;
  readonly bundle: string;
}

/** Makes the programs of a service as its own build script would do it. Throws when that fails. */
export function buildBootPrograms({ folder, generator }: BenchService): BootPrograms {
  const compiled = join(folder, "dist/main.js");
  writeFileSync(compiled, bootProgram(serviceModule(folder), registryModule(folder)));
  mkdirSync(join(folder, "tools"), { recursive: true });
  // The template has nothing to be filled in.
  const template = join(generator.root, "templates/scaffold/bundle.ts.hbs");
  cpSync(template, join(folder, "tools/bundle.ts"));
  const bundling = ["--import", "tsx", "tools/bundle.ts"];
  const { status } = spawnSync(process.execPath, bundling, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error("the service of the bench cannot be bundled");
  return { compiled, bundle: join(folder, "dist/bundle/main.js") };
}

function bootProgram(module: string, registry: string): string {
  return `
import { createService } from "${module}";
import { registry } from "./${registry}.js";

const service = await createService(registry, { databaseUrl: "sqlite:" + process.argv[2] });
await service.listen();
await service.close();
`;
}

function compile(folder: string, generator: Generator): void {
  const own = ownServiceModule(folder);
  if (own === null) linkRuntime(folder, generator);
  const modules = [registryModule(folder), ...(own === null ? [] : [own])];
  const entries = [
    ...modules.map((name) => join(folder, "src", `${name}.ts`)),
    ...migrateProgram(folder, generator),
  ];
  const output = ["--rootDir", join(folder, "src"), "--outDir", join(folder, "dist")];
  const { status, stdout } = spawnSync(
    process.execPath,
    [COMPILER, ...COMPILE, ...output, ...entries],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`the service of the bench does not compile:\n${stdout}`);
}

/** The runtime of the revision that the service is of. */
function linkRuntime(folder: string, { root }: Generator): void {
  const scope = join(folder, "node_modules/@rulebound");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(root, "src/runtime"), join(scope, "runtime"));
}

/** The program that a build bundles beside the service, as `init` makes it; none of revisions that had no such program. */
function migrateProgram(folder: string, generator: Generator): readonly string[] {
  const template = join(generator.root, "templates/scaffold/migrate.ts.hbs");
  if (!existsSync(template)) return [];
  const path = join(folder, "src/migrate.ts");
  // The template has nothing to be filled in.
  cpSync(template, path);
  return [path];
}
