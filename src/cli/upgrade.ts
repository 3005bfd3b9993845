import type { Environment } from "../commands/environment.js";
import { upgrade, type Upgrade } from "../commands/upgrade.js";
import { toValues } from "../diagnostics/format.js";
import { RUNTIME } from "../naming/packages.js";
import { packageRoot } from "./package-root.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { outcomeValue } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import type { Terminal } from "./terminal.js";

/** The flags of `generator upgrade`, as far as they are given. */
export interface UpgradeFlags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly scaffold?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Brings a service to this generator, says what has changed, and returns the exit code. */
export async function answerUpgrade(
  { dryRun = false, force = false, scaffold = false, all = false, json = false }: UpgradeFlags,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const options = { dryRun, force, scaffold, packageRoot: packageRoot() };
  const result = await upgrade(env, options);
  const diagnostics = toValues(result.diagnostics);
  if (json) {
    const value = result.ok ? jsonValue(result.value) : {};
    terminal.out(`${JSON.stringify({ ok: result.ok, ...value, diagnostics }, null, 2)}\n`);
  } else {
    printDiagnostics(result.diagnostics, all, terminal);
    if (result.ok) print(result.value, terminal);
    else terminal.err("No generated file was written.\n");
  }
  return result.ok && result.value.outcome.leftAlone.length === 0 ? 0 : 1;
}

function jsonValue({ outcome, ...upgraded }: Upgrade): object {
  return { ...upgraded, ...outcomeValue(outcome) };
}

function print(upgraded: Upgrade, { out, colors, ...terminal }: Terminal): void {
  const { outcome, from, to, isSame, changed, kept, followed } = upgraded;
  const { missing, imports, archives, isEjected } = upgraded;
  const isOther = from !== to || !isSame;
  const build = from === to ? " (another build)" : "";
  const title = isOther
    ? `From generator ${from ?? "(none)"} to ${to}${build}.`
    : `The service has this generator already (${to}).`;
  out(`${colors.bold(title)}\n`);
  printOutcome(outcome, { out, colors, ...terminal });
  for (const line of changed) out(`${PACKAGE}  ${line}\n`);
  for (const line of kept) out(`${PACKAGE}  kept as you wrote it: ${line}\n`);
  for (const path of followed) out(`${path}  imports follow generated files that have moved\n`);
  if (imports.length > 0)
    out(`Imports to change in your code, because ${RUNTIME}/internal is gone:\n`);
  for (const { place, name, instead } of imports) {
    out(`  ${place}  ${name === "" ? "" : `${name}: `}${instead}\n`);
  }
  if (isEjected) {
    out(
      'The runtime is in runtime/, and stays: "generator eject runtime --force" brings it to this generator.\n',
    );
  }
  if (missing.length > 0) {
    out(`A new service also has these; --scaffold makes them: ${missing.join(", ")}\n`);
  }
  if (archives.length > 0 && isOther && outcome.applied) out(NEXT);
}

const PACKAGE = "package.json";

const NEXT = `
The changes are in node_modules/@rulebound/generator/docs/changelog.md; "git diff" shows their effect here.

Next:
  npm install
  npm run check
  npm test
`;
