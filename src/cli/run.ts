import { visible } from "../diagnostics/visible.js";
import { resolve } from "node:path";
import { BUILD, VERSION } from "#compiled/build-id";
import { isInterrupted } from "../apply/apply.js";
import type { Environment } from "../commands/environment.js";
import { isSystemError } from "../commands/system-error.js";
import { UsageError } from "../commands/usage-error.js";
import { nodeFiles } from "../files/node-files.js";
import { answer } from "./answer.js";
import { plainRequest, request, type Request } from "./request.js";
import { handleSignals, processTerminal, type Terminal } from "./terminal.js";
import { thisMachine } from "./this-machine.js";
import { userKey } from "./user-key.js";

/** Runs the command that the arguments ask for, and gives the exit code; the only place that catches. */
export async function run(argv: readonly string[]): Promise<number> {
  handleSignals();
  const terminal = processTerminal();
  const plain = plainRequest(argv);
  return plain === null ? parse(argv, terminal) : execute(plain, terminal);
}

async function parse(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { exitCodeOf, program } = await import("./program.js");
  let exitCode = 0;
  const commands = program(VERSION, {
    answer: async (asked) => void (exitCode = await execute(asked, terminal)),
    listRules: async (json) => (await import("./look-up.js")).listRules(json, terminal),
    explainId: async (id, json) => (await import("./look-up.js")).explainId(id, json, terminal),
    verify: async (url, flags) => {
      const { answerVerify } = await import("./verify.js");
      const asked = { url, flags, tokens: process.env["GENERATOR_TOKEN"] ?? "" };
      exitCode = await answerVerify(asked, hereEnvironment(), terminal);
    },
    publish: async (version, flags) => {
      const { answerPublish } = await import("./versions.js");
      exitCode = await answerPublish(version, flags, hereEnvironment(), terminal);
    },
    nextVersion: async (version, resources, flags) => {
      const { answerNextVersion } = await import("./versions.js");
      const asked = { version, resources };
      exitCode = await answerNextVersion(asked, flags, hereEnvironment(), terminal);
    },
    changes: async (version, flags) => {
      const { answerChanges } = await import("./changes.js");
      exitCode = await answerChanges(version, flags, hereEnvironment(), terminal);
    },
    upgrade: async (directory, flags) => {
      const { answerUpgrade } = await import("./upgrade.js");
      exitCode = await answerUpgrade(
        flags,
        environment(rootOf(request("generate", directory))),
        terminal,
      );
    },
    eject: async (what, flags) => {
      const { answerEject } = await import("./eject.js");
      exitCode = await answerEject(what, flags, hereEnvironment(), terminal);
    },
  });
  try {
    await commands.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    return exitCodeOf(error) ?? explain(error, "", terminal);
  }
}

async function execute(request: Request, terminal: Terminal): Promise<number> {
  let root = "";
  try {
    root = rootOf(request);
    if (request.requireClean) (await import("./clean-tree.js")).requireClean(root);
    return await (request.watch ? watch(request, root, terminal) : once(request, root, terminal));
  } catch (error) {
    return explain(error, root, terminal);
  }
}

function once(request: Request, root: string, terminal: Terminal): Promise<number> {
  return answer(request, environment(root), terminal);
}

/** A mistake in a schema, or an error of the operating system, is told; the next change may mend it. */
async function watch(request: Request, root: string, terminal: Terminal): Promise<never> {
  if (request.json || request.dryRun || request.requireClean) {
    throw new UsageError("--watch cannot be combined with --json, --dry-run or --require-clean.");
  }
  const generate = (): Promise<unknown> =>
    once(request, root, terminal).catch((error: unknown) => {
      if (!(error instanceof UsageError) && !isSystemError(error)) throw error;
      explain(error, root, terminal);
    });
  const { watchSchemas, WATCHING } = await import("./watch.js");
  await generate();
  terminal.out(WATCHING);
  return watchSchemas(environment(root), async (paths) => {
    terminal.out(`\n${terminal.colors.bold(changed(paths))}\n`);
    await generate();
  });
}

function changed(paths: readonly string[]): string {
  const [first = ""] = paths;
  const others = paths.length - 1;
  if (others === 0) return `${visible(first)} has changed.`;
  return `${visible(first)} and ${others} more ${others === 1 ? "file" : "files"} have changed.`;
}

function rootOf({ command, directory }: Request): string {
  if (directory === "") throw new UsageError("The folder has no name.");
  const root = resolve(directory);
  if (command === "init") return root;
  if (!nodeFiles.exists(root)) throw new UsageError(`There is no folder ${root}.`);
  const real = nodeFiles.realPath(root);
  if (nodeFiles.lstat(real)?.kind !== "directory") throw new UsageError(`${root} is not a folder.`);
  return real;
}

/** Of the present folder. */
function hereEnvironment(): Environment {
  return environment(rootOf(request("validate", ".")));
}

function environment(root: string): Environment {
  const machine = thisMachine();
  const merges = async () => (await import("./git-merges.js")).gitMerges;
  const releases = async () => (await import("./git.js")).committedByGit(root);
  const isTracked = async (folder: string) =>
    (await import("./tracked-by-git.js")).isTracked(root, folder);
  let key: Uint8Array | null | undefined;
  const cacheKey = () => (key ??= userKey(root));
  const own = { version: VERSION, build: BUILD, cacheKey };
  return { files: nodeFiles, root, machine, ...own, isTracked, merges, releases };
}

function explain(error: unknown, root: string, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.err(`generator: ${error.message}\n`);
    return 2;
  }
  if (isSystemError(error)) {
    terminal.err(`generator: ${error.message}\n${consequence(root)}\n`);
    return 2;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(
    `${text}\n\nThis is a bug in generator ${VERSION}: please report it with the text above.\n`,
  );
  return 3;
}

/** The state of the project after an error of the operating system. */
function consequence(root: string): string {
  return isInterrupted(nodeFiles, root)
    ? "Some files are already written: run the command again to finish the others."
    : "No file of the project was changed.";
}
