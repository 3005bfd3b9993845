import { join } from "node:path";
import { RUNTIME_VERSION } from "#runtime/base/package";
import { RUNTIME } from "../naming/packages.js";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { failure, type Result } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import { generate } from "./generate.js";
import type { Outcome } from "./outcome.js";

/**
 * Plans like `generate` and writes nothing: every planned change is drift. What an earlier run remembered is not asked, so that
 * the answer follows from the files of the project alone. The runtime that is installed is looked at, too.
 */
export async function check(env: Environment): Promise<Result<Outcome>> {
  const forgetful = { ...env, cacheKey: () => null };
  const planned = await generate(forgetful, { dryRun: true, force: false });
  const other = otherRuntime(env);
  return other === null ? planned : failure([...planned.diagnostics, other]);
}

/** OWN-14 where another version of the runtime is installed in the folder of the service; null: the right one, or none. */
function otherRuntime({ files, root }: Environment): Diagnostic | null {
  const file = `node_modules/${RUNTIME}/package.json`;
  if (!files.exists(join(root, file))) return null;
  const source = files.readText(join(root, file));
  const installed = /"version": *"([^"]*)"/.exec(source)?.[1] ?? "";
  if (installed === RUNTIME_VERSION) return null;
  const line = source.split("\n").findIndex((text) => text.includes('"version"')) + 1;
  const span = { file, line, column: 1, endLine: line, endColumn: 1 };
  const suggestion =
    'Run "npm install", which installs what package.json asks for; where that is the folder runtime/, "generator eject runtime --force".';
  const versions = { installed, wanted: RUNTIME_VERSION };
  return diagnostic("OWN-14", { span, source }, versions, { suggestion });
}
