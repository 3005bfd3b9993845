// Builds dist: `node bin/build.js`. Everything that would be compiled or read at run time is compiled here.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";
import { rolldown } from "rolldown";
import { compileValidators } from "./compile-validators.js";
import { licencesOf } from "./licences.js";
import { writePropertyDefinition } from "./write-property-definition.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** What this build has written, relative to dist. */
const written = new Set();

await writePropertyDefinition();
writeModule("validators", await compileValidators(), validatorsTypes());
writeModule("templates", templatesModule(), templatesTypes());
writeModule(
  "sources",
  textsModule("sources", "templates", (path) => path.endsWith(".hbs")),
  textsTypes("sources"),
);
writeModule(
  "kernel",
  textsModule("kernel", "templates/kernel", isKernelFile) + kernelImportsModule(),
  textsTypes("kernel") + kernelImportsTypes(),
);
writeModule("pages", textsModule("pages", "templates/pages"), textsTypes("pages"));
writeModule("examples", textsModule("examples", "templates/examples"), textsTypes("examples"));
await bundle();
write("published.json", publishedPackage());
removeLeftovers();
writeBuildId();

/** src as ES modules: `dist/cli.js`, and a chunk for each part that is loaded when it is needed. */
async function bundle() {
  const build = await rolldown({
    input: { cli: join(root, "src/cli/main.ts") },
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
  try {
    return Handlebars.precompile(readFileSync(path, "utf8"), options);
  } catch (error) {
    throw new Error(`${relative(root, path)}: ${error.message}`, { cause: error });
  }
}

function textsModule(name, folder, isWanted = () => true) {
  const files = listFiles(join(root, folder)).filter(isWanted);
  const texts = files.map((file) => [file, readFileSync(join(root, folder, file), "utf8")]);
  return `export const ${name} = ${JSON.stringify(Object.fromEntries(texts), null, 2)};\n`;
}

/** Which files of the kernel each of them imports, whatever the form of the import. */
function kernelImportsModule() {
  const folder = join(root, "templates/kernel");
  const files = new Set(listFiles(folder).filter(isKernelFile));
  const imports = [...files].map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const named = [...text.matchAll(/"(\.{1,2}\/[\w./-]+)\.js"/g)].map(
      ([, path]) => `${posix.join(posix.dirname(file), path)}.ts`,
    );
    return [file, [...new Set(named)].filter((path) => files.has(path)).sort()];
  });
  return `export const kernelImports = ${JSON.stringify(Object.fromEntries(imports), null, 2)};\n`;
}

function isKernelFile(path) {
  return path.endsWith(".ts") && !path.endsWith(".test.ts");
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

function writeModule(name, code, types) {
  write(`compiled/${name}.js`, code);
  write(`compiled/${name}.d.ts`, types);
}

/** package.json as `init` packs it: what is for building the generator would make npm warn about it. */
function publishedPackage() {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const key of ["scripts", "devDependencies", "overrides", "allowScripts"]) delete own[key];
  // What is taken from the kernel's source has been bundled.
  delete own.imports["#kernel/*"];
  return `${JSON.stringify(own, null, 2)}\n`;
}

/** Renamed into place, so that a process that runs meanwhile never sees half a module. */
function write(name, text) {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.draft`, text);
  renameSync(`${path}.draft`, path);
  written.add(name);
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

function kernelImportsTypes() {
  return [
    "/** The files that each file imports, by path. */",
    "export declare const kernelImports: Readonly<Record<string, readonly string[]>>;",
    "",
  ].join("\n");
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
