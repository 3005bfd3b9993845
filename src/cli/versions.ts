import type { Environment } from "../commands/environment.js";
import { makeNextVersion, type VersionRequest } from "../commands/next-version.js";
import type { Outcome } from "../commands/outcome.js";
import { publish } from "../commands/publish.js";
import type { Result } from "../diagnostics/result.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { jsonText } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import type { Terminal } from "./terminal.js";

/** The flags of the commands that change versions. */
export interface VersionFlags {
  readonly json?: boolean;
  readonly all?: boolean;
}

/** Promises a version to its clients, and says what follows: `generator publish`. */
export async function answerPublish(
  version: string,
  flags: VersionFlags,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const next =
    `\n${version} is published: contract/ says what its clients can rely on. Commit it with service.yaml.\n` +
    "From now on an edit that would break them is refused; see what an edit means with\n  generator changes\n";
  return tell(await publish(env, version), next, flags, terminal);
}

/** Makes the files of the next version, and says what follows: `generator version`. */
export async function answerNextVersion(
  request: VersionRequest,
  flags: VersionFlags,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const { version, resources } = request;
  const edited = resources.map((name) => `  resources/${version}/${name}.yaml\n`).join("");
  const first = edited === "" ? "" : `\nMake your edits in\n${edited}`;
  const made = await makeNextVersion(env, request);
  const next =
    `${first}${made.ok ? undoText(made.value.broken) : ""}\nThen bring the service up to date, and see what ${version} changes:\n` +
    `  generator generate\n  generator changes ${version}\n`;
  return tell(made, next, flags, terminal);
}

/** What was edited in a published version belongs in the next one, and not in that one any more. */
function undoText(broken: readonly string[]): string {
  if (broken.length === 0) return "";
  const files = broken.map((file) => `  ${file}\n`).join("");
  return `\nUndo the edits that break clients of a published version; the new files already have them:\n${files}`;
}

function tell(
  result: Result<Outcome>,
  next: string,
  { json = false, all = false }: VersionFlags,
  terminal: Terminal,
): number {
  if (json) terminal.out(jsonText(result));
  else {
    printDiagnostics(result.diagnostics, all, terminal);
    if (!result.ok) terminal.err("Nothing was written.\n");
    else {
      printOutcome(result.value, terminal);
      terminal.out(next);
    }
  }
  return result.ok && result.value.leftAlone.length === 0 ? 0 : 1;
}
