import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll } from "vitest";
import type { ServiceOptions } from "../../templates/kernel/service/service.js";
import { SERVICES, serviceFolder } from "../support/service-folders.js";
import { readTree } from "../support/read-tree.js";
import type { Texts } from "../support/render-files.js";
import type { Report } from "./mutant-host.js";
import type { Mutant } from "./mutant.js";

/** Of this process alone: test files run side by side. */
const ROOT = join(SERVICES, "mutants", String(process.pid));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

/** Compiles the service of a fixture once, so that a mutant costs the compiling of one file; its folder. */
export function compileService(fixture: string): string {
  return compile(fixture, readTree(serviceFolder(fixture)));
}

/** Compiles the texts of a service; its folder. */
export function compile(name: string, texts: Texts): string {
  const folder = join(ROOT, name, "whole");
  rmSync(join(ROOT, name), { recursive: true, force: true });
  for (const [path, text] of Object.entries(texts)) {
    if (/^(?:src|openapi|migrations)\//.test(path)) write(folder, path, text);
  }
  write(folder, "package.json", '{ "type": "module" }');
  return folder;
}

/** A copy of a compiled service with a fault in it. Throws where the text of the mutant is not there any more. */
export function mutate(whole: string, mutant: Mutant, name: string): string {
  const { service = "contract", file, find, replace } = mutant;
  const source = readFileSync(join(serviceFolder(service), file), "utf8");
  if (!source.includes(find)) {
    throw new Error(`${file} does not hold this text any more: ${find}`);
  }
  const folder = join(dirname(whole), name);
  cpSync(whole, folder, { recursive: true });
  // A function, because `$` means something in a replacement.
  write(
    folder,
    file,
    source.replace(find, () => replace),
  );
  return folder;
}

function write(folder: string, path: string, text: string): void {
  const isCode = path.endsWith(".ts");
  const target = join(folder, isCode ? path.replace(/\.ts$/, ".js") : path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, isCode ? compiled(text) : text);
}

/** Only the types go. */
function compiled(text: string): string {
  const { ESNext } = ts.ModuleKind;
  const compilerOptions = {
    module: ESNext,
    target: ts.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

/** A process that runs mutated services, one at a time. */
export class MutantHost {
  private child: ChildProcess | null = null;

  /** Starts the service in a folder, instead of the one before; its URL. */
  async start(folder: string, options: ServiceOptions = {}): Promise<string> {
    this.child ??= this.launch();
    const answer = once(this.child, "message");
    this.child.send({ folder, options });
    // The host sends nothing else.
    const [report] = (await answer) as [Report];
    if ("error" in report) throw new Error(`it does not start: ${report.error}`);
    return report.url;
  }

  /** Ends the process. */
  stop(): void {
    this.child?.kill("SIGKILL");
  }

  private launch(): ChildProcess {
    const host = fileURLToPath(new URL("./mutant-host.ts", import.meta.url));
    const execArgv = ["--import", import.meta.resolve("tsx")];
    const child = fork(host, { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.once("exit", () => (this.child = null));
    return child;
  }
}
