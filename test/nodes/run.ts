import { spawn } from "node:child_process";

/** A program that is run to its end. */
export interface Program {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** How long one program may take, in milliseconds: a first install downloads all that it needs. */
const PATIENCE = 600_000;

/** How npm 12 tells which script it runs now. */
const ANNOUNCEMENT = /^npm notice run .*\n/gm;

/** A warning of Node or npm: what a test says on stderr is on the stdout of `node --test`. */
const WARNING = /^.*(?:\w+Warning: |\[DEP\d+\]|npm warn ).*$/m;

/** Runs a program; returns what it printed. Throws unless it exits with 0, says nothing on stderr, and warns of nothing. */
export async function runQuietly(program: Program): Promise<string> {
  const { stdout, stderr } = await run(program);
  const said = stderr.replace(ANNOUNCEMENT, "");
  if (said !== "") throw new Error(`${shown(program)} is not silent:\n${said}`);
  const [warning] = WARNING.exec(stdout) ?? [];
  if (warning !== undefined) throw new Error(`${shown(program)} warns:\n${warning}`);
  return stdout;
}

/** What a program printed. */
interface Written {
  stdout: string;
  stderr: string;
}

/** The same for a program that may say what it likes. Throws unless it exits with 0. */
export function run(program: Program): Promise<Written> {
  const { command, parameters, cwd, env } = program;
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd, env, timeout: PATIENCE });
    const written: Written = { stdout: "", stderr: "" };
    child.stdin.end();
    child.stdout.on("data", (chunk: Buffer) => (written.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(written);
      else {
        const said = written.stdout + written.stderr;
        reject(new Error(`${shown(program)} exits with ${code}:\n${said}`));
      }
    });
  });
}

function shown({ command, parameters }: Program): string {
  return [command, ...parameters].join(" ");
}
