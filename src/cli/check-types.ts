import { changesAnything } from "../apply/change.js";
import { checkTypes, type TypeCheck } from "../commands/check-types.js";
import type { Environment } from "../commands/environment.js";
import { toValues } from "../diagnostics/format.js";
import type { Result } from "../diagnostics/result.js";
import { gitRevisions } from "./git-revisions.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { outcomeValue } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import { projectCompiler } from "./project-compiler.js";
import type { Request } from "./request.js";
import type { Terminal } from "./terminal.js";

/** Checks the files and the user's own code, prints what was found, and returns the exit code. */
export async function answerCheckTypes(
  { json, all, since }: Request,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const compiler = projectCompiler(env.root);
  const result = await checkTypes(env, { compiler, since, revisions: gitRevisions });
  const ok = result.ok && result.value.misfits.length === 0 && !isDrift(result.value);
  if (json) terminal.out(jsonText(result, ok));
  else if (!result.ok) printDiagnostics(result.diagnostics, all, terminal);
  else {
    printDiagnostics([...result.diagnostics, ...result.value.misfits], all, terminal);
    print(result.value, env, terminal);
  }
  return ok ? 0 : 1;
}

function print(found: TypeCheck, env: Environment, terminal: Terminal): void {
  const { outcome, misfits, files, since } = found;
  // That there is nothing to do is not so where something does not fit.
  if (misfits.length === 0 || isDrift(found)) printOutcome(outcome, terminal);
  const count = `${files} ${files === 1 ? "file" : "files"} of your own`;
  if (misfits.length === 0) terminal.out(`Types: ${count} fit the generated code.\n`);
  else if (since === null) {
    terminal.out(
      "Git knows no earlier schemas here, so that no edit is named: --since <revision>\n",
    );
  } else terminal.out(`The schemas were compared with ${since}.\n`);
  if (isDrift(found)) {
    terminal.err(`The files in ${env.root} are out of date: run "generator generate".\n`);
  }
}

function jsonText(result: Result<TypeCheck>, ok: boolean): string {
  if (!result.ok) {
    return `${JSON.stringify({ ok, diagnostics: toValues(result.diagnostics) }, null, 2)}\n`;
  }
  const { outcome, files, since, misfits } = result.value;
  const diagnostics = toValues([...result.diagnostics, ...misfits]);
  const types = { files, since, misfits: misfits.length };
  return `${JSON.stringify({ ok, ...outcomeValue(outcome), types, diagnostics }, null, 2)}\n`;
}

function isDrift({ outcome: { changes } }: TypeCheck): boolean {
  return changesAnything({ changes });
}
