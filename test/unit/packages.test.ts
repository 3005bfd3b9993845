import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { expect, test } from "vitest";
import { RUNTIME_VERSION } from "#runtime/base/package";
import { packGenerator, packRuntime } from "../../src/commands/own-archives.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** What `npm publish` would put into a package. */
function packed(folder: string): readonly string[] {
  const parameters = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const printed = execFileSync("npm", parameters, { cwd: folder, encoding: "utf8" });
  const [found] = JSON.parse(printed) as readonly [{ files: readonly { path: string }[] }];
  return found.files.map(({ path }) => path).sort();
}

/** What `init` puts into an archive. */
function archived(archive: string): readonly string[] {
  const paths: string[] = [];
  const onReadEntry = ({ path }: { path: string }): void =>
    void paths.push(path.slice("package/".length));
  list({ file: archive, sync: true, onReadEntry });
  return paths.sort();
}

/** Each folder with the endings of its files, and files of the root by their names. */
function outline(paths: readonly string[]): readonly string[] {
  const lines = paths.map((path) =>
    path.includes("/") ? path.replace(/[^/]+?(?=\.(?:d\.ts|[a-z]+)(?:\.map)?$)/, "*") : path,
  );
  return [...new Set(lines)].sort();
}

const FLOORS = [
  "auth",
  "base",
  "doors",
  "entity",
  "events",
  "http",
  "input",
  "query",
  "service",
  "store",
  "testing",
];

test("the package of the runtime has its TypeScript, and what was compiled of it", () => {
  const endings = ["d.ts", "d.ts.map", "js", "js.map"];
  const rooms = ["store/migrations", "store/postgres", "store/sqlite"];
  const folders = [...FLOORS, ...rooms];
  const compiled = folders.flatMap((one) => endings.map((ending) => `dist/${one}/*.${ending}`));
  const swaggerUi = ["css", "js", "txt"].map((ending) => `static/*.${ending}`);
  const own = ["LICENSE", "README.md", "docs/*.md", "package.json", "tsconfig.json", ...swaggerUi];
  const sources = folders.map((one) => `${one}/*.ts`);
  const paths = packed("src/runtime");
  expect(outline(paths)).toEqual([...own, ...compiled, ...sources].sort());
  const archive = join(temporaryFolder(), "runtime.tgz");
  packRuntime(process.cwd(), archive);
  expect(archived(archive)).toEqual(paths);
});

test("the package of the generator has no source, no test and no measurement", async () => {
  const paths = packed(".");
  // Entries of the changelog exist only between two releases.
  const outlined = outline(paths).filter((line) => line !== "docs/changelog/*.md");
  expect(outlined).toEqual([
    ...["LICENSE", "README.md", "SECURITY.md", "bin/*.js", "dist/*.js", "dist/*.json"],
    ...["dist/*.key", "dist/*.tgz", "dist/*.txt", "dist/chunks/*.js", "dist/compiled/*.d.ts"],
    ...["dist/compiled/*.js", "docs/*.md", "docs/decisions/*.md"],
    ...["docs/diagnostics/*.md", "docs/pictures/*.png", "docs/pictures/*.svg", "package.json"],
    ...["schemas/*.json"],
  ]);
  const archive = join(temporaryFolder(), "generator.tgz");
  await packGenerator(process.cwd(), archive);
  const inService = archived(archive);
  expect(inService.length).toBeGreaterThan(300);
  expect(inService.filter((path) => !paths.includes(path))).toEqual([]);
});

test("both packages, and what generated code says that it was made for, have one version", () => {
  const versions = ["package.json", "src/runtime/package.json"].map((path) => {
    return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
  });
  expect(versions).toEqual([RUNTIME_VERSION, RUNTIME_VERSION]);
});
