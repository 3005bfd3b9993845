// `npm run near`: what the changes of the working tree can break, in about a minute; `npm run near -- main`: those since main.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { nearTests } from "./near-tests.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

const OPTIONS = ["--run", "--passWithNoTests", "--config", "test/vitest.config.ts", "--root", "."];
/** Contract tests run on one database here. */
const PROJECTS = ["unit", "generator", "services", "alone", "contract-sqlite"].map(
  (name) => `--project=${name}`,
);
const TYPES = ["tsc", "--noEmit", "--incremental", "--tsBuildInfoFile"];
/** What compiler and linter know of files that have not changed since they were run here. */
const CACHE = "node_modules/.cache/near";
const LINT = ["eslint", "--no-warn-ignored", "--cache", "--cache-location", `${CACHE}/eslint`];
const started = performance.now();
const failed: string[] = [];

const [revision = "HEAD"] = process.argv.slice(2);
const changed = changedFiles(revision);
const code = changed.filter((path) => /\.(?:ts|js)$/.test(path));
const imports = new RegExp(`^(?:src|${RUNTIME_SOURCE}|test)/.*\\.ts$`);
const imported = changed.filter((path) => imports.test(path));
const tests = nearTests(changed);
process.stdout.write(`${changed.length} changed files since ${revision}\n`);
if (changed.length > 0) {
  await run("build", ["node", "bin/build.js"]);
  await Promise.all([looked(), compiled()]);
  if (imported.length > 0) {
    const unit = ["vitest", "related", "--project=unit", ...OPTIONS];
    await run("related unit tests", [...unit, ...imported]);
  }
  if (tests.length > 0) await run("near tests", ["vitest", ...OPTIONS, ...PROJECTS, ...tests]);
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
const outcome = failed.length === 0 ? "all passed" : `failed: ${failed.join(", ")}`;
process.stdout.write(`\n${outcome}, ${seconds} s\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function looked(): Promise<void> {
  if (code.length > 0) await run("lint", [...LINT, ...code]);
  const layout = ["prettier", "--check", "--ignore-unknown", "--log-level", "warn"];
  await run("layout", [...layout, ...changed]);
}

async function compiled(): Promise<void> {
  if (!code.some((path) => path.endsWith(".ts"))) return;
  await run("types", [...TYPES, `${CACHE}/types`]);
  const runtime = [...TYPES, `${CACHE}/runtime-types`, "-p", `${RUNTIME_SOURCE}/tsconfig.json`];
  await run("types of the runtime", runtime);
}

/** Files that differ from the revision, new ones included; paths from the root of the repository. */
function changedFiles(since: string): readonly string[] {
  const git = (...parameters: readonly string[]): readonly string[] =>
    execFileSync("git", parameters, { encoding: "utf8" }).split("\0").filter(existsSync);
  return [
    ...git("diff", "--name-only", "-z", "--diff-filter=d", since, "--"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}

/** Runs a program of node_modules; where it fails, what it prints of failures is shown. */
async function run(name: string, [program = "", ...parameters]: readonly string[]): Promise<void> {
  const before = performance.now();
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  const took = ((performance.now() - before) / 1000).toFixed(0);
  process.stdout.write(`${code === 0 ? "passed" : "FAILED"}  ${name}, ${took} s\n`);
  if (code === 0) return;
  failed.push(name);
  // What vitest prints before is of tests that pass.
  process.stdout.write(`${stdout.slice(Math.max(0, stdout.search(/⎯+ Failed/)))}${stderr}\n`);
}
