import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";

const BIN = resolve("bin/generator.js");
const WARM = resolve("test/cli/warm-generator.js");

/** What a run printed, and how it ended. */
export interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** G8: nothing is made into code at run time, and nothing reaches a prototype through `__proto__`. */
export const STRICT = ["--disallow-code-generation-from-strings", "--disable-proto=throw"];

/** Runs the built command line in a process of its own, as a user does. */
export function ownProcess(
  parameters: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  return new Promise((done) => {
    const command = [...STRICT, BIN, ...parameters];
    const env = { ...process.env, ...options.env };
    const child = execFile(process.execPath, command, { ...options, env }, (_, out, err) =>
      done({ exitCode: child.exitCode ?? -1, out, err }),
    );
  });
}

/** A process that has run commands before starts the next one in a tenth of the time. */
interface Warm {
  readonly child: ChildProcess;
  readonly ended: Promise<never>;
}

let warm: Warm | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Runs the built command line, after those before it; its process ends with that of the tests. */
export function generator(
  parameters: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): Promise<Run> {
  const run = last.then(async () => {
    warm ??= started();
    const answered = once(warm.child, "message");
    warm.child.send({ parameters, cwd });
    const [run] = (await Promise.race([answered, warm.ended])) as [Run];
    return run;
  });
  last = run.catch(() => null);
  return run;
}

function started(): Warm {
  const child = fork(WARM, { execArgv: STRICT });
  child.unref();
  child.channel?.unref();
  const ended = once(child, "exit").then(([exitCode]) => {
    warm = null;
    throw new Error(`the command line ended with ${String(exitCode)}`);
  });
  // It may end between two commands.
  ended.catch(() => null);
  return { child, ended };
}

/** A run's JSON; throws when it printed none. */
export function jsonOf({ out }: Run): {
  ok: boolean;
  applied: boolean;
  changes: { kind: string; path: string; savedAs?: string }[];
  diagnostics: { code: string; file: string; line: number }[];
} {
  // The test compares what is in it.
  return JSON.parse(out) as ReturnType<typeof jsonOf>;
}

/** `updated src/app.ts` for each change that is one, in order. */
export function changesOf(run: Run): string[] {
  const { changes } = jsonOf(run);
  return changes
    .filter(({ kind }) => kind !== "unchanged")
    .map(({ kind, path }) => `${kind} ${path}`);
}

/** A copy of a project, to be changed. */
export function copyOf(project: string): string {
  const folder = join(temporaryFolder(), "project");
  cpSync(project, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

/** Every file of a project with its text, and the time it was written when that matters; without caches. */
export function treeOf(folder: string, { times = false } = {}): Record<string, string> {
  const tree: Record<string, string> = {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  for (const name of names.filter((path) => !/^(\.rulebound|vendor)/.test(path))) {
    const status = lstatSync(join(folder, name));
    if (!status.isFile()) continue;
    tree[name] = readFileSync(join(folder, name), "latin1") + (times ? status.mtimeMs : "");
  }
  return tree;
}

/** Makes the minimal example and generates it once; the time it takes is paid once a test file. */
export async function minimalProject(): Promise<string> {
  const folder = join(temporaryFolder(), "minimal");
  const made = await generator(["init", folder, "--example", "minimal"]);
  if (made.exitCode !== 0) throw new Error(made.err);
  await generator(["generate", folder]);
  return folder;
}

/** Adds an optional property to the only resource of the minimal example. */
export function addProperty(project: string, name = "colour"): void {
  const path = join(project, "resources/v1/notes.yaml");
  const yaml = readFileSync(path, "utf8");
  writeFileSync(path, yaml.replace(/^properties:\n/m, `properties:\n  ${name}: string\n`));
}

/** Adds a second resource. */
export function addResource(project: string): void {
  const yaml = "resource: labels\nentity: label\nproperties:\n  title: string\n";
  writeFileSync(join(project, "resources/v1/labels.yaml"), yaml);
}
