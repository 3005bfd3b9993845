import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.js";
import { REPOSITORY } from "./folders.js";
import { run } from "./run.js";

/** A line of Node, and the line of npm that its users have. */
export interface RuntimeLine {
  readonly major: string;
  readonly npm: string;
}

/** What is supported. */
export const RUNTIMES: readonly RuntimeLine[] = [
  { major: "20", npm: "10" },
  { major: "22", npm: "10" },
  { major: "24", npm: "11" },
  { major: "26", npm: "12" },
];

/** An installed Node. */
export interface Runtime {
  readonly version: string;
  readonly npmVersion: string;
  /** Its program, absolute. */
  readonly node: string;
  /** npm's script, which that program runs. */
  readonly npm: string;
  /** With this Node first on the path. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The newest Node and npm of a line, from the packages behind npm's `node`, which hold nothing but the program for one
 * system. They are kept in `.cache/nodes`, so that only the first run downloads them.
 */
export async function installRuntime({ major, npm }: RuntimeLine): Promise<Runtime> {
  const folder = join(REPOSITORY, ".cache/nodes", major);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  // Quiet it is not: the newest npm does not run on the Node that installs it here.
  await run({
    command: "npm",
    parameters: ["install", "--no-package-lock", `${name}@${major}`, `npm@${npm}`],
    cwd: folder,
    env: cleanEnvironment(),
  });
  const packages = join(folder, "node_modules");
  const programs = join(packages, name, "bin");
  return {
    version: versionOf(join(packages, name)),
    npmVersion: versionOf(join(packages, "npm")),
    node: join(programs, process.platform === "win32" ? "node.exe" : "node"),
    npm: join(packages, "npm/bin/npm-cli.js"),
    env: cleanEnvironment(programs),
  };
}

function versionOf(folder: string): string {
  // Every package.json has one.
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
