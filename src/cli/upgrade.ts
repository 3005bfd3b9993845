import type { Environment } from "../commands/environment.js";
import { upgrade, type Upgrade } from "../commands/upgrade.js";
import { toValues } from "../diagnostics/format.js";
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

function print(upgraded: Upgrade, terminal: Terminal): void {
  const { outcome, from, to, isSame, changed, kept, missing, mentions, output, notes, archives } =
    upgraded;
  const { out, colors } = terminal;
  const isOther = from !== to || !isSame;
  out(
    `${colors.bold(isOther ? `From generator ${from ?? "(none)"} to ${to}${from === to ? " (another build)" : ""}.` : `The service has this generator already (${to}).`)}\n`,
  );
  if (notes !== "") out(`\n${notes.trimEnd()}\n`);
  out("\n");
  printOutcome(outcome, terminal);
  for (const part of output) out(`  ${partLine(part)}\n`);
  for (const line of changed) out(`${PACKAGE}  ${line}\n`);
  for (const line of kept) out(`${PACKAGE}  kept as you wrote it: ${line}\n`);
  const own = outcome.changes.filter((one) => one.kind === "updated" && one.owner === "user");
  if (own.length > 0) out(`Changed in your files: ${own.map(({ path }) => path).join(", ")}\n`);
  if (mentions.length > 0) {
    out(
      "These lines of yours name src/generated/kernel, which is gone. A module of it is imported as\n" +
        `"@rulebound/runtime/internal/<folder>/<file>.js" now.\n  ${mentions.join("\n  ")}\n`,
    );
  }
  if (missing.length > 0) {
    out(`A new service also has these; --scaffold makes them: ${missing.join(", ")}\n`);
  }
  if (archives.length > 0 && isOther && outcome.applied) {
    out("\nNext:\n  npm install\n  npm run check\n  npm test\n");
  }
}

const PACKAGE = "package.json";

function partLine(part: Upgrade["output"][number]): string {
  const { created, updated, removed, linesAdded, linesRemoved } = part;
  const counts = Object.entries({ created, updated, removed }).filter(([, count]) => count > 0);
  const words = counts.map(([word, count]) => `${count} ${word}`).join(", ");
  return `${part.part}: ${words} (+${linesAdded} -${linesRemoved} lines)`;
}
