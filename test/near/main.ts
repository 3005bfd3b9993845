// `npm run near`: what the changes of the working tree can break, in about a minute; `npm run near -- main`: those since main.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { nearTests } from "./near-tests.js";

const OPTIONS = ["--run", "--passWithNoTests", "--config", "test/vitest.config.ts", "--root", "."];
/** Contract tests run on one database here. */
const PROJECTS = ["unit", "generator", "services", "alone", "contract-sqlite"].map(
  (name) => `--project=${name}`,
);
const started = performance.now();
const failed: string[] = [];

const [revision = "HEAD"] = process.argv.slice(2);
const changed = changedFiles(revision);
const code = changed.filter((path) => /\.(?:ts|js)$/.test(path));
const imported = changed.filter((path) => /^(?:src|templates\/kernel|test)\/.*\.ts$/.test(path));
const tests = nearTests(changed);
process.stdout.write(`${changed.length} changed files since ${revision}\n`);
if (changed.length > 0) {
  run("build", ["node", "bin/build.js"]);
  if (code.some((path) => path.endsWith(".ts"))) {
    run("types", ["tsc", "--noEmit"]);
    run("types of the kernel", ["tsc", "--noEmit", "-p", "templates/kernel/tsconfig.json"]);
  }
  if (code.length > 0) run("lint", ["eslint", "--no-warn-ignored", ...code]);
  run("layout", ["prettier", "--check", "--ignore-unknown", "--log-level", "warn", ...changed]);
  if (imported.length > 0) {
    run("related unit tests", ["vitest", "related", "--project=unit", ...OPTIONS, ...imported]);
  }
  if (tests.length > 0) run("near tests", ["vitest", ...OPTIONS, ...PROJECTS, ...tests]);
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
const outcome = failed.length === 0 ? "all passed" : `failed: ${failed.join(", ")}`;
process.stdout.write(`\n${outcome}, ${seconds} s\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Files that differ from the revision, new ones included; paths from the root of the repository. */
function changedFiles(since: string): readonly string[] {
  const git = (...parameters: readonly string[]): readonly string[] =>
    execFileSync("git", parameters, { encoding: "utf8" }).split("\0").filter(existsSync);
  return [
    ...git("diff", "--name-only", "-z", "--diff-filter=d", since, "--"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}

/** Runs a program of node_modules; what it prints is shown where it fails. */
function run(name: string, [program = "", ...parameters]: readonly string[]): void {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const took = ((performance.now() - before) / 1000).toFixed(0);
  process.stdout.write(`${status === 0 ? "passed" : "FAILED"}  ${name}, ${took} s\n`);
  if (status === 0) return;
  failed.push(name);
  process.stdout.write(`${stdout}${stderr}\n`);
}
