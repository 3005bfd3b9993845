import { eject, ejectableTemplates } from "../commands/eject.js";
import type { Environment } from "../commands/environment.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { jsonText } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import type { Terminal } from "./terminal.js";

/** Copies a template into the project, or lists those that there are: `generator eject`. */
export function answerEject(
  template: string | undefined,
  { json = false }: { readonly json?: boolean },
  environment: () => Environment,
  terminal: Terminal,
): number {
  if (template === undefined) {
    listTemplates(json, terminal);
    return 0;
  }
  const result = eject(environment(), template);
  if (json) terminal.out(jsonText(result));
  else if (!result.ok) printDiagnostics(result.diagnostics, false, terminal);
  else {
    printOutcome(result.value, terminal);
    terminal.out(nextSteps(result.value.changes.some(({ path }) => path.endsWith(".new"))));
  }
  return result.ok && result.value.leftAlone.length === 0 ? 0 : 1;
}

function listTemplates(json: boolean, terminal: Terminal): void {
  const templates = ejectableTemplates();
  if (json) terminal.out(`${JSON.stringify({ ok: true, templates }, null, 2)}\n`);
  else terminal.out(templates.map(({ name }) => `${name}\n`).join(""));
}

function nextSteps(isBeside: boolean): string {
  return isBeside
    ? "\nYou have a copy already. Take over into it what has changed, its first line too, and delete the new file.\n"
    : '\nThe copy is yours: edit it, then run "generator generate" and read the diff.\nA newer generator says so when its own template has changed since.\n';
}
