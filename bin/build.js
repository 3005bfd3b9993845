// Builds dist: `node bin/build.js`. Everything that would be compiled or read at run time is compiled here.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";
import { rolldown } from "rolldown";
import { create } from "tar";
import { compileChangeKinds, compileRules } from "./compile-pages.js";
import { compileValidators } from "./compile-validators.js";
import { licencesOf } from "./licences.js";
import { writePropertyDefinition } from "./write-property-definition.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const runtime = join(root, "src/runtime");

/** What this build has written, relative to dist. */
const written = new Set();

await writePropertyDefinition();
writeModule("validators", await compileValidators(), validatorsTypes());
writeModule("templates", templatesModule(), templatesTypes());
writeValues("change-kinds", { CHANGE_KINDS: compileChangeKinds(docsPage("changes.md")) });
writeValues("rules", compileRules(docsPage("contract.md")));
writeModule("pages", textsModule("pages", "src/runtime/docs"), textsTypes("pages"));
writeModule("examples", textsModule("examples", "templates/examples"), textsTypes("examples"));
await bundle();
buildRuntime();
write("published.json", publishedPackage());
removeLeftovers();
writeBuildId();

/** src as ES modules: `dist/cli.js`, `dist/testing.js`, and a chunk for each part that is loaded when it is needed. */
async function bundle() {
  const build = await rolldown({
    input: { cli: join(root, "src/cli/main.ts"), testing: join(root, "src/cli/testing.ts") },
    platform: "node",
    // prettier is loaded for very long lines only; the build's id can not be in what it is made of.
    external: [/^node:/, /^prettier($|\/)/, "#compiled/build-id"],
    logLevel: "warn",
  });
  const { output } = await build.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  });
  await build.close();
  // Chunks first: whoever loads the entry meanwhile finds what it imports.
  for (const { fileName, code } of output.reverse()) write(fileName, code);
  const bundled = output.flatMap(({ modules }) => Object.keys(modules));
  write("third-party-licences.txt", licencesOf(bundled));
}

/**
 * The runtime as a package: compiled into its own `dist`, and packed for `init` as npm does. The compiler and packing take
 * longer than all the rest, so that both are left out where nothing of it has changed.
 */
function buildRuntime() {
  copySwaggerUi(join(runtime, "static"));
  const others = ["docs", "static"].flatMap((folder) =>
    listFiles(join(runtime, folder)).map((name) => `${folder}/${name}`),
  );
  const files = ["package.json", "README.md", "tsconfig.json", ...others, ...runtimeSources()];
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of files) hash.update(file).update(readFileSync(join(runtime, file)));
  const key = hash.digest("hex");
  const mark = join(dist, "runtime.key");
  written.add("runtime.tgz").add("runtime.key");
  if (existsSync(mark) && readFileSync(mark, "utf8") === key) return;
  const draft = join(runtime, "dist.draft");
  rmSync(draft, { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve("@typescript/native/package.json");
  const tsc = join(dirname(compiler), "bin/tsc");
  // `npm run typecheck` is for mistakes.
  const parameters = [tsc, "-p", runtime, "--outDir", draft, "--noCheck"];
  execFileSync(process.execPath, parameters, { stdio: "inherit" });
  const made = listFiles(draft);
  for (const file of made) {
    const path = join(runtime, "dist", file);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(draft, file), path);
  }
  rmSync(draft, { recursive: true });
  for (const file of listFiles(join(runtime, "dist"))) {
    if (!made.includes(file)) rmSync(join(runtime, "dist", file));
  }
  copyFileSync(join(root, "LICENSE"), join(runtime, "LICENSE"));
  const packed = [...files, "LICENSE", ...made.map((file) => `dist/${file}`)];
  // Fixed metadata, so that the archive does not depend on when, where or by whom it was packed.
  const options = { portable: true, mtime: new Date(0), prefix: "package", gzip: true, sync: true };
  create({ ...options, cwd: runtime, file: join(dist, "runtime.tgz") }, packed);
  writeFileSync(mark, key);
}

/** The files of /docs: as a dependency of services the package would bring another one, which runs a script. */
function copySwaggerUi(folder) {
  const from = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const names = ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"];
  for (const name of names) replace(join(folder, name), readFileSync(join(from, name)));
  const notices = names
    .slice(1)
    .map((name) => readFileSync(join(from, `${name}.LICENSE.txt`), "utf8"));
  const licences = [licencesOf([join(from, "index.js")]), ...notices].join("\n");
  replace(join(folder, "third-party-licences.txt"), licences);
}

