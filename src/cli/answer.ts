import { changesAnything } from "../apply/change.js";
import { check } from "../commands/check.js";
import type { Environment } from "../commands/environment.js";
import { generate } from "../commands/generate.js";
import type { Outcome, Validity } from "../commands/outcome.js";
import type { Result } from "../diagnostics/result.js";
import { packageRoot } from "./package-root.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { jsonText } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import type { Request } from "./request.js";
import type { Terminal } from "./terminal.js";
import type { Repair } from "../commands/repairs.js";

/** Runs one command, prints the result, and returns the exit code. Modules that few commands need are loaded on demand. */
export async function answer(
  request: Request,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const repairs = request.fix ? await (await import("../commands/fix.js")).fix(env) : null;
  if (repairs !== null && !request.json) printRepairs(repairs, terminal);
  const result = await execute(request, env, terminal);
  if (request.json) terminal.out(jsonText(result, repairs));
  else print(request, result, env, terminal);
  return exitCode(request, result);
}

async function execute(
  { command, dryRun, force, renameCode, json, example, name }: Request,
  env: Environment,
  terminal: Terminal,
): Promise<Result<Outcome | Validity>> {
  switch (command) {
    case "generate": {
      if (!renameCode) return generate(env, { dryRun, force });
      const { renaming } = await import("./rename-code.js");
      return generate(env, { dryRun, force, also: renaming(env, json, terminal) });
    }
    case "check":
      return check(env);
    case "drop-columns":
      return generate(env, { dryRun, force, task: { kind: "drop" } });
    case "migration new":
      return generate(env, { dryRun, force, task: { kind: "new", words: name } });
    case "migration squash": {
      const { releasedByGit } = await import("./git.js");
      const isReleased = releasedByGit(env.root);
      return generate(env, { dryRun, force, task: { kind: "squash", isReleased } });
    }
    case "validate":
      return (await import("../commands/validate.js")).validate(env);
    case "init":
      return (await import("../commands/init.js")).init(env, {
        example,
        packageRoot: packageRoot(),
      });
  }
}

function print(
  request: Request,
  result: Result<Outcome | Validity>,
  env: Environment,
  terminal: Terminal,
): void {
  printDiagnostics(result.diagnostics, request.all, terminal);
  if (!result.ok) {
    const isWriting = request.command !== "check" && request.command !== "validate";
    if (isWriting && !request.dryRun) terminal.err("Nothing was written.\n");
    return;
  }
  if ("resources" in result.value) {
    const { resources } = result.value;
    terminal.out(`Valid: ${resources} ${resources === 1 ? "resource" : "resources"}.\n`);
    return;
  }
  printOutcome(result.value, terminal);
  if (request.command === "generate" && !request.renameCode) {
    terminal.out(renameHint(result.value));
  }
  if (request.command === "init") terminal.out(nextSteps(request.directory));
  if (request.command === "check" && isDrift(result.value)) {
    terminal.err(`The files in ${env.root} are out of date: run "generator generate".\n`);
  }
}

/** The next run removes the old types, which are needed to find the names in own code. */
function renameHint({ migration, applied }: Outcome): string {
  const isRenaming = migration?.steps.some((step) =>
    /^rename (?!the index|the foreign)/.test(step),
  );
  if (isRenaming !== true) return "";
  return applied
    ? 'Names have changed. To rename them in your code as well: "git checkout generator.lock src/generated test/generated", then "generator generate --rename-code".\n'
    : "Names change: --rename-code renames them in your code as well.\n";
}

function nextSteps(directory: string): string {
  const enter = directory === "." ? [] : [`cd ${directory}`];
  const steps = [...enter, "npm install", "npm run build", "npm start"];
  const then = "Then try the API at http://127.0.0.1:3000/docs, and read on in README.md.";
  return `\nNext:\n${steps.map((step) => `  ${step}\n`).join("")}\n${then}\n`;
}

function exitCode({ command }: Request, result: Result<Outcome | Validity>): number {
  if (!result.ok) return 1;
  if ("resources" in result.value) return 0;
  if (result.value.leftAlone.length > 0) return 1;
  return command === "check" && isDrift(result.value) ? 1 : 0;
}

function isDrift({ changes }: Outcome): boolean {
  return changesAnything({ changes });
}

/** The names that `--fix` has written anew, a line each. */
function printRepairs(repairs: readonly Repair[], { colors, out }: Terminal): void {
  for (const { span, before, after } of repairs) {
    const place = `${span.file}:${span.line}:${span.column}`;
    out(`${colors.green("fixed")}  ${place}  ${before} -> ${after}\n`);
  }
  if (repairs.length === 0) out("Nothing could be fixed.\n");
}
