import type { Environment } from "../../src/commands/environment.js";
import { generate } from "../../src/commands/generate.js";
import type { Outcome } from "../../src/commands/outcome.js";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";
import { format } from "../../src/diagnostics/format.js";
import type { Result } from "../../src/diagnostics/result.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import { machine } from "../unit/apply/project.js";
import type { Texts } from "./render-files.js";

const ROOT = "/project";

/** A project in memory, on which the commands run as they do on disk. */
export class MemoryProject {
  readonly files = new MemoryFiles();
  readonly env: Environment = {
    files: this.files,
    root: ROOT,
    machine: machine("run", () => true),
    version: "1.2.3",
    build: "this",
    cacheKey: () => Buffer.alloc(32, "key"),
  };

  constructor(texts: Texts) {
    this.files.makeDirectory(ROOT);
    for (const [path, text] of Object.entries(texts)) this.write(path, text);
  }

  read(path: string): string {
    return this.files.readText(`${ROOT}/${path}`);
  }

  has(path: string): boolean {
    return this.files.exists(`${ROOT}/${path}`);
  }

  write(path: string, text: string): void {
    const file = `${ROOT}/${path}`;
    this.files.makeDirectory(file.slice(0, file.lastIndexOf("/")));
    this.files.writeFile(file, text);
  }

  remove(path: string): void {
    this.files.remove(`${ROOT}/${path}`);
  }

  /** Replaces a text that is there. */
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
    this.write(
      path,
      text.replace(from, () => to),
    );
  }

  async generate(options: { force?: boolean; dryRun?: boolean } = {}): Promise<Result<Outcome>> {
    return generate(this.env, { force: false, dryRun: false, ...options });
  }

  /** Every file but what the generator remembers. */
  tree(): Texts {
    const all = Object.entries(this.files.snapshot());
    return Object.fromEntries(all.filter(([path]) => !path.startsWith(`${ROOT}/.rulebound/`)));
  }
}

/** What a result tells, as it is printed. */
export function told({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): string {
  return format(diagnostics);
}

/** The codes of what it tells. */
export function codesOf({
  diagnostics,
}: {
  readonly diagnostics: readonly Diagnostic[];
}): readonly string[] {
  return diagnostics.map(({ code }) => code);
}
