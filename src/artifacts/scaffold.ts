import { InternalError } from "../diagnostics/internal-error.js";
import { isDashedName } from "../naming/casing.js";
import type { TsCode } from "../naming/encoders.js";
import { GENERATOR, RUNTIME } from "../naming/packages.js";
import type { ServiceModel } from "../model/service-model.js";
import type { Artifact, DataArtifact } from "./artifact.js";

/** What package.json asks for of our packages: `file:vendor/rulebound-runtime-0.1.0.tgz`, or a version. */
export interface OwnPackages {
  readonly generator: string;
  readonly runtime: string;
}

/** A new service, and where it finds our packages. */
export interface ScaffoldModel {
  readonly service: ServiceModel;
  readonly packages: OwnPackages;
  /** Whether it begins with a program that fills it: `tools/seed.ts`. */
  readonly hasSeed: boolean;
}

/** What the templates in `scaffold/` see. */
export interface ScaffoldView {
  readonly service: TsCode;
  /** AUT-1: it does not ask who calls. */
  readonly isOpen: boolean;
  readonly hasSeed: boolean;
}

const NODE = "node --enable-source-maps --disable-warning=ExperimentalWarning";

/** What `init` writes beside the generated files: once, then it is the user's. */
export const SCAFFOLD_ARTIFACTS: readonly Artifact<ScaffoldModel>[] = [
  file("main.ts", "src/main.ts"),
  file("migrate.ts", "src/migrate.ts"),
  file("custom.test.ts", "test/custom/service.test.ts"),
  file("dev.ts", "tools/dev.ts"),
  file("reset-database.ts", "tools/reset-database.ts"),
  file("bundle.ts", "tools/bundle.ts"),
  file("Dockerfile", "Dockerfile"),
  file("dockerignore", ".dockerignore"),
  file("compose.yaml", "compose.yaml"),
  file("ci.yml", ".github/workflows/ci.yml"),
  file("env.example", ".env.example"),
  file("gitattributes", ".gitattributes"),
  file("gitignore", ".gitignore"),
  file("README.md", "README.md"),
  file("AGENTS.md", "AGENTS.md"),
];

/** Likewise, but values. */
export const SCAFFOLD_DATA: readonly DataArtifact<ScaffoldModel>[] = [
  { owner: "user", path: () => "package.json", value: packageJson },
  { owner: "user", path: () => "tsconfig.json", value: buildConfig },
  { owner: "user", path: () => "test/tsconfig.json", value: testConfig },
  { owner: "user", path: () => ".prettierrc.json", value: () => ({ printWidth: 100 }) },
];

function file(template: string, path: string): Artifact<ScaffoldModel> {
  return { template: `scaffold/${template}`, owner: "user", path: () => path, view: scaffoldView };
}

function scaffoldView({ service, hasSeed }: ScaffoldModel): ScaffoldView {
  const isOpen = service.authentication.scheme === "none";
  return { service: packageName(service.name), isOpen, hasSeed };
}

/** A package name. Throws for anything else, which `init` has refused. */
function packageName(name: string): TsCode {
  if (!isDashedName(name)) throw new InternalError(`${JSON.stringify(name)} is not a package name`);
  // Lower-case letters, digits and dashes.
  return name as TsCode;
}

/** Fastify's own tree asks for a version that needs Node 22. */
const NODE_20_VERSIONS = { cookie: "^1.1.1" };

/** `generate` never writes it: a script for what a later schema brings is there from the start. */
function packageJson({ service, packages, hasSeed }: ScaffoldModel) {
  return {
    name: service.name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    scripts: {
      build: "tsc && tsx tools/bundle.ts",
      start: `${NODE} dist/bundle/main.js`,
      migrate: `${NODE} dist/bundle/migrate.js`,
      dev: "tsx tools/dev.ts",
      generate: "generator generate",
      token: "tsx tools/token.ts",
      events: "tsx tools/events.ts",
      "db:reset": "tsx tools/reset-database.ts",
      ...(hasSeed && { seed: "tsx tools/seed.ts" }),
      check: "generator check && tsc --noEmit -p test",
      test: "tsc --noEmit -p test && node --import tsx --test test/*/*.test.ts",
    },
    dependencies: { [RUNTIME]: packages.runtime },
    devDependencies: {
      [GENERATOR]: packages.generator,
      "@types/node": "22.20.5",
      esbuild: "0.28.2",
      tsx: "4.23.15",
      typescript: "6.0.3",
    },
    overrides: NODE_20_VERSIONS,
    // The same for Yarn and pnpm.
    resolutions: NODE_20_VERSIONS,
    // Their native parts come ready-made in the packages: no script has to run.
    allowScripts: { "@photostructure/sqlite": false, esbuild: false },
  };
}

/** What a service needs of package.json, section by section; whether it asks for the generator at all is its own affair. */
export function packageSections(
  model: ScaffoldModel,
  asksForGenerator: boolean,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { scripts, dependencies, devDependencies, overrides, resolutions } = packageJson(model);
  const { [GENERATOR]: generator, ...others } = devDependencies;
  const own = asksForGenerator ? { [GENERATOR]: generator, ...others } : others;
  return { scripts, dependencies, devDependencies: own, overrides, resolutions };
}

const COMPILER_OPTIONS = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  // Packages check their own types.
  skipLibCheck: true,
};

function buildConfig(): object {
  const output = { rootDir: "src", outDir: "dist", sourceMap: true };
  return { compilerOptions: { ...COMPILER_OPTIONS, ...output }, include: ["src"] };
}

function testConfig(): object {
  return {
    extends: "../tsconfig.json",
    compilerOptions: { rootDir: "..", noEmit: true },
    include: [".", "../src", "../tools"],
  };
}
