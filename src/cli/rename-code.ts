import type { Environment } from "../commands/environment.js";
import type { PrepareOptions } from "../commands/prepare.js";
import { renamedCode } from "../commands/rename-code.js";
import { visible } from "../diagnostics/visible.js";
import type { RenamedCode, RenamedFile } from "../types/rename-code.js";
import type { Terminal } from "./terminal.js";
import { createRequire } from "node:module";
import { join } from "node:path";
import { UsageError } from "../commands/usage-error.js";
import type { Compiler } from "../types/compiler.js";

/** What `generate` does besides with `--rename-code`; prints it first. Throws `UsageError` without a compiler in the project. */
export function renaming(
  env: Environment,
  json: boolean,
  terminal: Terminal,
): NonNullable<PrepareOptions["also"]> {
  const compiler = projectCompiler(env.root);
  const tell = (code: RenamedCode): void => (json ? undefined : print(code, terminal));
  return async (project) => renamedCode(env, project, { compiler, tell });
}

/** How many lines with an old name are listed; the rest are counted. */
const FEW = 20;

function print({ isLate, files, left, mentions }: RenamedCode, { out, colors }: Terminal): void {
  if (isLate) {
    out(LATE);
    return;
  }
  for (const file of files) {
    const { from, path } = file;
    out(`${colors.bold(from === path ? path : `${from} -> ${path}`)}\n`);
    for (const { number, was, is } of changedLines(file)) {
      out(`${colors.red(`${number} - ${visible(was)}`)}\n`);
      out(`${colors.green(`${number} + ${visible(is)}`)}\n`);
    }
  }
  for (const sentence of left) out(`${colors.yellow("left")}  ${sentence}\n`);
  if (mentions.length > 0) {
    const more = mentions.length > FEW ? `\n  and ${mentions.length - FEW} more` : "";
    const listed = mentions.slice(0, FEW).join("\n  ");
    out(
      `These lines still contain an old name, which may mean something else:\n  ${listed}${more}\n`,
    );
  }
  out(AFTER);
}

const LATE = `The generated code on the disk already has the new names, so there is nothing to rename. If the old code is committed,
"git checkout generator.lock src/generated test/generated" restores it; then run this again.
`;

const AFTER = `
"npm run check" finds what does not fit now. Rename bodies in tests, test/samples.ts and other untyped text yourself.

`;

/** A new name leaves each line where it is. */
function changedLines({
  before,
  text,
}: RenamedFile): readonly { number: number; was: string; is: string }[] {
  const now = text.split("\n");
  return before.split("\n").flatMap((was, index) => {
    const is = now[index] ?? "";
    return was === is ? [] : [{ number: index + 1, was, is }];
  });
}

/**
 * The TypeScript compiler that the project itself has: its verdict is that of the project's build, and nobody installs a
 * second one. Throws `UsageError` where there is none that can be asked.
 */
function projectCompiler(root: string): Compiler {
  const load = createRequire(join(root, "package.json"));
  const loaded = compilerAt(load);
  // What is asked of a compiler here is there since TypeScript 4; the package of 7 has no such interface.
  if (typeof loaded === "object" && loaded !== null && "createProgram" in loaded) {
    return loaded as Compiler;
  }
  throw new UsageError(
    "The TypeScript of this project has no programming interface: install version 6 as well, under the name `typescript`.",
  );
}

function compilerAt(load: NodeJS.Require): unknown {
  try {
    return load("typescript");
  } catch {
    throw new UsageError('There is no TypeScript in this project: run "npm install" first.');
  }
}