function runtimeSources() {
  return listFiles(runtime).filter((path) => path.endsWith(".ts") && !path.startsWith("dist"));
}

/** Templates as functions, by their path without `.hbs`; partials by their name. */
function templatesModule() {
  const folder = join(root, "templates");
  const names = listFiles(folder).filter((name) => name.endsWith(".hbs"));
  const isPartial = (name) => name.startsWith("partials/");
  const print = (list, nameOf) =>
    list.map((name) => `${JSON.stringify(nameOf(name))}: ${precompiled(join(folder, name))},\n`);
  return [
    "export const templates = {\n",
    ...print(
      names.filter((name) => !isPartial(name)),
      (name) => name.slice(0, -".hbs".length),
    ),
    "};\nexport const partials = {\n",
    ...print(names.filter(isPartial), (name) => name.slice("partials/".length, -".hbs".length)),
    "};\n",
  ].join("");
}

function precompiled(path) {
  const options = { strict: true, noEscape: true, knownHelpersOnly: true };
  const text = readFileSync(path, "utf8");
  // `@EntityTable` in code is a name that the file imports: see src/naming/imported.ts.
  const marked = path.endsWith(".ts.hbs") ? text.replace(/@(?=\w+(?![\w/]))/g, "\u0001") : text;
  try {
    return Handlebars.precompile(marked, options);
  } catch (error) {
    throw new Error(`${relative(root, path)}: ${error.message}`, { cause: error });
  }
}

function textsModule(name, folder) {
  const files = listFiles(join(root, folder));
  const texts = files.map((file) => [file, readFileSync(join(root, folder, file), "utf8")]);
  return `export const ${name} = ${JSON.stringify(Object.fromEntries(texts), null, 2)};\n`;
}

/** A hash of all that was built, so that what an older build remembers is not used. */
function writeBuildId() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const hash = createHash("sha256").update(version);
  for (const file of [...written].sort()) hash.update(file).update(readFileSync(join(dist, file)));
  const values = { BUILD: hash.digest("hex").slice(0, 16), VERSION: version };
  const lines = Object.entries(values).map(
    ([name, value]) => `export const ${name} = "${value}";\n`,
  );
  const types = Object.keys(values).map((name) => `export declare const ${name}: string;\n`);
  writeModule("build-id", lines.join(""), types.join(""));
}

function docsPage(name) {
  return readFileSync(join(root, "docs", name), "utf8");
}

/** A module of values. Its types are the values themselves, so that a name that is not there does not compile. */
function writeValues(name, values) {
  const texts = Object.entries(values).map(([key, value]) => [key, JSON.stringify(value, null, 2)]);
  const code = texts.map(([key, text]) => `export const ${key} = ${text};\n`);
  const types = texts.map(([key, text]) => `export declare const ${key}: ${text};\n`);
  writeModule(name, code.join(""), types.join(""));
}

function writeModule(name, code, types) {
  write(`compiled/${name}.js`, code);
  write(`compiled/${name}.d.ts`, types);
}

/** package.json as `init` packs it: what is for building the generator would make npm warn about it. */
function publishedPackage() {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const ofThisRepository = [
    "scripts",
    "workspaces",
    "devDependencies",
    "overrides",
    "allowScripts",
  ];
  for (const key of [...ofThisRepository, "scarfSettings"]) delete own[key];
  // What is taken from the runtime's source has been bundled.
  delete own.imports["#runtime/*"];
  return `${JSON.stringify(own, null, 2)}\n`;
}

function write(name, text) {
  replace(join(dist, name), text);
  written.add(name);
}

/** Renames a new file into place, so that no process ever reads half of it. */
function replace(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.draft`, content);
  renameSync(`${path}.draft`, path);
}

function removeLeftovers() {
  for (const name of listFiles(dist)) if (!written.has(name)) rmSync(join(dist, name));
}

/** Relative paths with forward slashes, sorted by code unit. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort((a, b) => (a < b ? -1 : 1));
}

function textsTypes(name) {
  return `/** Texts by path. */\nexport declare const ${name}: Readonly<Record<string, string>>;\n`;
}

function templatesTypes() {
  return [
    "type Templates = Readonly<Record<string, TemplateSpecification>>;",
    "export declare const templates: Templates;",
    "export declare const partials: Templates;",
    "",
  ].join("\n");
}

function validatorsTypes() {
  return [
    'import type { ErrorObject } from "ajv";',
    "interface Validator {",
    "  (value: unknown): boolean;",
    "  errors?: readonly ErrorObject[] | null;",
    "}",
    "export declare const service: Validator;",
    "export declare const resource: Validator;",
    "",
  ].join("\n");
}
