import { eject } from "../commands/eject.js";
import type { Environment } from "../commands/environment.js";
import { UsageError } from "../commands/usage-error.js";
import { packageRoot } from "./package-root.js";
import { printDiagnostics } from "./print-diagnostics.js";
import { jsonText } from "./print-json.js";
import { printOutcome } from "./print-outcome.js";
import type { Terminal } from "./terminal.js";

/** The flags of `generator eject`, as far as they are given. */
export interface EjectFlags {
  readonly undo?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Makes the runtime a folder of the service, or takes that back, and returns the exit code. Throws `UsageError`. */
export async function answerEject(
  what: string,
  { undo = false, force = false, json = false }: EjectFlags,
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  if (what !== "runtime") {
    throw new UsageError(
      `It is the runtime that can be ejected, not ${JSON.stringify(what)}: generator eject runtime. A notice above every generated file is \`header\` of service.yaml.`,
    );
  }
  const result = await eject(env, { packageRoot: packageRoot(), undo, force });
  if (json) terminal.out(jsonText(result));
  else if (!result.ok) printDiagnostics(result.diagnostics, false, terminal);
  else {
    printOutcome(result.value, terminal);
    const isCopied = result.value.changes.some(({ path }) => path === "Dockerfile");
    terminal.out(undo ? TAKEN_BACK : `${isCopied ? "" : DOCKERFILE}${EJECTED}`);
  }
  return result.ok && result.value.leftAlone.length === 0 ? 0 : 1;
}

const TAKEN_BACK = "\nNext:\n  npm install\n  npm test\n";

const DOCKERFILE =
  "\nA Dockerfile of your own has to copy runtime/ wherever it copies package.json.\n";

const EJECTED = `
The code in runtime/ is yours, and imports stay as they are. After an edit, "npm run prepare" compiles it.
To take it back: generator eject runtime --undo

Next:
  npm install
  npm test
`;
