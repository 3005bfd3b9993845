import type { Environment } from "../commands/environment.js";
import type { PrepareOptions } from "../commands/prepare.js";
import { renamedCode } from "../commands/rename-code.js";
import { visible } from "../diagnostics/visible.js";
import type { RenamedCode, RenamedFile } from "../types/rename-code.js";
import { projectCompiler } from "./project-compiler.js";
import type { Terminal } from "./terminal.js";

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

function print({ files, left }: RenamedCode, { out, colors }: Terminal): void {
  for (const file of files) {
    const { from, path } = file;
    out(`${colors.bold(from === path ? path : `${from} -> ${path}`)}\n`);
    for (const { number, was, is } of changedLines(file)) {
      out(`${colors.red(`${number} - ${visible(was)}`)}\n`);
      out(`${colors.green(`${number} + ${visible(is)}`)}\n`);
    }
  }
  for (const sentence of left) out(`${colors.yellow("left")}  ${sentence}\n`);
  out(files.length === 0 ? NOTHING : `${AFTER}\n`);
}

const NOTHING = `No file of your own names what the YAML calls otherwise now. The generated code on the disk has to be that of
before: "git checkout generator.lock src/generated test/generated" brings it back.
`;

const AFTER = `
What types do not tell is yours to rename: bodies in tests, test/samples.ts, texts. "npm run check" finds the rest; git undoes it.
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
