import { createRequire } from "node:module";
import { join } from "node:path";
import { UsageError } from "../commands/usage-error.js";
import type { Compiler } from "../types/compiler.js";

/**
 * The TypeScript compiler that the project itself has: its verdict is that of the project's build, and nobody installs a
 * second one. Throws `UsageError` where there is none that can be asked.
 */
export function projectCompiler(root: string): Compiler {
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
